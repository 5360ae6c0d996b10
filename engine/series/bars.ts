/**
 * A series of bars as columns. A bar's time is its open time; the bar closes `intervalMs` later.
 *
 * The columns of a series lie side by side in one SharedArrayBuffer, so a series crosses threads
 * without a copy. In a process that loads few series, the buffer belongs to a WebAssembly memory,
 * and kernels read it in place. In a process that keeps loading new series, it is a buffer that is
 * freed once nothing refers to the series. docs/adr/0015 says which code owns which.
 */

import { ColumnMemory, columnBytes } from './column-memory.js';

/** Chain and DeFi columns of the signal library; a cell without an observation is NaN. */
export const onchainColumns = [
  'SmartMoneyNetflow',
  'SmartMoneyHoldings',
  'ExchangeNetflow',
  'WhaleNetInflow',
  'HolderConcentration',
  'TokenUnlockPressure',
  'PerpFundingRate',
  'EtfNetFlow',
  'TreasuryUsd',
  'LendingRateSpread',
] as const;

export type OnchainColumn = (typeof onchainColumns)[number];

/**
 * The column of a perpetual that holders pay by: the sum of the funding rates settled in a bar,
 * after its open and up to its close, as a fraction of the notional; 0 where none was settled, NaN
 * where none is known.
 */
export const FUNDING_COLUMN = 'FundingSettled';

/** How many columns a series may have beside time, prices and volume. */
export const EXTRA_COLUMNS_MAX = 64;

export const COLUMN_NAME_RULE = 'a letter, then up to 63 letters, digits and underscores';

/**
 * Whether a column beside the bars may have this name. It begins with a letter, so it is never
 * `__proto__`, and it is no name of a time or price.
 */
export const isColumnName = (name: string): boolean =>
  /^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name) && !/^(time|timestamp|open|high|low|close|volume)$/i.test(name);

/** The fixed order of columns: the chain columns as listed, then the others by name. */
export function inColumnOrder(names: Iterable<string>): string[] {
  const rank = (name: string) => {
    const index = (onchainColumns as readonly string[]).indexOf(name);
    return index === -1 ? onchainColumns.length : index;
  };
  return [...names].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0));
}

export const priceColumns = ['open', 'high', 'low', 'close', 'volume'] as const;
export type PriceColumn = (typeof priceColumns)[number];

export interface BarSeries {
  readonly intervalMs: number;
  readonly barCount: number;
  /** Open time, epoch milliseconds UTC, ascending. */
  readonly time: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  /** In the base asset. */
  readonly volume: Float64Array;
  /**
   * Further columns of the data by name, in `inColumnOrder`: chain columns and any others. A value
   * is known at the close of its bar; a cell without a value is NaN.
   */
  readonly columns: Readonly<Record<string, Float64Array>>;
  /**
   * The columns that repeat the last value of a slower source. A coarse bar takes their last value
   * also where it would sum a flow.
   */
  readonly carried: readonly string[];
}

/** Allocates `columnCount` columns of `length` values each. */
export type AllocateColumns = (columnCount: number, length: number) => Float64Array[];

/**
 * Zeroed columns in a new memory of their own. For processes that hold few series: the runtime
 * hardly ever frees such a memory.
 */
export const allocateColumns: AllocateColumns = (columnCount, length) => {
  const memory = ColumnMemory.create(columnCount * columnBytes(length));
  return Array.from({ length: columnCount }, () => memory.allocate(length));
};

/**
 * Ordinary arrays: freed like any other object, copied when sent to a thread, and out of reach of
 * the kernels.
 */
export const plainColumns: AllocateColumns = (columnCount, length) =>
  Array.from({ length: columnCount }, () => new Float64Array(length));

/**
 * A series of `barCount` bars for a loader to fill.
 * @param columnNames further columns, in any order
 * @param allocate makes the columns; by default zeroed and in a memory of their own
 * @param carried the further columns that repeat the values of a slower source
 */
export function allocateBars(
  barCount: number,
  intervalMs: number,
  columnNames: Iterable<string> = [],
  allocate: AllocateColumns = allocateColumns,
  carried: readonly string[] = [],
): BarSeries {
  const names = inColumnOrder(columnNames);
  const allocated = allocate(6 + names.length, barCount);
  const [time, open, high, low, close, volume] = allocated;
  const columns = Object.fromEntries(names.map((name, i) => [name, allocated[6 + i]]));
  return { intervalMs, barCount, time, open, high, low, close, volume, columns, carried };
}

/** Bars `from` (inclusive) to `to` (exclusive) as views of the same memory; nothing is copied. */
export function sliceBars(bars: BarSeries, from: number, to: number): BarSeries {
  const cut = (column: Float64Array) => column.subarray(from, to);
  return {
    intervalMs: bars.intervalMs,
    barCount: Math.max(0, Math.min(to, bars.barCount) - from),
    time: cut(bars.time),
    open: cut(bars.open),
    high: cut(bars.high),
    low: cut(bars.low),
    close: cut(bars.close),
    volume: cut(bars.volume),
    columns: Object.fromEntries(Object.entries(bars.columns).map(([name, column]) => [name, cut(column)])),
    carried: bars.carried,
  };
}

/** Open time of the first bar; NaN where there are no bars. */
export const openOfFirst = ({ time, barCount }: BarSeries): number => (barCount === 0 ? NaN : time[0]);

/** Time at which the last bar closes; NaN where there are no bars. */
export const closeOfLast = ({ time, barCount, intervalMs }: BarSeries): number =>
  barCount === 0 ? NaN : time[barCount - 1] + intervalMs;

/** One bar as an object, for replies that list bars; the engine itself reads columns. */
export const barAt = (bars: BarSeries, i: number): Readonly<Record<'time' | PriceColumn, number>> => ({
  time: bars.time[i],
  open: bars.open[i],
  high: bars.high[i],
  low: bars.low[i],
  close: bars.close[i],
  volume: bars.volume[i],
});

/** Index of the first bar that opens at or after `timeMs`, or barCount. */
export function firstBarFrom({ time, barCount }: BarSeries, timeMs: number): number {
  let from = 0;
  let to = barCount;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (time[middle] < timeMs) from = middle + 1;
    else to = middle;
  }
  return from;
}

/**
 * Index of the first bar after `from` that opens at or after `timeMs`, or barCount. It starts from
 * a guess, which is right where no bar is missing.
 */
export function nextBarFrom({ time, barCount, intervalMs }: BarSeries, timeMs: number, from: number): number {
  let next = Math.max(from + 1, Math.min(from + Math.ceil((timeMs - time[from]) / intervalMs), barCount));
  while (next > from + 1 && time[next - 1] >= timeMs) next--;
  while (next < barCount && time[next] < timeMs) next++;
  return next;
}

/** Number of entries of the ascending list `bars` that are at most `bar`. */
export function countUpTo(bars: Int32Array, bar: number): number {
  let from = 0;
  let to = bars.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (bars[middle] <= bar) from = middle + 1;
    else to = middle;
  }
  return from;
}
