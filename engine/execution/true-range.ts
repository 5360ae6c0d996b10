import { atr } from '../indicators/volatility.js';
import type { BarSeries } from '../series/index.js';

/** Range of a bar, widened to the close before it; the first bar has only its own range. */
export function trueRange({ high, low, close }: BarSeries, bar: number): number {
  if (bar === 0) return high[0] - low[0];
  return Math.max(high[bar], close[bar - 1]) - Math.min(low[bar], close[bar - 1]);
}

/**
 * Average true range of every bar, by the kernel that the ATR signals read, so that stops and signals agree in every bit.
 *
 * @param period bars, 1 or more
 */
export function averageTrueRange({ barCount, high, low, close }: BarSeries, period: number): Float64Array {
  const out = new Float64Array(barCount);
  atr(high, low, close, period, out);
  return out;
}
