import { derivedUuid } from '../../data/hashes/index.js';
import {
  type ExecutionConfig,
  type PaperAccount,
  type PaperEvent,
  paperValue,
  type StepBar,
  stepPaper,
  type Trade,
} from '../../engine/execution/index.js';
import { isPaperPortfolio, type PaperPortfolio, stepAllocation, stepRules } from '../../engine/portfolio/index.js';
import { firstBarFrom, isoTime } from '../../engine/series/index.js';
import { showTrade } from '../../research/backtest/index.js';
import type { Deployed, DeployedDefinition, DeployedPortfolio } from './definition.js';
import type { NextBar } from './next-bar.js';
import type { DeployedEvent, DeployedProgress } from './stored.js';

/**
 * Takes a strategy through its next bar with the `step` of backtests, so that its trades and
 * account equal a backtest's over the same bars, to the last bit. `held` is not changed.
 */
export function advance(deployed: Deployed, held: DeployedProgress, bar: NextBar): Advance {
  const { account } = held;
  if ('portfolio' in deployed) {
    if (isPaperPortfolio(account)) return advancePortfolio(deployed, held, account, bar);
  } else if (!isPaperPortfolio(account) && 'bar' in bar) return advanceOne(deployed, held, account, bar.bar);
  throw new Error(`the account of ${deployed.id} is not that of its definition`);
}

function advanceOne(deployed: DeployedDefinition, held: DeployedProgress, before: PaperAccount, bar: StepBar): Advance {
  const { config, intervalMs, id } = deployed;
  const idOf = (index: number, side: 'long' | 'short') =>
    derivedUuid('deployed', id, 'position', index, ...(side === 'short' ? [side] : []));
  const { account, events } = stepPaper(before, { ...bar, isLast: false }, config, idOf);
  const value = paperValue(account, bar.close, config);
  const log = new EventLog(deployed, value);
  for (const event of events) log.add(event, bar.open, config);
  const { highestStep, lowestStep } = log.milestones(held, config.initial_balance, bar.time + intervalMs);
  const labels = { strategy: deployed.name, asset: deployed.asset, exitMs: bar.time };
  const trades = events.flatMap((event) => shownTrade(event, labels));
  const totalTrades = held.totalTrades + trades.length;
  const progress = { account, accountValue: value, lastPrice: bar.close, totalTrades, highestStep, lowestStep };
  return { progress, trades, events: log.events };
}

/** Takes one account over many assets through its next time, with the step of its backtest. */
function advancePortfolio(
  deployed: DeployedPortfolio,
  held: DeployedProgress,
  account: PaperPortfolio,
  bar: NextBar,
): Advance {
  const { portfolio, id } = deployed;
  if (portfolio.kind === 'members' && account.kind === 'members' && 'members' in bar) {
    const { members } = portfolio;
    const { start: time } = bar.members;
    const step = stepRules(account, bar.members, (member, index, side) => positionId(id, member, index, side));
    const log = new EventLog(deployed, step.value);
    const trades: object[] = [];
    for (const event of step.events) {
      const { member } = event;
      // biome-ignore lint/style/noNonNullAssertion: an event has one of the members, which has a bar then
      const [{ baseAsset: asset, strategy, config }, { bars }] = [members[member]!, bar.members.members[member]!];
      // biome-ignore lint/style/noNonNullAssertion: the same
      log.add(event, bars.open[firstBarFrom(bars, time)]!, config, { asset, member });
      const labels = { strategy: strategy.name, asset, exitMs: time };
      trades.push(...shownTrade(event, labels).map((trade) => ({ ...trade, member })));
    }
    return outcome(deployed, held, step, { log, trades, time });
  }
  if (portfolio.kind === 'allocation' && account.kind === 'allocation' && 'assets' in bar) {
    const { start: time } = bar.assets;
    const step = stepAllocation(account, bar.assets);
    const log = new EventLog(deployed, step.value);
    const trades: object[] = [];
    for (const fill of step.fills) {
      const { asset: member } = fill;
      // biome-ignore lint/style/noNonNullAssertion: a fill has one of the assets
      const { baseAsset: asset } = portfolio.assets[member]!;
      if (fill.kind === 'purchase') {
        // biome-ignore lint/style/noNonNullAssertion: the same
        const own = positionId(id, member, step.account.assets[member]!.entryBar);
        log.entry({ entryPrice: fill.price, size: fill.units }, own, time, { asset, member });
        continue;
      }
      const { trade } = fill;
      const own = positionId(id, member, trade.entryBar);
      log.exit(trade, own, time, { asset, member });
      const labels = { strategy: deployed.name, asset, exitMs: time };
      // Weights sell a position in parts; each part is a trade.
      const ids = { tradeId: derivedUuid(own, 'trade', time), positionId: own };
      // biome-ignore lint/style/noNonNullAssertion: what was sold had been bought
      const entryMs = account.assets[member]!.entryTime!;
      trades.push({ ...showTrade(trade, { ...labels, ...ids, entryMs }), member });
    }
    return outcome(deployed, held, step, { log, trades, time });
  }
  throw new Error(`the account of ${id} is not that of its definition`);
}

/** Id of a position that a member opened in one of its bars. */
export const positionId = (id: string, member: number, bar: number, side = 'long'): string =>
  derivedUuid('deployed', id, 'member', member, 'position', bar, side);

function outcome(
  { config, intervalMs }: DeployedPortfolio,
  held: DeployedProgress,
  { account, value }: { readonly account: PaperPortfolio; readonly value: number },
  { log, trades, time }: { readonly log: EventLog; readonly trades: readonly object[]; readonly time: number },
): Advance {
  const { highestStep, lowestStep } = log.milestones(held, config.initial_balance, time + intervalMs);
  const totalTrades = held.totalTrades + trades.length;
  const progress = { account, accountValue: value, lastPrice: null, totalTrades, highestStep, lowestStep };
  return { progress, trades, events: log.events };
}

