import { allocateBars, type BarSeries, firstBarFrom } from '../series/index.js';

/** The bars of several series on one axis: the union of their open times. */
export interface Timeline {
  /** Open times, epoch ms, ascending. */
  readonly times: Float64Array;
  readonly intervalMs: number;
  /** For each series, its bar at each time; -1 where it has none. */
  readonly bars: readonly Int32Array[];
  /** For each series, its last close at each time; NaN before its first bar. */
  readonly closes: readonly Float64Array[];
  /** For each series whose bars follow each other without a hole up to the last time, the time before bar 0. */
  readonly offsets: readonly (number | null)[];
}

interface KnownTimeline {
  readonly series: readonly BarSeries[];
  readonly start: number;
  readonly timeline: Timeline;
}

/** By the first series, the timeline made last: the runs of a sweep share their bars. */
const knownBySeries = new WeakMap<BarSeries, KnownTimeline>();

/**
 * The timeline of some series, which must no longer change.
 *
 * @param series of one interval, at least one
 * @param start first open time, epoch ms; bars before it are history
 */
export function buildTimeline(series: readonly BarSeries[], start: number): Timeline {
  const known = knownBySeries.get(series[0]);
  const isSame = (one: BarSeries, s: number): boolean => one === known?.series[s];
  if (known?.start === start && known.series.length === series.length && series.every(isSame)) return known.timeline;
  const timeline = makeTimeline(series, start);
  knownBySeries.set(series[0], { series, start, timeline });
  return timeline;
}

function makeTimeline(series: readonly BarSeries[], start: number): Timeline {
  const firsts = series.map((bars) => firstBarFrom(bars, start));
  let times: Float64Array = new Float64Array(0);
  for (const [s, { time, barCount }] of series.entries()) times = union(times, time.subarray(firsts[s], barCount));
  /** Bars in a row from a first one on, which series without holes share. */
  const inRows = new Map<number, Int32Array>();
  const bars = series.map(({ time, barCount }, s) => {
    const first = firsts[s];
    // As many bars as times, and no bar outside of them: each time has one.
    if (barCount - first === times.length) {
      const row = inRows.get(first) ?? rowFrom(first, times.length);
      inRows.set(first, row);
      return row;
    }
    const at = new Int32Array(times.length);
    let next = first;
    for (let i = 0; i < times.length; i++) at[i] = next < barCount && time[next] === times[i] ? next++ : -1;
    return at;
  });
  const closes = series.map(({ close, barCount }, s) =>
    barCount - firsts[s] === times.length
      ? close.subarray(firsts[s], barCount)
      : closesAt(close, firsts[s] - 1, bars[s]),
  );
  const offsets = series.map(({ barCount }, s) => offsetOf(bars[s], barCount - firsts[s]));
  return { times, intervalMs: series[0].intervalMs, bars, closes, offsets };
}

/** @param count bars of the series among the times */
function offsetOf(bars: Int32Array, count: number): number | null {
  const from = bars.length - count;
  const isRow = count > 0 && bars.subarray(from).every((bar) => bar >= 0);
  return isRow ? from - bars[from] : null;
}

/** @param before the last bar before the first time; -1 without one */
function closesAt(close: Float64Array, before: number, bars: Int32Array): Float64Array {
  const closes = new Float64Array(bars.length);
  let last = before < 0 ? NaN : close[before];
  for (let i = 0; i < bars.length; i++) {
    if (bars[i] >= 0) last = close[bars[i]];
    closes[i] = last;
  }
  return closes;
}

function rowFrom(first: number, length: number): Int32Array {
  const row = new Int32Array(length);
  for (let i = 0; i < length; i++) row[i] = first + i;
  return row;
}

/** Ascending times of either list; the first list itself where the second adds none. */
function union(a: Float64Array, b: Float64Array): Float64Array {
  const missing = countMissing(a, b);
  if (missing === 0) return a;
  const both = new Float64Array(a.length + missing);
  for (let i = 0, j = 0, k = 0; k < both.length; k++) {
    if (j === b.length || a[i] < b[j]) both[k] = a[i++];
    else {
      if (a[i] === b[j]) i++;
      both[k] = b[j++];
    }
  }
  return both;
}

/** How many times of `b` are not in `a`. */
function countMissing(a: Float64Array, b: Float64Array): number {
  let missing = 0;
  for (let i = 0, j = 0; j < b.length; j++) {
    while (i < a.length && a[i] < b[j]) i++;
    if (a[i] !== b[j]) missing++;
  }
  return missing;
}

/** The first of the times at or after a time. */
export function firstTimeFrom({ times }: Timeline, time: number): number {
  let [from, to] = [0, times.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (times[middle] < time) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The last bar that opens before a time; -1 where there is none. */
export const lastBarBefore = (bars: BarSeries, time: number): number => firstBarFrom(bars, time) - 1;

/**
 * The market of several assets as bars of the union: the value of one unit of money spread evenly
 * over them at the first open of each in the window, and held. Before its first bar an asset counts
 * as money. The last close is the mean of one plus the returns of the assets.
 *
 * @param assets the asset of each series; one that stands at several members counts once
 */
export function buildMarket(members: readonly BarSeries[], timeline: Timeline, assets: readonly string[]): BarSeries {
  const { times, intervalMs } = timeline;
  const isFirst = (_: unknown, m: number): boolean => assets.indexOf(assets[m]) === m;
  const series = members.filter(isFirst);
  const bars = timeline.bars.filter(isFirst);
  const market = allocateBars(times.length, intervalMs);
  market.time.set(times);
  const firstOpens = series.map(({ open }, s) => open[bars[s].find((bar) => bar >= 0) ?? -1]);
  const worths = new Float64Array(series.length).fill(1);
  const move = (price: 'open' | 'close', i: number): number => {
    let sum = 0;
    for (let s = 0; s < worths.length; s++) {
      const bar = bars[s][i];
      if (bar >= 0) worths[s] = series[s][price][bar] / firstOpens[s];
      sum += worths[s];
    }
    return sum / worths.length;
  };
  for (let i = 0; i < times.length; i++) {
    market.open[i] = move('open', i);
    market.close[i] = move('close', i);
    market.high[i] = Math.max(market.open[i], market.close[i]);
    market.low[i] = Math.min(market.open[i], market.close[i]);
  }
  return market;
}
