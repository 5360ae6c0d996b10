import { volatilityScaleOf } from '../formulas/prices-and-sizes.js';
import { type BarSeries, barsPerYear } from '../series/index.js';
import type { ExecutionConfig } from './config.js';
import { trueRange } from './true-range.js';

/**
 * Factor 0..1 on the size of an entry decided at the close of `bar`: target over annualized
 * volatility, never above 1 because the risk per trade is a maximum. 1 when the adjustment is off
 * or the price did not move, NaN while the window is not full. O(window), so call it only for bars
 * with an entry signal.
 */
export function volatilityScale(bars: BarSeries, bar: number, config: ExecutionConfig): number {
  const { enable_volatility_adjustment, volatility_mode, target_volatility } = config;
  if (!enable_volatility_adjustment || volatility_mode === 'off') return 1;
  return volatilityScaleOf(target_volatility, annualVolatility(bars, bar, config));
}

/** Annualized volatility at the close of `bar`, NaN while the window is not full. O(window). */
export function annualVolatility(bars: BarSeries, bar: number, config: ExecutionConfig): number {
  const { volatility_mode, volatility_window } = config;
  const perBar =
    volatility_mode === 'stddev'
      ? returnDeviation(bars.close, bar, volatility_window)
      : relativeTrueRange(bars, bar, volatility_window);
  return perBar * Math.sqrt(barsPerYear(bars.intervalMs, config));
}

/**
 * Sample standard deviation of the `window` one-bar returns that end at `bar`; NaN before bar
 * `window`. Two passes, because sums of squares lose all digits when prices are large and moves
 * small.
 */
export function returnDeviation(close: Float64Array, bar: number, window: number): number {
  if (bar < window) return NaN;
  let sum = 0;
  for (let k = bar - window + 1; k <= bar; k++) sum += close[k] / close[k - 1] - 1;
  const mean = sum / window;
  let squares = 0;
  for (let k = bar - window + 1; k <= bar; k++) {
    const deviation = close[k] / close[k - 1] - 1 - mean;
    squares += deviation * deviation;
  }
  return Math.sqrt(squares / (window - 1));
}

/**
 * Mean true range of the last `window` bars as a fraction of the close; NaN before bar `window -
 * 1`.
 */
export function relativeTrueRange(bars: BarSeries, bar: number, window: number): number {
  if (bar < window - 1) return NaN;
  let sum = 0;
  for (let k = bar - window + 1; k <= bar; k++) sum += trueRange(bars, k);
  return sum / window / bars.close[bar];
}
