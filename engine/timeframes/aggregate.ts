import {
  type AllocateColumns,
  allocateBars,
  type BarSeries,
  countUpTo,
  FUNDING_COLUMN,
  nextBarFrom,
  type OnchainColumn,
  plainColumns,
  sliceBars,
} from '../series/bars.js';
import { bucketStart } from '../series/intervals.js';
import { bucketExtremes, bucketSums } from './buckets.js';

export interface CoarseBars {
  /** Completed coarse bars only, without a bucket that the data never closes. */
  readonly bars: BarSeries;
  /** Per coarse bar: index of the first base bar at whose close it is visible; never descending. */
  readonly visibleFrom: Int32Array;
}

/**
 * Chain columns that hold the flow during a bar: a bucket sums them. Values that are carried from a
 * slower source are not summed, because each would count once a bar. Of all other columns a bucket
 * keeps the last value.
 */
const flowColumns: ReadonlySet<string> = new Set<OnchainColumn | typeof FUNDING_COLUMN>([
  'SmartMoneyNetflow',
  'ExchangeNetflow',
  'WhaleNetInflow',
  'EtfNetFlow',
  FUNDING_COLUMN,
]);

/**
 * Coarse bars from base bars: open of the first, close of the last, highest high, lowest low,
 * summed volume. A coarse bar becomes visible at the close of the first base bar that closes at or
 * after the end of its bucket (the next bar in the data when the bucket's last one is missing) and
 * does not exist before. A leading bucket whose own first base bar is missing is discarded; inner
 * holes are tolerated; an empty bucket yields no bar. O(bars).
 *
 * @param allocate where the coarse columns come from; every cell of them is written
 */
export function aggregateBars(base: BarSeries, coarseMs: number, allocate: AllocateColumns = plainColumns): CoarseBars {
  const names = Object.keys(base.columns);
  const sums = new Set(names.filter((name) => flowColumns.has(name) && !base.carried.includes(name)));
  const { time, open, close, volume, intervalMs } = base;
  const { bounds, starts } = buckets(base, coarseMs);
  const bucketCount = starts.length;
  const coarse = allocateBars(bucketCount, coarseMs, names, allocate, base.carried);
  const visibleFrom = new Int32Array(bucketCount);
  const { highs, lows } = bucketExtremes(base, bounds);
  coarse.time.set(starts);
  coarse.high.set(highs);
  coarse.low.set(lows);
  coarse.volume.set(bucketSums(volume, bounds));
  let visible = 0; // coarse bars completed
  for (let k = 0; k < bucketCount; k++) {
    const from = bounds[k];
    const next = bounds[k + 1];
    // The data is past the open bucket, so the bucket is complete even if bars are missing from it.
    if (visible < k) visibleFrom[visible++] = from;
    coarse.open[k] = open[from];
    coarse.close[k] = close[next - 1];
    for (const name of names) {
      coarse.columns[name][k] = observation(base.columns[name], from, next, sums.has(name));
    }
    const end = starts[k] + coarseMs;
    let closing = next; // bar at whose close the bucket is complete
    while (closing > from && time[closing - 1] + intervalMs >= end) closing--;
    if (closing < next) visibleFrom[visible++] = closing;
  }
  return { bars: sliceBars(coarse, 0, visible), visibleFrom: visibleFrom.subarray(0, visible) };
}

/**
 * Start time and first bar of every bucket that has bars. `bounds` has one more entry: where the
 * last bucket ends.
 */
function buckets(base: BarSeries, coarseMs: number): { readonly bounds: Int32Array; readonly starts: Float64Array } {
  const { time, barCount } = base;
  const span = barCount === 0 ? 0 : Math.ceil((time[barCount - 1] - time[0]) / coarseMs) + 1;
  const starts = new Float64Array(Math.min(barCount, span));
  const bounds = new Int32Array(starts.length + 1);
  let count = 0;
  let from = 0;
  let end = -Infinity; // of the previous bucket
  if (barCount > 0 && bucketStart(time[0], coarseMs) !== time[0]) {
    end = bucketStart(time[0], coarseMs) + coarseMs;
    from = nextBarFrom(base, end, 0);
  }
  for (; from < barCount; count++) {
    // It is mostly the next bucket.
    const start = time[from] < end + coarseMs ? end : bucketStart(time[from], coarseMs);
    end = start + coarseMs;
    starts[count] = start;
    bounds[count] = from;
    from = nextBarFrom(base, end, from);
  }
  bounds[count] = barCount;
  return { bounds: bounds.subarray(0, count + 1), starts: starts.subarray(0, count) };
}

/** How far from its guess `newestVisible` looks before a binary search is cheaper. */
const NEAR_GUESS = 4;

/**
 * Index of the newest coarse bar visible at the close of base bar `bar`, or -1. It guesses first,
 * because bars are mostly evenly spaced.
 */
export function newestVisible({ visibleFrom }: CoarseBars, bar: number): number {
  const last = visibleFrom.length - 1;
  if (last < 0) return -1;
  const guess = Math.min(Math.floor((bar / visibleFrom[last]) * last), last);
  for (let k = guess - NEAR_GUESS; k <= guess + NEAR_GUESS; k++) {
    if (k >= 0 && k <= last && visibleFrom[k] <= bar && (k === last || visibleFrom[k + 1] > bar)) return k;
  }
  return countUpTo(visibleFrom, bar) - 1;
}

/** Sum of a flow, or last value of a level; NaN for a bucket without values. */
function observation(cells: Float64Array, from: number, to: number, isFlow: boolean): number {
  let value = NaN;
  for (let i = from; i < to; i++) {
    if (!Number.isNaN(cells[i])) value = isFlow && !Number.isNaN(value) ? value + cells[i] : cells[i];
  }
  return value;
}
