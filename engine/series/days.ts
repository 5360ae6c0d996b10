import { type BarSeries, nextBarFrom } from './bars.js';
import { DAY_MS } from './intervals.js';

const endsBySeries = new WeakMap<BarSeries, Int32Array>();

/**
 * For every UTC date that has a bar, the index one past its last bar. A bar belongs to the date on
 * which it opens. Computed once per series.
 */
export function dayEnds(bars: BarSeries): Int32Array {
  let ends = endsBySeries.get(bars);
  if (ends === undefined) {
    ends = findDayEnds(bars);
    endsBySeries.set(bars, ends);
  }
  return ends;
}

function findDayEnds(bars: BarSeries): Int32Array {
  const { time, barCount } = bars;
  const days = barCount === 0 ? 0 : Math.floor(time[barCount - 1] / DAY_MS) - Math.floor(time[0] / DAY_MS) + 1;
  const ends = new Int32Array(Math.min(days, barCount));
  let count = 0;
  for (let from = 0; from < barCount; ) {
    const dayEnd = (Math.floor(time[from] / DAY_MS) + 1) * DAY_MS;
    from = nextBarFrom(bars, dayEnd, from);
    ends[count++] = from;
  }
  return ends.subarray(0, count);
}