/** The outcome of one bar, without its times. */
interface Advance {
  readonly progress: Omit<DeployedProgress, 'startMs' | 'tickedAtMs'>;
  readonly trades: readonly object[];
  readonly events: readonly DeployedEvent[];
}

/** Step between milestones, percent of the initial balance. */
const MILESTONE_PCT = 5;

/** The member of a portfolio that an event is about. */
type MemberOf = Pick<DeployedEvent, 'asset' | 'member'>;

/** Events of one bar, in the order in which they happened. */
class EventLog {
  readonly events: DeployedEvent[] = [];

  constructor(
    private readonly deployed: Deployed,
    private readonly accountValue: number,
  ) {}

  entry(
    { entryPrice, size }: Pick<Trade, 'entryPrice' | 'size'>,
    positionId: string,
    timeMs: number,
    of: MemberOf = {},
  ): void {
    const fill = { side: 'enter_long', price: entryPrice, position_size: size, position_id: positionId } as const;
    this.#add('fill', timeMs, { ...of, ...fill });
  }

  /** Logs the fill and the reason for it. */
  exit(
    trade: Pick<Trade, 'exitPrice' | 'size' | 'profitLoss' | 'exitReason'>,
    positionId: string,
    timeMs: number,
    of: MemberOf = {},
  ): void {
    const sale = {
      ...of,
      side: 'exit_long',
      price: trade.exitPrice,
      position_size: trade.size,
      position_id: positionId,
      profit_loss: trade.profitLoss,
    } as const;
    this.#add('fill', timeMs, sale);
    this.#add('exit_reason', timeMs, { ...sale, reason: trade.exitReason, exit_reason: trade.exitReason });
  }

  /** What happened to an account; what its close decided is told when it happens. */
  add(event: PaperEvent, open: number, config: ExecutionConfig, of: MemberOf = {}): void {
    const { id, time } = event;
    const at = id === null ? of : { ...of, position_id: id };
    switch (event.kind) {
      case 'entry': {
        const { side, entryPrice, firstSize } = event.position;
        this.#add('fill', time, { side: `enter_${side}`, price: entryPrice, position_size: firstSize, ...at });
        return;
      }
      case 'sale': {
        const { price, size } = event.sale;
        this.#add('fill', time, { side: `exit_${event.position.side}`, price, position_size: size, ...at });
        return;
      }
      case 'exit': {
        // The sale that closed the position stands before it.
        const { account_value, ...sale } = this.events.pop() as DeployedEvent;
        const fill = { ...sale, profit_loss: event.trade.profitLoss };
        const reason = event.trade.exitReason;
        this.events.push(
          { ...fill, account_value },
          { ...fill, type: 'exit_reason', reason, exit_reason: reason, account_value },
        );
        return;
      }
      case 'denial':
        this.#add('signal', time, { ...of, side: `enter_${event.side}`, price: open, reason: event.reason });
        return;
      case 'levels': {
        const { side, stop } = event.position;
        const levels = { stop_loss_price: stop, take_profit_price: event.target };
        this.#add('levels', time, { side: `exit_${side}`, ...at, ...levels });
        return;
      }
      case 'placed':
      case 'expired':
      case 'cancelled': {
        const { side, level } = event.order;
        const type = config.entry_order === 'limit' ? 'limit' : 'stop';
        const order = { order_type: type, order_status: event.kind, ...(id !== null && { order_id: id }) } as const;
        this.#add('order', time, { ...of, side: `enter_${side}`, price: level, ...order });
      }
    }
  }

  /** Each multiple of the step counts when it is first reached. */
  milestones({ highestStep: highest, lowestStep: lowest }: DeployedProgress, initialBalance: number, timeMs: number) {
    const milestoneLevel = (step: number) => initialBalance * (1 + (step * MILESTONE_PCT) / 100);
    let [highestStep, lowestStep] = [highest, lowest];
    const reached = (step: number) =>
      this.#add('milestone', timeMs, {
        milestone: { metric: 'account_value', change: (step * MILESTONE_PCT) / 100 },
      });
    while (this.accountValue >= milestoneLevel(highestStep + 1)) reached(++highestStep);
    while (this.accountValue <= milestoneLevel(lowestStep - 1)) reached(--lowestStep);
    return { highestStep, lowestStep };
  }

  #add(
    type: DeployedEvent['type'],
    timeMs: number,
    rest: Omit<DeployedEvent, 'strategy_id' | 'persona_id' | 'type' | 'timestamp' | 'account_value'>,
  ): void {
    const { id, personaId } = this.deployed;
    const { accountValue: account_value } = this;
    this.events.push({
      strategy_id: id,
      persona_id: personaId,
      type,
      timestamp: isoTime(timeMs),
      ...rest,
      account_value,
    });
  }
}

/** The trade of an exit; other events have none. */
function shownTrade(
  event: PaperEvent,
  labels: { readonly strategy: string; readonly asset: string; readonly exitMs: number },
): object[] {
  if (event.kind !== 'exit') return [];
  const { trade, position } = event;
  // biome-ignore lint/style/noNonNullAssertion: a position has an id
  const positionId = event.id!;
  const { entryTime } = position as typeof position & { readonly entryTime?: number };
  const ids = { tradeId: derivedUuid(positionId, 'trade'), positionId, entryMs: entryTime ?? labels.exitMs };
  const exits = trade.details?.exits?.map(({ price, size, reason }) => ({ price, size, reason }));
  return [{ ...showTrade(trade, { ...labels, ...ids }), ...(exits && { exits }) }];
}
