import { derivedUuid } from '../../data/hashes/index.js';
import type { DeployedEvent, DeployedProgress } from '../../data/state/index.js';
import { isoTime, isSoldAtOpen, type PaperPosition, type StepBar, step, type Trade } from '../../engine/index.js';
import { showTrade } from '../../research/backtest/index.js';
import type { DeployedDefinition } from './definition.js';

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
export function advance(deployed: DeployedDefinition, held: DeployedProgress, bar: Omit<StepBar, 'index'>): Advance {
  const { config, intervalMs } = deployed;
  const account = structuredClone(held.account);
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
