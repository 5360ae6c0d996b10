import { normaliseAsset } from '../../data/bars/index.js';
import {
  type ExecutionConfig,
  fromLongLevels,
  openPaperAccount,
  type PaperAccount,
  type PaperPosition,
  type Position,
} from '../../engine/execution/index.js';
import { type BarSeries, DAY_MS, firstBarFrom } from '../../engine/series/index.js';
import {
  AMOUNT_MAX,
  invalid,
  own,
  readArray,
  readNumber,
  readRecord,
  readText,
  readTime,
  required,
} from './definition.js';

/** Most positions that a caller keeps and sends with each evaluation. */
const POSITIONS_MAX = 1000;

export interface HeldPosition {
  readonly id: string;
  /** Epoch ms. */
  readonly entryTime: number;
  readonly entryPrice: number;
  readonly size: number;
  /** 0 without a stop, Infinity without a target: prices that are never reached. */
  readonly stopPrice: number;
  readonly targetPrice: number;
  /** Levels that the position and its resting order give differently. */
  readonly warnings: readonly string[];
  /** Returned as they were sent. */
  readonly labels: {
    readonly account_id: string | null;
    readonly strategy_id: string | null;
    readonly exchange: string | null;
    readonly created_at: string | null;
    readonly stop_order_id: string | null;
    readonly target_order_id: string | null;
  };
}

/**
 * Reads the positions that an earlier answer listed, oldest first. Closed positions are left out.
 * @param newId makes ids for positions without one
 * @throws MISSING_FIELD, VALIDATION_ERROR: prices and sizes must be above 0, ids distinct, and the
 * asset the strategy's
 */
export function readOpenPositions(
  value: unknown,
  field: string,
  baseAsset: string,
  newId: () => string,
): readonly HeldPosition[] {
  const items = readArray(value, field, POSITIONS_MAX) ?? [];
  const ids = new Set<string>();
  const positions = items.flatMap((item, i) => {
    const position = readPosition(item, `${field}[${i}]`, baseAsset, newId);
    if (position === null) return [];
    if (ids.has(position.id)) throw invalid(`${field}[${i}].id`, 'different from the ids before it', position.id);
    ids.add(position.id);
    return [position];
  });
  return positions.sort((a, b) => a.entryTime - b.entryTime);
}

function readPosition(json: unknown, field: string, baseAsset: string, newId: () => string): HeldPosition | null {
  const record = readRecord(json, field);
  if (own(record, 'open') === false) return null;
  const asset = readText(own(record, 'asset'), `${field}.asset`);
  if (asset !== undefined && normaliseAsset(asset) !== baseAsset) {
    throw invalid(`${field}.asset`, `${baseAsset}, the asset of the strategy`, asset);
  }
  const amount = (key: string) => readNumber(own(record, key), `${field}.${key}`, { above: 0, max: AMOUNT_MAX });
  const text = (key: string) => readText(own(record, key), `${field}.${key}`) ?? null;
  const stop = restingOrder(own(record, 'orders'), `${field}.orders`, 'stop_loss');
  const target = restingOrder(own(record, 'orders'), `${field}.orders`, 'take_profit');
  const warnings: string[] = [];
  // The position and its resting order show one level. Where a caller changed one of them, the level
  // that the price reaches first counts, so that a tightened stop acts wherever it was written.
  const level = (
    key: string,
    order: number | undefined,
    first: (...prices: number[]) => number,
  ): number | undefined => {
    const price = amount(key);
    if (price === undefined || order === undefined || price === order) return price ?? order;
    const taken = first(price, order);
    warnings.push(`${field}.${key} is ${price} and the price of its order ${order}: ${taken} counts`);
    return taken;
  };
  return {
    id: text('id') ?? newId(),
    entryTime: required(
      readTime(own(record, 'entry_timestamp'), `${field}.entry_timestamp`),
      `${field}.entry_timestamp`,
    ),
    entryPrice: required(amount('entry_price'), `${field}.entry_price`),
    size: required(amount('position_size'), `${field}.position_size`),
    stopPrice: level('stop_loss_price', stop.price, Math.max) ?? 0,
    targetPrice: level('take_profit_price', target.price, Math.min) ?? Infinity,
    warnings,
    labels: {
      account_id: text('account_id'),
      strategy_id: text('strategy_id'),
      exchange: text('exchange'),
      created_at: text('created_at'),
      stop_order_id: stop.id,
      target_order_id: target.id,
    },
  };
}

const RESTING_ORDERS_MAX = 20;

/**
 * Id and price of the pending order of one type, if the caller lists it; the order keeps its id
 * when it fills.
 */
function restingOrder(value: unknown, field: string, type: 'stop_loss' | 'take_profit') {
  const orders = (readArray(value, field, RESTING_ORDERS_MAX) ?? []).map((order, i) =>
    readRecord(order, `${field}[${i}]`),
  );
  const at = orders.findIndex((order) => own(order, 'order_type') === type && own(order, 'status') === 'pending');
  const order = orders[at] ?? {};
  return {
    id: readText(own(order, 'id') ?? own(order, 'order_id'), `${field}[${at}].id`) ?? null,
    price: readNumber(own(order, 'price'), `${field}[${at}].price`, { above: 0 }),
  };
}

/**
 * The account that consists of these positions and this cash. The bars that it has seen are
 * unknown, which does no harm: a position that a bar closed is no longer listed. Past losses are
 * unknown too, so no cooldown applies.
 */
export function accountOfPositions(
  held: readonly HeldPosition[],
  cash: number,
  bars: BarSeries,
  config: ExecutionConfig,
): PaperAccount {
  const positions = held.map((position) => paperPosition(position, bars, config));
  const days = held.map(({ entryTime }) => Math.floor(entryTime / DAY_MS));
  const entryDay = Math.max(-1, ...days);
  const invested = (sum: number, { entryPrice, size, entryFee }: Position) => sum + size * entryPrice + entryFee;
  return {
    ...openPaperAccount(config, { isPlain: true, cash }),
    purse: { cash, realizedBalance: positions.reduce(invested, cash) },
    positions,
    entryDay,
    entriesOnDay: days.filter((day) => day === entryDay).length,
  };
}

function paperPosition(held: HeldPosition, bars: BarSeries, config: ExecutionConfig): PaperPosition {
  const { id, entryTime, entryPrice, size, stopPrice, targetPrice } = held;
  return fromLongLevels({
    id,
    entryTime,
    entryPrice,
    size,
    stopPrice,
    targetPrice,
    entryBar: barAt(bars, entryTime),
    entryFee: config.fee_pct * size * entryPrice,
    slippageCost: 0, // unknown, and not shown for such positions
    scheduledReason: null,
  });
}

/** Index of the bar at a time: the first that closes later, which may still be forming. */
export const barAt = (bars: BarSeries, timeMs: number): number => firstBarFrom(bars, timeMs - bars.intervalMs + 1);
