import { derivedUuid } from '../../data/hashes/index.js';
import type { DeployedEvent, DeployedProgress } from '../../data/state/index.js';
import {
  isoTime,
  isSidedAccount,
  isSoldAtOpen,
  type PaperAccount,
  type PaperPosition,
  type SidedBar,
  type SidedPaperAccount,
  type SidedPaperEvent,
  type StepBar,
  sidedPaperValue,
  step,
  stepPaper,
  type Trade,
} from '../../engine/index.js';
import { showTrade } from '../../research/backtest/index.js';
import type { DeployedDefinition } from './definition.js';
import type { LongBar, NextBar } from './next-bar.js';

/** The outcome of one bar, without its times. */
interface Advance {
  readonly progress: Omit<DeployedProgress, 'startMs' | 'tickedAtMs'>;
  readonly trades: readonly object[];
  readonly events: readonly DeployedEvent[];
}

/** Step between milestones, percent of the initial balance. */
const MILESTONE_PCT = 5;

/**
 * Takes a strategy through its next bar with the `step` of backtests, so that its trades and
 * account equal those of a backtest over the same bars, to the last bit. `held` is not changed.
 */
export function advance(deployed: DeployedDefinition, held: DeployedProgress, bar: NextBar): Advance {
  const { account } = held;
  if (isSidedAccount(account)) {
    if ('sided' in bar) return advanceSided(deployed, held, account, bar.sided);
  } else if ('long' in bar) return advanceLong(deployed, held, account, bar.long);
  throw new Error(`the account of ${deployed.id} is not that of its definition`);
}

function advanceLong(
  deployed: DeployedDefinition,
  held: DeployedProgress,
  before: PaperAccount,
  bar: LongBar,
): Advance {
  const { config, intervalMs } = deployed;
  const account = structuredClone(before);
  const index = account.lastBar + 1;
  const isWanted = account.pendingEntry !== null;
  const known = new Map(account.positions.map(({ entryBar, id, entryTime }) => [entryBar, { id, entryTime }]));
  const own = { id: derivedUuid('deployed', deployed.id, 'position', index), entryTime: bar.time };
  const { trades, denial, value } = step(account, { ...bar, index, isLast: false }, config);
  account.positions = account.positions.map((position) => kept(position, known.get(position.entryBar) ?? own));
  account.lastBar = index;
  account.lastBarTime = bar.time;

  const originOf = (trade: Trade) => known.get(trade.entryBar) ?? own;
  const log = new EventLog(deployed, value);
  const sales = (atOpen: boolean) => trades.filter(({ exitReason }) => isSoldAtOpen(exitReason) === atOpen);
  for (const trade of sales(true)) log.exit(trade, originOf(trade).id, bar.time);
  if (denial !== null) log.denied(denial, bar);
  else if (isWanted) log.entry(boughtIn(index, account.positions, trades), own.id, bar.time);
  for (const trade of sales(false)) log.exit(trade, originOf(trade).id, bar.time);
  const { highestStep, lowestStep } = log.milestones(held, config.initial_balance, bar.time + intervalMs);

  const labels = { strategy: deployed.name, asset: deployed.asset, exitMs: bar.time };
  const shown = trades.map((trade) => {
    const { id, entryTime } = originOf(trade);
    return showTrade(trade, { ...labels, tradeId: derivedUuid(id, 'trade'), positionId: id, entryMs: entryTime });
  });
  const totalTrades = held.totalTrades + trades.length;
  const progress = { account, accountValue: value, lastPrice: bar.close, totalTrades, highestStep, lowestStep };
  return { progress, trades: shown, events: log.events };
}

