/**
 * A series of bars as columns. Every bar is named by its open time and closes `intervalMs` later.
 *
 * The columns of one series live side by side in one SharedArrayBuffer, so that a series crosses
 * threads without a copy: that of a WebAssembly memory, in which kernels read it in place, or one
 * that is freed as soon as nothing refers to the series, in a process that reads ever other series.
 * docs/adr/0004 says which is whose.
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
  /** Present only for columns that the data has. */
  readonly onchain: Readonly<Partial<Record<OnchainColumn, Float64Array>>>;
}

/** Makes so many columns of `length` values. */
export type AllocateColumns = (columnCount: number, length: number) => Float64Array[];

/**
 * Zeroed columns in one memory of their own, for a process that holds few series: such a memory is
 * hardly ever freed.
 */
export const allocateColumns: AllocateColumns = (columnCount, length) => {
  const memory = ColumnMemory.create(columnCount * columnBytes(length));
  return Array.from({ length: columnCount }, () => memory.allocate(length));
};

/**
 * Ordinary arrays: freed like any other object, copied where they go to a thread, out of the reach
 * of the kernels.
 */
export const plainColumns: AllocateColumns = (columnCount, length) =>
  Array.from({ length: columnCount }, () => new Float64Array(length));

/**
 * An empty series of `barCount` zeroed bars, for a loader to fill.
 * @param allocate other than columns in a memory of their own
 */
export function allocateBars(
  barCount: number,
  intervalMs: number,
  onchainNames: readonly OnchainColumn[] = [],
  allocate: AllocateColumns = allocateColumns,
): BarSeries {
  const columns = allocate(6 + onchainNames.length, barCount);
  const [time, open, high, low, close, volume] = columns;
  const onchain = Object.fromEntries(onchainNames.map((name, i) => [name, columns[6 + i]]));
  return { intervalMs, barCount, time, open, high, low, close, volume, onchain };
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
    onchain: Object.fromEntries(Object.entries(bars.onchain).map(([name, column]) => [name, cut(column)])),
  };
}

/** Open time of the first bar; NaN where there are no bars. */
export const openOfFirst = ({ time, barCount }: BarSeries): number => (barCount === 0 ? NaN : time[0]);

/** Time at which the last bar closes; NaN where there are no bars. */
export const closeOfLast = ({ time, barCount, intervalMs }: BarSeries): number =>
  barCount === 0 ? NaN : time[barCount - 1] + intervalMs;

/** One bar by itself, for an answer that lists bars; the engine reads columns. */
export const barAt = (bars: BarSeries, i: number): Readonly<Record<'time' | PriceColumn, number>> => ({
  time: bars.time[i],
  open: bars.open[i],
  high: bars.high[i],
  low: bars.low[i],
  close: bars.close[i],
  volume: bars.volume[i],
});

/** Index of the first bar that opens at or after `timeMs`; barCount when there is none. */
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
 * First bar after `from` that opens at or after `timeMs`. Where no bar is missing the first guess
 * is right.
 */
export function nextBarFrom({ time, barCount, intervalMs }: BarSeries, timeMs: number, from: number): number {
  let next = Math.max(from + 1, Math.min(from + Math.ceil((timeMs - time[from]) / intervalMs), barCount));
  while (next > from + 1 && time[next - 1] >= timeMs) next--;
  while (next < barCount && time[next] < timeMs) next++;
  return next;
}

/** How many of these bars, which ascend, are `bar` or before. */
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
