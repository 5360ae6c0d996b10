import { derivedUuid } from '../../data/hashes/index.js';
import {
  type ExecutionConfig,
  type FullConfig,
  fullConfig,
  type PaperAccount,
  type PaperEvent,
  type PaperOrder,
  type PaperPosition,
  type PartExit,
  type Position,
  type Trade,
  targetPrice,
} from '../../engine/execution/index.js';
import { isoTime } from '../../engine/series/index.js';
import type { HeldPosition } from './open-positions.js';
import type { Order, PositionRecord, TradeRecord } from './stored.js';

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

/** Orders, positions and trades of an account, from the events of one evaluation. */
interface Records {
  /** In the order in which they happened. */
  readonly orders: readonly Order[];
  /** Of positions that were opened, changed or closed, as they are now. */
  readonly positions: readonly PositionRecord[];
  readonly trades: readonly TradeRecord[];
}

/** A position with what the log knows of it. */
interface Known {
  readonly id: string;
  readonly entryTime: number;
  readonly position: Position;
  /** From the next bar on; null where there is none. */
  readonly target: number | null;
}

export function toRecords(
  events: readonly PaperEvent[],
  account: PaperAccount,
  config: ExecutionConfig,
  labels: Labels,
): Records {
  const full = fullConfig(config);
  const entered = new Map(
    events.flatMap(({ kind, id, time }) => (kind === 'entry' && id !== null ? [[id, time]] : [])),
  );
  const known = (id: string, position: Position): Known => {
    const { entryTime } = position as Partial<PaperPosition>;
    // biome-ignore lint/style/noNonNullAssertion: a position that is not in the account yet was entered now
    return { id, position, entryTime: entryTime ?? entered.get(id)!, target: targetAfter(account, position, full) };
  };
  const orders: Order[] = [];
  const positions = new Map<string, PositionRecord>();
  const trades: TradeRecord[] = [];
  const type = full.entry_order === 'limit' ? 'limit' : 'stop';
  for (const [k, event] of events.entries()) {
    const time = isoTime(event.time);
    if (event.id === null) continue;
    switch (event.kind) {
      case 'placed':
      case 'expired':
      case 'cancelled':
        orders.push(workingOrder(event.order as PaperOrder, type, account.lastBar, event.kind, time, labels));
        break;
      case 'entry': {
        const bought = known(event.id, event.position);
        orders.push(entryOrder(bought, event.order as PaperOrder | null, type, time, labels));
        orders.push(...brackets(bought, labels));
        break;
      }
      case 'levels':
        orders.push(...brackets({ ...known(event.id, event.position), target: event.target }, labels));
        break;
      case 'sale': {
        if (isClosedBy(events[k + 1], event.id)) break;
        const left = known(event.id, event.position);
        orders.push(partialSale(left, event.sale, time, labels));
        if (!events.slice(k + 1).some((later) => later.kind === 'exit' && later.id === event.id)) {
          orders.push(...brackets(left, labels));
        }
        break;
      }
      case 'exit': {
        const sold = known(event.id, event.position);
        const { trade } = event;
        orders.push(...exitOrders(sold, trade, time, labels));
        const whole = { ...sold, position: { ...sold.position, size: trade.size } };
        const record = positionRecord(whole, account, full, labels);
        positions.set(event.id, closedRecord(record, trade, time));
        trades.push(tradeRecord(sold, trade, event.time, labels));
      }
    }
  }
  const touched = new Set(events.map(({ id }) => id));
  for (const position of account.positions) {
    if (!touched.has(position.id)) continue;
    positions.set(position.id, positionRecord(known(position.id, position), account, full, labels));
  }
  return { orders, positions: [...positions.values()], trades };
}

/** The open positions with their resting orders, for a caller that keeps them. */
export const openPositions = (account: PaperAccount, config: ExecutionConfig, labels: Labels): PositionRecord[] =>
  account.positions.map((position) => {
    const { id, entryTime } = position;
    const full = fullConfig(config);
    const known = { id, entryTime, position, target: targetAfter(account, position, full) };
    return { ...positionRecord(known, account, full, labels), orders: brackets(known, labels) };
  });

/** The target from the next bar on; null where there is none. */
function targetAfter({ lastBar }: PaperAccount, position: Position, config: FullConfig): number | null {
  const target = targetPrice(position, lastBar + 1, config);
  return Number.isFinite(target) ? target : null;
}

const isClosedBy = (event: PaperEvent | undefined, id: string): boolean => event?.kind === 'exit' && event.id === id;

/** Ids derive from the position's id, so an order has the same id in every evaluation. */
const orderId = ({ id }: { readonly id: string }, kind: string): string => derivedUuid(id, 'order', kind);

const base = (id: string, { asset }: Labels, position_id: string, position_size: number) => ({
  ...{ id, order_id: id, asset, position_size, position_id },
});

