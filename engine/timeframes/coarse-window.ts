import { type BarSeries, firstBarFrom, sliceBars } from '../series/bars.js';
import { bucketStart } from '../series/intervals.js';

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
