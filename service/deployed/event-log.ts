import { derivedUuid } from '../../data/hashes/index.js';
import type { ExecutionConfig, PaperEvent, Trade } from '../../engine/execution/index.js';
import { isoTime } from '../../engine/series/index.js';
import { showTrade } from '../../research/backtest/index.js';
import type { Deployed } from './definition.js';
import type { DeployedEvent, DeployedProgress } from './stored.js';

/** The outcome of one bar, without its times. */
export interface Advance {
  readonly progress: Omit<DeployedProgress, 'startMs' | 'tickedAtMs'>;
  readonly trades: readonly object[];
  readonly events: readonly DeployedEvent[];
}

/** Step between milestones, percent of the initial balance. */
const MILESTONE_PCT = 5;

/** The member of a portfolio that an event is about. */
type MemberOf = Pick<DeployedEvent, 'asset' | 'member'>;

/** Events of one bar, in the order in which they happened. */
export class EventLog {
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
export function shownTrade(
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
