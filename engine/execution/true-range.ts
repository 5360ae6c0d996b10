import { withFrame } from '../indicators/frame.js';
import { ATR } from '../indicators/volatility.js';
import type { BarSeries } from '../series/index.js';

/** Range of a bar, widened to the close before it; the first bar has only its own range. */
export function trueRange({ high, low, close }: BarSeries, bar: number): number {
  if (bar === 0) return high[0] - low[0];
  return Math.max(high[bar], close[bar - 1]) - Math.min(low[bar], close[bar - 1]);
}

/**
 * Average true range of every bar. It comes from the kernel of the ATR signals, so stops and
 * signals agree in every bit.
 *
 * @param period bars, 1 or more
 */
export function averageTrueRange(bars: BarSeries, period: number): Float64Array {
  return withFrame(bars, (frame) => frame.column(ATR(period)).slice());
}
