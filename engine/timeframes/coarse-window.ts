import { type BarSeries, firstBarFrom, sliceBars } from '../series/bars.js';
import { bucketStart } from '../series/intervals.js';

/**
 * The bars that `aggregateBars` makes of a window of a series, as a view of those it makes of the
 * whole series: nothing is computed or copied. Both are the same bar for bar, but for the two at
 * the ends of the window, which this looks at.
 *
 * @param base the window: bars at least an interval apart
 * @param whole the coarse bars of all base bars
 */
export function coarseWindow({ time, barCount, intervalMs }: BarSeries, whole: BarSeries): BarSeries {
  if (barCount === 0) return sliceBars(whole, 0, 0);
  const coarseMs = whole.intervalMs;
  const first = bucketStart(time[0], coarseMs);
  const last = bucketStart(time[barCount - 1], coarseMs);
  const fromMs = first === time[0] ? first : first + coarseMs; // a bucket without its own first bar is none
  const isClosed = time[barCount - 1] + intervalMs >= last + coarseMs;
  const from = firstBarFrom(whole, fromMs);
  const to = firstBarFrom(whole, isClosed ? last + coarseMs : last);
  return sliceBars(whole, from, Math.max(from, to));
}
