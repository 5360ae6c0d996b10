import type { BarSeries } from '../series/index.js';

/** Bars before the window that describe the market. */
export const MARKET_BARS = 200;

/** What the bars before a window say about the market. */
export interface MarketBefore {
  /** Mean of high minus low over close: a fraction a bar. */
  readonly range: number;
  /** Change of the close over all these bars, in ranges times the square root of their number. */
  readonly trend: number;
}

/**
 * Reads the `MARKET_BARS` bars before `first` and no other; null where there are fewer.
 * @param first index of the first tradable bar
 */
export function marketBefore({ high, low, close }: BarSeries, first: number): MarketBefore | null {
  const from = first - MARKET_BARS;
  if (from < 0) return null;
  let sum = 0;
  for (let bar = from; bar < first; bar++) sum += (high[bar] - low[bar]) / close[bar];
  const range = sum / MARKET_BARS;
  const change = close[first - 1] / close[from] - 1;
  return { range, trend: range > 0 ? change / (range * Math.sqrt(MARKET_BARS)) : 0 };
}
