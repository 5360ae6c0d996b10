import { type BarSeries, firstBarFrom, sliceBars } from '../series/bars.js';
import { ColumnPool } from '../series/column-pool.js';
import { bucketStart } from '../series/intervals.js';
import { kernelsOver } from '../simd/kernels.js';

/*
 * Kernels over consecutive buckets of bars. `bounds` lists the first bar of every bucket and then
 * the bar after the last bucket. It ascends strictly: no bucket is empty.
 */

/** Highest high and lowest low of every bucket. */
export interface Extremes {
  readonly highs: Float64Array;
  readonly lows: Float64Array;
}

export function bucketExtremes({ barCount, high, low }: BarSeries, bounds: Int32Array): Extremes {
  const count = bounds.length - 1;
  return withScratch(high, bounds, 2 * count, (scratch, offset) => {
    const highs = scratch.subarray(0, count);
    const lows = scratch.subarray(count);
    const kernels = kernelsOver(barCount, [high, low, scratch]);
    if (kernels === null) plainExtremes(high, low, bounds, highs, lows);
    else {
      kernels.bucketExtremes(high.byteOffset, low.byteOffset, offset, count, highs.byteOffset, lows.byteOffset);
    }
    return { highs: highs.slice(), lows: lows.slice() };
  });
}

/** Sum of every bucket, added from its first bar on. */
export function bucketSums(x: Float64Array, bounds: Int32Array): Float64Array {
  const count = bounds.length - 1;
  return withScratch(x, bounds, count, (sums, offset) => {
    const kernels = kernelsOver(x.length, [x, sums]);
    if (kernels === null) plainSums(x, bounds, sums);
    else kernels.bucketSums(x.byteOffset, offset, count, sums.byteOffset);
    return sums.slice();
  });
}

/**
 * Runs `work` with room for `length` values in the memory of the column, and with the offset of a
 * copy of the bounds there.
 */
function withScratch<T>(
  beside: Float64Array,
  bounds: Int32Array,
  length: number,
  work: (scratch: Float64Array, boundsOffset: number) => T,
): T {
  const pool = ColumnPool.beside(beside);
  // Two bounds take the room of one value.
  const room = pool.take(length + ((bounds.length + 1) >>> 1));
  const copy = new Int32Array(room.buffer, room.byteOffset + 8 * length, bounds.length);
  copy.set(bounds);
  try {
    return work(room.subarray(0, length), copy.byteOffset);
  } finally {
    pool.give([room]);
  }
}

function plainExtremes(
  high: Float64Array,
  low: Float64Array,
  bounds: Int32Array,
  highs: Float64Array,
  lows: Float64Array,
): void {
  for (let k = 0; k < highs.length; k++) {
    let highest = high[bounds[k]];
    let lowest = low[bounds[k]];
    for (let i = bounds[k] + 1; i < bounds[k + 1]; i++) {
      if (high[i] > highest) highest = high[i];
      if (low[i] < lowest) lowest = low[i];
    }
    highs[k] = highest;
    lows[k] = lowest;
  }
}

function plainSums(x: Float64Array, bounds: Int32Array, sums: Float64Array): void {
  for (let k = 0; k < sums.length; k++) {
    let sum = x[bounds[k]];
    for (let i = bounds[k] + 1; i < bounds[k + 1]; i++) sum += x[i];
    sums[k] = sum;
  }
}

/**
 * The coarse bars of a window of a series, as a view of the coarse bars of the whole series:
 * nothing is computed or copied. They equal what `aggregateBars` makes of the window. Only the
 * buckets at the two ends of the window could differ, so only those are checked.
 *
 * @param base the window; its bars are at least an interval apart
 * @param whole the coarse bars of all base bars
 */
export function coarseWindow({ time, barCount, intervalMs }: BarSeries, whole: BarSeries): BarSeries {
  if (barCount === 0) return sliceBars(whole, 0, 0);
  const coarseMs = whole.intervalMs;
  const first = bucketStart(time[0], coarseMs);
  const last = bucketStart(time[barCount - 1], coarseMs);
  // A bucket without its first bar yields no coarse bar.
  const fromMs = first === time[0] ? first : first + coarseMs;
  const isClosed = time[barCount - 1] + intervalMs >= last + coarseMs;
  const from = firstBarFrom(whole, fromMs);
  const to = firstBarFrom(whole, isClosed ? last + coarseMs : last);
  return sliceBars(whole, from, Math.max(from, to));
}
