import {
  type AllocateColumns,
  allocateBars,
  type BarSeries,
  countUpTo,
  nextBarFrom,
  type OnchainColumn,
  plainColumns,
  sliceBars,
} from '../series/bars.js';
import { bucketStart } from '../series/intervals.js';
import { bucketExtremes, bucketSums } from './buckets.js';

export interface CoarseBars {
  /** Completed coarse bars only; a bucket that the data never closes is not among them. */
  readonly bars: BarSeries;
  /** Per coarse bar: index of the first base bar at whose close it is visible; never descending. */
  readonly visibleFrom: Int32Array;
}

/**
 * Chain columns that are flows of a bar and therefore add up; the others are levels and keep the
 * last observation.
 */
const flowColumns: ReadonlySet<OnchainColumn> = new Set([
  'SmartMoneyNetflow',
  'ExchangeNetflow',
  'WhaleNetInflow',
  'EtfNetFlow',
]);

/**
 * Coarse bars from base bars: open of the first, close of the last, highest high, lowest low,
 * summed volume. A coarse bar becomes visible at the close of the first base bar that closes at or
 * after the end of its bucket (the next bar in the data when the last one is missing) and does not
 * exist before. A leading bucket that does not start with its own first base bar is discarded;
 * inner holes are tolerated; an empty bucket yields no bar. O(bars).
 *
 * @param allocate where the coarse columns come from; every cell of them is written
 */
export function aggregateBars(base: BarSeries, coarseMs: number, allocate: AllocateColumns = plainColumns): CoarseBars {
  const names = Object.keys(base.onchain) as OnchainColumn[];
  const { time, open, close, volume, intervalMs } = base;
  const { bounds, starts } = bucketsOf(base, coarseMs);
  const bucketCount = starts.length;
  const coarse = allocateBars(bucketCount, coarseMs, names, allocate);
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
    // The data moved on: whatever bucket was open is complete, its missing bars notwithstanding.
    if (visible < k) visibleFrom[visible++] = from;
    coarse.open[k] = open[from];
    coarse.close[k] = close[next - 1];
    for (const name of names) {
      // biome-ignore lint/style/noNonNullAssertion: the coarse bars have the chain columns of the base
      coarse.onchain[name]![k] = observation(base.onchain[name]!, from, next, flowColumns.has(name));
    }
    const end = starts[k] + coarseMs;
    let closing = next; // bar at whose close the bucket is complete
    while (closing > from && time[closing - 1] + intervalMs >= end) closing--;
    if (closing < next) visibleFrom[visible++] = closing;
  }
  return { bars: sliceBars(coarse, 0, visible), visibleFrom: visibleFrom.subarray(0, visible) };
}

/**
 * Start of every bucket that has bars, and its first bar; one bound more says where the last one
 * ends.
 */
function bucketsOf(base: BarSeries, coarseMs: number): { readonly bounds: Int32Array; readonly starts: Float64Array } {
  const { time, barCount } = base;
  const span = barCount === 0 ? 0 : Math.ceil((time[barCount - 1] - time[0]) / coarseMs) + 1;
  const starts = new Float64Array(Math.min(barCount, span));
  const bounds = new Int32Array(starts.length + 1);
  let count = 0;
  let from = 0;
  let end = -Infinity; // of the bucket before
  if (barCount > 0 && bucketStart(time[0], coarseMs) !== time[0]) {
    end = bucketStart(time[0], coarseMs) + coarseMs;
    from = nextBarFrom(base, end, 0);
  }
  for (; from < barCount; count++) {
    const start = time[from] < end + coarseMs ? end : bucketStart(time[from], coarseMs); // mostly the next bucket
    end = start + coarseMs;
    starts[count] = start;
    bounds[count] = from;
    from = nextBarFrom(base, end, from);
  }
  bounds[count] = barCount;
  return { bounds: bounds.subarray(0, count + 1), starts: starts.subarray(0, count) };
}

/** Bars beside the guess that are looked at before a search is the shorter way. */
const NEAR_GUESS = 4;

/**
 * Index of the newest coarse bar visible at the close of base bar `bar`, or -1. Bars mostly come
 * evenly, so it guesses first.
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

/** Sum of a flow, last observation of a level; NaN where the bucket has none. */
function observation(cells: Float64Array, from: number, to: number, isFlow: boolean): number {
  let value = NaN;
  for (let i = from; i < to; i++) {
    if (!Number.isNaN(cells[i])) value = isFlow && !Number.isNaN(value) ? value + cells[i] : cells[i];
  }
  return value;
}
