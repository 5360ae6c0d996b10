import { derivedUuid } from '../../data/hashes/index.js';
import {
  type ExecutionConfig,
  fullConfig,
  isoTime,
  type PaperOrder,
  type SidedPaperAccount,
  type SidedPaperEvent,
  type SidedPaperPosition,
  type SidedPosition,
  type Trade,
  targetPrice,
} from '../../engine/index.js';
import { type Labels, openRecord, orderId, tradeRecord } from './orders.js';
import type { Order, PositionRecord, TradeRecord } from './records.js';

/**
 * Orders, positions and trades of an account that uses sides, margin, working orders, moving levels
 * or guards, from the events of one evaluation.
 */
interface SidedRecords {
  readonly orders: readonly Order[];
  /** Of positions that were open at some time of the evaluation, as they are now. */
  readonly positions: readonly PositionRecord[];
  readonly trades: readonly TradeRecord[];
}

/** A position with what the log knows of it. */
interface Known {
  readonly id: string;
  readonly entryTime: number;
  readonly position: SidedPosition;
  /** From the next bar on; null where there is none. */
  readonly target: number | null;
}

export function sidedRecords(
  events: readonly SidedPaperEvent[],
  account: SidedPaperAccount,
  config: ExecutionConfig,
  labels: Labels,
): SidedRecords {
  const full = fullConfig(config);
  const entered = new Map(
    events.flatMap(({ kind, id, time }) => (kind === 'entry' && id !== null ? [[id, time]] : [])),
  );
  const knownOf = (id: string, position: SidedPosition, bar: number): Known => {
    const target = targetPrice(position, bar, full);
    const { entryTime } = position as Partial<SidedPaperPosition>;
    return {
      ...{ id, position, target: Number.isFinite(target) ? target : null },
      // biome-ignore lint/style/noNonNullAssertion: a position that is not in the account yet was entered now
      entryTime: entryTime ?? entered.get(id)!,
    };
  };
  const next = account.lastBar + 1;
  const isMargined = ({ side }: SidedPosition) => side === 'short' || full.leverage > 1;
  const orders: Order[] = [];
  const positions = new Map<string, PositionRecord>();
  const trades: TradeRecord[] = [];
  const type = full.entry_order === 'limit' ? 'limit' : 'stop';
  for (const [k, event] of events.entries()) {
    const time = isoTime(event.time);
    switch (event.kind) {
      case 'placed':
      case 'expired':
      case 'cancelled':
        orders.push(workingOrder(event.order as PaperOrder, type, account.lastBar, event.kind, time, labels));
        break;
      case 'entry': {
        if (event.id === null) break;
        const known = knownOf(event.id, event.position, next);
        orders.push(entryOrder(known, event.order as PaperOrder | null, type, time, labels));
        orders.push(...brackets(known, labels));
        break;
      }
      case 'levels':
        if (event.id !== null)
          orders.push(...brackets({ ...knownOf(event.id, event.position, next), target: event.target }, labels));
        break;
      case 'sale': {
        if (event.id === null || isClosedBy(events[k + 1], event.id)) break;
        const known = knownOf(event.id, event.position, next);
        orders.push(partialSale(known, event.sale, time, labels));
        if (!events.slice(k + 1).some((later) => later.kind === 'exit' && later.id === event.id)) {
          orders.push(...brackets(known, labels));
        }
        break;
      }
      case 'exit': {
        if (event.id === null) break;
        const known = knownOf(event.id, event.position, next);
        const { trade } = event;
        orders.push(...exitOrders(known, trade, lastSize(trade), time, labels));
        positions.set(event.id, closedRecord(known, trade, time, isMargined(event.position), full.leverage, labels));
        trades.push(sidedTrade(known, trade, event.time, labels));
      }
    }
  }
  for (const position of account.positions) {
    const known = knownOf(position.id, position, next);
    positions.set(position.id, sidedRecord(known, isMargined(position), full.leverage, labels));
  }
  return { orders, positions: [...positions.values()], trades };
}

const isClosedBy = (event: SidedPaperEvent | undefined, id: string): boolean =>
  event?.kind === 'exit' && event.id === id;

const lastSize = ({ size, details }: Trade): number => details?.exits?.at(-1)?.size ?? size;

type Side = Order['side'];

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

/** The resting stop and target of what is left of a position. */
function brackets({ id, entryTime, position, target }: Known, labels: Labels): Order[] {
  const time = isoTime(entryTime);
  const side: Side = `exit_${position.side}`;
  const levels = [
    ['stop_loss', position.stop],
    ['take_profit', target],
  ] as const;
  return levels.flatMap(([order_type, price]): Order[] => {
    if (price === null) return [];
    const history = { created: time, activated: time, filled: null, cancelled: null };
    return [
      {
        ...base(orderId({ id }, order_type), labels, id, position.size),
        side,
        order_type,
        status: 'pending',
        price,
        history,
      },
    ];
  });
}

const typeOf = (reason: Trade['exitReason']): Order['order_type'] => {
  if (reason === 'SL' || reason === 'TRAIL') return 'stop_loss';
  return reason === 'TP' || reason === 'SCALE_OUT' ? 'take_profit' : 'market';
};

function partialSale(
  { id, position }: Known,
  sale: { readonly bar: number; readonly price: number; readonly size: number; readonly reason: Trade['exitReason'] },
  time: string,
  labels: Labels,
): Order {
  const at = position.exits.findIndex(
    ({ bar, price, size }) => bar === sale.bar && price === sale.price && size === sale.size,
  );
  return {
    ...base(derivedUuid(id, 'order', 'sale', at), labels, id, sale.size),
    ...({
      side: `exit_${position.side}`,
      order_type: typeOf(sale.reason),
      status: 'filled',
      price: sale.price,
    } as const),
    history: { created: time, activated: time, filled: time, cancelled: null },
  };
}

/** The order that closed a position, then the brackets that it leaves without one. */
function exitOrders(known: Known, trade: Trade, size: number, time: string, labels: Labels): Order[] {
  const { id, position } = known;
  const type = typeOf(trade.exitReason);
  const price = trade.details?.exits?.at(-1)?.price ?? trade.exitPrice;
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

function sidedRecord(
  { id, entryTime, position, target }: Known,
  isMargined: boolean,
  leverage: number,
  labels: Labels,
): PositionRecord {
  const { entryPrice, size, stop, side, liquidation } = position;
  return {
    ...openRecord({ id, entryPrice, size, entryTime }, stop, target, labels),
    side,
    ...(isMargined && { margin: (size * entryPrice) / leverage, liquidation_price: liquidation }),
  };
}

function closedRecord(
  known: Known,
  trade: Trade,
  time: string,
  isMargined: boolean,
  leverage: number,
  labels: Labels,
): PositionRecord {
  const whole = { ...known, position: { ...known.position, size: trade.size } };
  return {
    ...sidedRecord(whole, isMargined, leverage, labels),
    exit_price: trade.exitPrice,
    value_at_close: trade.exitPrice * trade.size,
    open: false,
    exit_reason: trade.exitReason,
    stop_loss_price: Number.isFinite(trade.stopPrice) ? trade.stopPrice : null,
    take_profit_price: Number.isFinite(trade.targetPrice) ? trade.targetPrice : null,
    exit_timestamp: time,
  };
}

const sidedTrade = ({ id, position }: Known, trade: Trade, time: number, labels: Labels): TradeRecord => ({
  ...tradeRecord(id, trade, time, labels),
  side: `exit_${position.side}`,
  ...(trade.details?.margin && {
    margin: trade.details.margin.amount,
    return_on_margin: trade.details.margin.returnOnMargin,
  }),
});
