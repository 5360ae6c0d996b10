import { allocateBars, type BarSeries, type OnchainColumn, sliceBars } from './bars.js';
import { bucketStart } from './intervals.js';

export interface CoarseBars {
  /** Completed coarse bars only; a bucket that the data never closes is not among them. */
  readonly bars: BarSeries;
  /** Per coarse bar: index of the first base bar at whose close it is visible; never descending. */
  readonly visibleFrom: Int32Array;
}

/** Chain columns that are flows of a bar and therefore add up; the others are levels and keep the last observation. */
const flowColumns: ReadonlySet<OnchainColumn> = new Set([
  'SmartMoneyNetflow',
  'ExchangeNetflow',
  'WhaleNetInflow',
  'EtfNetFlow',
]);

/**
 * Coarse bars from base bars: open of the first, close of the last, highest high, lowest low, summed volume.
 * A coarse bar becomes visible at the close of the first base bar that closes at or after the end of its bucket (the next
 * bar in the data when the last one is missing) and does not exist before. A leading bucket that does not start with
 * its own first base bar is discarded; inner holes are tolerated; an empty bucket yields no bar. O(bars).
 */
export function aggregateBars(base: BarSeries, coarseMs: number): CoarseBars {
  const names = Object.keys(base.onchain) as OnchainColumn[];
  const { time, open, high, low, close, volume, barCount, intervalMs } = base;
  const spanBuckets = barCount === 0 ? 0 : Math.ceil((time[barCount - 1] - time[0]) / coarseMs) + 1;
  const coarse = allocateBars(Math.min(barCount, spanBuckets), coarseMs, names);
  const visibleFrom = new Int32Array(coarse.barCount);

  let visible = 0; // coarse bars completed
  let from = 0;
  let end = -Infinity; // of the bucket before
  if (barCount > 0 && bucketStart(time[0], coarseMs) !== time[0]) {
    end = bucketStart(time[0], coarseMs) + coarseMs;
    from = firstFrom(base, end, 0);
  }
  for (let count = 0; from < barCount; count++) {
    // The data moved on: whatever bucket was open is complete, its missing bars notwithstanding.
    if (visible < count) visibleFrom[visible++] = from;
    const start = time[from] < end + coarseMs ? end : bucketStart(time[from], coarseMs); // mostly the next bucket
    end = start + coarseMs;
    const next = firstFrom(base, end, from);
    let highest = high[from];
    let lowest = low[from];
    let traded = volume[from];
    for (let i = from + 1; i < next; i++) {
      if (high[i] > highest) highest = high[i];
      if (low[i] < lowest) lowest = low[i];
      traded += volume[i];
    }
    coarse.time[count] = start;
    coarse.open[count] = open[from];
    coarse.high[count] = highest;
    coarse.low[count] = lowest;
    coarse.close[count] = close[next - 1];
    coarse.volume[count] = traded;
    for (const name of names) {
      coarse.onchain[name]![count] = observation(base.onchain[name]!, from, next, flowColumns.has(name));
    }
    let closing = next; // bar at whose close the bucket is complete
    while (closing > from && time[closing - 1] + intervalMs >= end) closing--;
    if (closing < next) visibleFrom[visible++] = closing;
    from = next;
  }
  return { bars: sliceBars(coarse, 0, visible), visibleFrom: visibleFrom.subarray(0, visible) };
}

/** First bar after `from` that opens at or after `end`. Where no bar is missing the first guess is right. */
function firstFrom({ time, barCount, intervalMs }: BarSeries, end: number, from: number): number {
  let next = Math.max(from + 1, Math.min(from + Math.ceil((end - time[from]) / intervalMs), barCount));
  while (next > from + 1 && time[next - 1] >= end) next--;
  while (next < barCount && time[next] < end) next++;
  return next;
}

/** Index of the newest coarse bar visible at the close of base bar `bar`, or -1. */
export function newestVisible({ visibleFrom }: CoarseBars, bar: number): number {
  let known = 0; // coarse bars visible by then
  let unknown = visibleFrom.length;
  while (known < unknown) {
    const middle = (known + unknown) >>> 1;
    if (visibleFrom[middle] <= bar) known = middle + 1;
    else unknown = middle;
  }
  return known - 1;
}

/** Sum of a flow, last observation of a level; NaN where the bucket has none. */
function observation(cells: Float64Array, from: number, to: number, isFlow: boolean): number {
  let value = NaN;
  for (let i = from; i < to; i++) {
    if (!Number.isNaN(cells[i])) value = isFlow && !Number.isNaN(value) ? value + cells[i] : cells[i];
  }
  return value;
}