/** The same with sides, margin, working orders, moving levels and guards. */
function advanceSided(
  deployed: DeployedDefinition,
  held: DeployedProgress,
  before: SidedPaperAccount,
  bar: SidedBar,
): Advance {
  const { config, intervalMs, id } = deployed;
  const idOf = (index: number, side: 'long' | 'short') =>
    derivedUuid('deployed', id, 'position', index, ...(side === 'short' ? [side] : []));
  const { account, events } = stepPaper(before, { ...bar, isLast: false }, config, idOf);
  const value = sidedPaperValue(account, bar.close, config);
  const log = new EventLog(deployed, value);
  for (const event of events) log.sided(event, bar);
  const { highestStep, lowestStep } = log.milestones(held, config.initial_balance, bar.time + intervalMs);
  const labels = { strategy: deployed.name, asset: deployed.asset, exitMs: bar.time };
  const trades = events.flatMap((event) => {
    if (event.kind !== 'exit') return [];
    const { trade, position } = event;
    // biome-ignore lint/style/noNonNullAssertion: a position has an id
    const positionId = event.id!;
    const { entryTime } = position as typeof position & { readonly entryTime?: number };
    const ids = { tradeId: derivedUuid(positionId, 'trade'), positionId, entryMs: entryTime ?? bar.time };
    const exits = trade.details?.exits?.map(({ price, size, reason }) => ({ price, size, reason }));
    return [{ ...showTrade(trade, { ...labels, ...ids }), ...(exits && { exits }) }];
  });
  const totalTrades = held.totalTrades + trades.length;
  const progress = { account, accountValue: value, lastPrice: bar.close, totalTrades, highestStep, lowestStep };
  return { progress, trades, events: log.events };
}

/** Makes a position storable: JSON has no infinity. */
const kept = (
  position: Omit<PaperPosition, 'id' | 'entryTime'>,
  origin: Pick<PaperPosition, 'id' | 'entryTime'>,
): PaperPosition => ({ ...position, ...origin, targetPrice: Math.min(position.targetPrice, Number.MAX_VALUE) });

/** The entry of a bar, which may have been closed within the same bar. */
const boughtIn = (index: number, positions: readonly PaperPosition[], trades: readonly Trade[]) =>
  // biome-ignore lint/style/noNonNullAssertion: the bar entered, so one of the two holds its trade
  positions.find(({ entryBar }) => entryBar === index) ?? trades.find(({ entryBar }) => entryBar === index)!;

/** Events of one bar, in the order in which they happened. */
class EventLog {
  readonly events: DeployedEvent[] = [];

  constructor(
    private readonly deployed: DeployedDefinition,
    private readonly accountValue: number,
  ) {}

  entry({ entryPrice, size }: Pick<PaperPosition, 'entryPrice' | 'size'>, positionId: string, timeMs: number): void {
    const fill = { side: 'enter_long', price: entryPrice, position_size: size, position_id: positionId } as const;
    this.#add('fill', timeMs, fill);
  }

  /** Logs the fill and the reason for it. */
  exit(trade: Trade, positionId: string, timeMs: number): void {
    const sale = {
      side: 'exit_long',
      price: trade.exitPrice,
      position_size: trade.size,
      position_id: positionId,
      profit_loss: trade.profitLoss,
    } as const;
    this.#add('fill', timeMs, sale);
    this.#add('exit_reason', timeMs, { ...sale, reason: trade.exitReason, exit_reason: trade.exitReason });
  }

  denied(reason: NonNullable<DeployedEvent['reason']>, { time, open }: Pick<StepBar, 'time' | 'open'>): void {
    this.#add('signal', time, { side: 'enter_long', price: open, reason });
  }

  /** What happened to an account of both sides; what its close decided is told when it happens. */
  sided(event: SidedPaperEvent, { open }: Pick<SidedBar, 'open'>): void {
    const { id, time } = event;
    const at = id === null ? {} : { position_id: id };
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
        const sale = { ...this.events.pop(), profit_loss: event.trade.profitLoss } as DeployedEvent;
        const reason = event.trade.exitReason;
        this.events.push(sale, { ...sale, type: 'exit_reason', reason, exit_reason: reason });
        return;
      }
      case 'denial':
        this.#add('signal', time, { side: `enter_${event.side}`, price: open, reason: event.reason });
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
        const type = this.deployed.config.entry_order === 'limit' ? 'limit' : 'stop';
        const order = { order_type: type, order_status: event.kind, ...(id !== null && { order_id: id }) } as const;
        this.#add('order', time, { side: `enter_${side}`, price: level, ...order });
      }
    }
  }

  /** Each multiple of the step counts when it is first reached. */
  milestones({ highestStep: highest, lowestStep: lowest }: DeployedProgress, initialBalance: number, timeMs: number) {
    const levelOf = (step: number) => initialBalance * (1 + (step * MILESTONE_PCT) / 100);
    let [highestStep, lowestStep] = [highest, lowest];
    const reached = (step: number) =>
      this.#add('milestone', timeMs, {
        milestone: { metric: 'account_value', change: (step * MILESTONE_PCT) / 100 },
      });
    while (this.accountValue >= levelOf(highestStep + 1)) reached(++highestStep);
    while (this.accountValue <= levelOf(lowestStep - 1)) reached(--lowestStep);
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
