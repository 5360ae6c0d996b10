import { allocateBars, type BarSeries, firstBarFrom } from '../series/index.js';

/** The bars of several series on one axis: the union of their open times. */
export interface Timeline {
  /** Open times, epoch ms, ascending. */
  readonly times: Float64Array;
  readonly intervalMs: number;
  /** For each series, its bar at each time; -1 where it has none. */
  readonly bars: readonly Int32Array[];
}

/**
 * @param series of one interval, at least one
 * @param start first open time, epoch ms; bars before it are history
 */
export function timelineOf(series: readonly BarSeries[], start: number): Timeline {
  const firsts = series.map((bars) => firstBarFrom(bars, start));
  const all = new Float64Array(series.reduce((sum, bars, s) => sum + bars.barCount - firsts[s], 0));
  let filled = 0;
  for (const [s, bars] of series.entries()) {
    all.set(bars.time.subarray(firsts[s], bars.barCount), filled);
    filled += bars.barCount - firsts[s];
  }
  all.sort();
  const times = all.filter((time, i) => i === 0 || time !== all[i - 1]);
  const bars = series.map(({ time, barCount }, s) => {
    let next = firsts[s];
    return Int32Array.from(times, (at) => (next < barCount && time[next] === at ? next++ : -1));
  });
  return { times, intervalMs: series[0].intervalMs, bars };
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
export function marketOf(members: readonly BarSeries[], timeline: Timeline, assets: readonly string[]): BarSeries {
  const { times, intervalMs } = timeline;
  const isFirst = (_: unknown, m: number): boolean => assets.indexOf(assets[m]) === m;
  const series = members.filter(isFirst);
  const bars = timeline.bars.filter(isFirst);
  const market = allocateBars(times.length, intervalMs);
  market.time.set(times);
  const firstOpens = series.map(({ open }, s) => open[bars[s].find((bar) => bar >= 0) ?? -1]);
  const worths = series.map(() => 1);
  const mean = (): number => worths.reduce((sum, worth) => sum + worth, 0) / worths.length;
  for (const i of times.keys()) {
    const move = (price: 'open' | 'close'): number => {
      for (const [s, one] of series.entries()) {
        const bar = bars[s][i];
        if (bar >= 0) worths[s] = one[price][bar] / firstOpens[s];
      }
      return mean();
    };
    market.open[i] = move('open');
    market.close[i] = move('close');
    market.high[i] = Math.max(market.open[i], market.close[i]);
    market.low[i] = Math.min(market.open[i], market.close[i]);
  }
  return market;
}
