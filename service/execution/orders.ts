import { derivedUuid } from '../../data/hashes/index.js';
import { type EvaluationEvent, isoTime, type PaperPosition, type Trade } from '../../engine/index.js';
import type { HeldPosition } from './open-positions.js';
import type { Order, PositionRecord, TradeRecord } from './records.js';

/** The owner and names to put on orders, positions and trades. */
export interface Labels {
  readonly userId: string;
  readonly orgId: string;
  readonly accountId: string;
  readonly strategyId: string | null;
  readonly strategyName: string | null;
  /** As the strategy spells it. */
  readonly asset: string;
  /** The caller's own labels of the positions that it keeps, by position id. */
  readonly held: ReadonlyMap<string, HeldPosition['labels']>;
}

/**
 * The events of an evaluation as orders, in the order in which they happened. An entry is a filled
 * market order and its two resting brackets; an exit is the filled order, then the cancelled ones.
 */
export const ordersOf = (events: readonly EvaluationEvent[], labels: Labels): Order[] =>
  events.flatMap((event) => {
    if (event.kind === 'denial') return [];
    const { position } = event;
    const time = isoTime(event.time);
    if (event.kind === 'entry') return [entryOrder(position, labels), ...restingOrders(position, labels)];
    return exitOrders(position, event.trade, time, labels);
  });

/** The brackets of an open position; a missing level has no order. */
export const restingOrders = (position: PaperPosition, labels: Labels): Order[] =>
  [bracket('stop_loss', position, labels), bracket('take_profit', position, labels)].filter((order) => order !== null);

/** Ids derive from the position's id, so an order has the same id in every evaluation. */
export const orderId = (position: Pick<PaperPosition, 'id'>, kind: string): string =>
  derivedUuid(position.id, 'order', kind);

const order = (id: string, position: PaperPosition, asset: string) => ({
  id,
  order_id: id,
  asset,
  position_size: position.size,
  position_id: position.id,
});

function entryOrder(position: PaperPosition, { asset }: Labels): Order {
  const time = isoTime(position.entryTime);
  return {
    ...order(orderId(position, 'entry'), position, asset),
    side: 'enter_long',
    order_type: 'market',
    status: 'filled',
    price: position.entryPrice,
    stop_loss_price: stopOf(position),
    take_profit_price: targetOf(position),
    history: { created: time, activated: time, filled: time, cancelled: null },
  };
}

function bracket(type: 'stop_loss' | 'take_profit', position: PaperPosition, labels: Labels): Order | null {
  const isStop = type === 'stop_loss';
  const price = isStop ? stopOf(position) : targetOf(position);
  if (price === null) return null;
  const given = labels.held.get(position.id);
  const id = (isStop ? given?.stop_order_id : given?.target_order_id) ?? orderId(position, type);
  const time = isoTime(position.entryTime);
  return {
    ...order(id, position, labels.asset),
    side: 'exit_long',
    order_type: type,
    status: 'pending',
    price,
    history: { created: time, activated: time, filled: null, cancelled: null },
  };
}

function exitOrders(position: PaperPosition, { exitReason, exitPrice }: Trade, time: string, labels: Labels): Order[] {
  const filledType = exitReason === 'SL' ? 'stop_loss' : exitReason === 'TP' ? 'take_profit' : 'market';
  const filled: Order[] = [];
  const cancelled: Order[] = [];
  for (const resting of restingOrders(position, labels)) {
    const { history } = resting;
    if (resting.order_type === filledType) {
      filled.push({ ...resting, status: 'filled', price: exitPrice, history: { ...history, filled: time } });
    } else cancelled.push({ ...resting, status: 'cancelled', history: { ...history, cancelled: time } });
  }
  if (filledType === 'market') {
    filled.push({
      ...order(orderId(position, 'exit'), position, labels.asset),
      side: 'exit_long',
      order_type: 'market',
      status: 'filled',
      price: exitPrice,
      history: { created: time, activated: time, filled: time, cancelled: null },
    });
  }
  return [...filled, ...cancelled];
}

const stopOf = ({ stopPrice }: PaperPosition): number | null => (stopPrice > 0 ? stopPrice : null);
const targetOf = ({ targetPrice }: PaperPosition): number | null => (Number.isFinite(targetPrice) ? targetPrice : null);

export const positionRecord = (position: PaperPosition, labels: Labels): PositionRecord =>
  openRecord(position, stopOf(position), targetOf(position), labels);

/** An open position of either kind of account, as it stands. */
export function openRecord(
  { id, entryPrice, size, entryTime }: Pick<PaperPosition, 'id' | 'entryPrice' | 'size' | 'entryTime'>,
  stop: number | null,
  target: number | null,
  labels: Labels,
): PositionRecord {
  const given = labels.held.get(id);
  const time = isoTime(entryTime);
  return {
    id,
    org_id: labels.orgId,
    user_id: labels.userId,
    account_id: given?.account_id ?? labels.accountId,
    strategy_id: given?.strategy_id ?? labels.strategyId,
    asset: labels.asset,
    exchange: given?.exchange ?? null,
    entry_price: entryPrice,
    exit_price: null,
    position_size: size,
    cost: entryPrice * size,
    value_at_close: null,
    open: true,
    exit_reason: null,
    stop_loss_price: stop,
    take_profit_price: target,
    created_at: given?.created_at ?? time,
    entry_timestamp: time,
    exit_timestamp: null,
  };
}

type Exit = Extract<EvaluationEvent, { kind: 'exit' }>;

export function closedPositionRecord({ position, trade, time }: Exit, labels: Labels): PositionRecord {
  return {
    ...positionRecord(position, labels),
    exit_price: trade.exitPrice,
    value_at_close: trade.exitPrice * trade.size,
    open: false,
    exit_reason: trade.exitReason,
    exit_timestamp: isoTime(time),
  };
}

/** A closed trade of either kind of account. @param id of its position */
export function tradeRecord(id: string, trade: Trade, time: number, labels: Labels): TradeRecord {
  return {
    id: derivedUuid(id, 'trade'),
    org_id: labels.orgId,
    user_id: labels.userId,
    account_id: labels.accountId,
    position_id: id,
    strategy_id: labels.strategyId,
    strategy_name: labels.strategyName,
    outcome: trade.profitLoss > 0 ? 'win' : 'loss',
    profit_loss: trade.profitLoss,
    profit_loss_pct: trade.profitLossPct,
    asset: labels.asset,
    exchange: null,
    entry_price: trade.entryPrice,
    exit_price: trade.exitPrice,
    position_size: trade.size,
    beginning_balance: trade.beginningBalance,
    ending_balance: trade.endingBalance,
    closed_at: isoTime(time),
  };
}
