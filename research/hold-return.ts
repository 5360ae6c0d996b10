import { type BarSeries, firstBarFrom } from '../engine/series/index.js';

/**
 * Return of buying at the open of the bar that opens at `fromMs` and holding to the close of the
 * bar that closes at `toMs`; null where the series lacks one of the two.
 */
export function holdReturn(bars: BarSeries, fromMs: number, toMs: number): number | null {
  const first = barAt(bars, fromMs);
  const last = barAt(bars, toMs - bars.intervalMs);
  // biome-ignore lint/style/noNonNullAssertion: first and last are bars of the series
  return first === -1 || last === -1 ? null : bars.close[last]! / bars.open[first]! - 1;
}

/** Index of the bar that opens at the time, or -1. */
function barAt(bars: BarSeries, timeMs: number): number {
  const bar = firstBarFrom(bars, timeMs);
  return bars.time[bar] === timeMs ? bar : -1;
}