/** An entry order that rests, or has ended without a fill. It is sized when it fills. */
function workingOrder(
  { id, side, level, lastBar, placedTime }: PaperOrder,
  order_type: 'limit' | 'stop',
  bar: number,
  kind: 'placed' | 'expired' | 'cancelled',
  time: string,
  labels: Labels,
): Order {
  const created = isoTime(placedTime);
  const isPending = kind === 'placed';
  return {
    ...base(id, labels, id, 0),
    ...({ side: `enter_${side}`, order_type, status: isPending ? 'pending' : 'cancelled', price: level } as const),
    history: { created, activated: created, filled: null, cancelled: isPending ? null : time },
    ...(isPending && { bars_left: lastBar - bar }),
  };
}

function entryOrder(
  { id, position, target }: Known,
  order: PaperOrder | null,
  type: 'limit' | 'stop',
  time: string,
  labels: Labels,
): Order {
  const created = order === null ? time : isoTime(order.placedTime);
  return {
    ...base(order === null ? orderId({ id }, 'entry') : order.id, labels, id, position.firstSize),
    ...({ side: `enter_${position.side}`, order_type: order === null ? 'market' : type, status: 'filled' } as const),
    price: position.entryPrice,
    stop_loss_price: position.stop,
    take_profit_price: target,
    history: { created, activated: created, filled: time, cancelled: null },
  };
}

/** The resting stop and target of the rest of a position; a missing level has no order. */
function brackets({ id, entryTime, position, target }: Known, labels: Labels): Order[] {
  const time = isoTime(entryTime);
  const side: Order['side'] = `exit_${position.side}`;
  const given = labels.held.get(id);
  const levels = [
    ['stop_loss', position.stop, given?.stop_order_id],
    ['take_profit', target, given?.target_order_id],
  ] as const;
  return levels.flatMap(([order_type, price, ownId]): Order[] => {
    if (price === null) return [];
    const order = base(ownId ?? orderId({ id }, order_type), labels, id, position.size);
    const history = { created: time, activated: time, filled: null, cancelled: null };
    return [{ ...order, side, order_type, status: 'pending', price, history }];
  });
}

const orderType = (reason: Trade['exitReason']): Order['order_type'] => {
  if (reason === 'SL' || reason === 'TRAIL') return 'stop_loss';
  return reason === 'TP' || reason === 'SCALE_OUT' ? 'take_profit' : 'market';
};

function partialSale({ id, position }: Known, sale: PartExit, time: string, labels: Labels): Order {
  const at = position.exits.findIndex(
    ({ bar, price, size }) => bar === sale.bar && price === sale.price && size === sale.size,
  );
  return {
    ...base(derivedUuid(id, 'order', 'sale', at), labels, id, sale.size),
    ...({
      side: `exit_${position.side}`,
      order_type: orderType(sale.reason),
      status: 'filled',
      price: sale.price,
    } as const),
    history: { created: time, activated: time, filled: time, cancelled: null },
  };
}

/** The order that closed a position, then the brackets that it leaves without one. */
function exitOrders(known: Known, trade: Trade, time: string, labels: Labels): Order[] {
  const { id, position } = known;
  const type = orderType(trade.exitReason);
  const { size, price } = trade.details?.exits?.at(-1) ?? { size: trade.size, price: trade.exitPrice };
  const resting = brackets({ ...known, position: { ...position, size } }, labels);
  const filled = resting.filter(({ order_type }) => order_type === type);
  const sale: Order = {
    ...base(orderId({ id }, 'exit'), labels, id, size),
    ...({ side: `exit_${position.side}`, order_type: type, status: 'filled', price } as const),
    history: { created: time, activated: time, filled: time, cancelled: null },
  };
  return [
    ...(filled.length === 0
      ? [sale]
      : filled.map(
          (order): Order => ({ ...order, status: 'filled', price, history: { ...order.history, filled: time } }),
        )),
    ...resting
      .filter(({ order_type }) => order_type !== type)
      .map((order): Order => ({ ...order, status: 'cancelled', history: { ...order.history, cancelled: time } })),
  ];
}

/** An open position as it stands. */
function positionRecord(
  { id, entryTime, position, target }: Known,
  { isPlain }: PaperAccount,
  { leverage }: FullConfig,
  labels: Labels,
): PositionRecord {
  const { entryPrice, size, stop, side, liquidation } = position;
  const given = labels.held.get(id);
  const time = isoTime(entryTime);
  const isMargined = side === 'short' || leverage > 1;
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
    ...(isPlain !== true && { side }),
    ...(isMargined && { margin: (size * entryPrice) / leverage, liquidation_price: liquidation }),
  };
}

const closedRecord = (record: PositionRecord, trade: Trade, time: string): PositionRecord => ({
  ...record,
  exit_price: trade.exitPrice,
  value_at_close: trade.exitPrice * trade.size,
  open: false,
  exit_reason: trade.exitReason,
  stop_loss_price: Number.isFinite(trade.stopPrice) ? trade.stopPrice : null,
  take_profit_price: Number.isFinite(trade.targetPrice) ? trade.targetPrice : null,
  exit_timestamp: time,
});

/** A closed trade. Trades of plain accounts have no details, and tell no side. */
function tradeRecord({ id, position }: Known, trade: Trade, time: number, labels: Labels): TradeRecord {
  const { details } = trade;
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
    ...(details && { side: `exit_${position.side}` }),
    ...(details?.margin && { margin: details.margin.amount, return_on_margin: details.margin.returnOnMargin }),
  };
}
