import { COMBINE, GROWTH, PERCENT, SMALLER, SUBTRACT } from './arithmetic.js';
import { type Column, close, columnOf, defineKernel, high, low } from './column.js';
import { DEVIATION, MAX, MIN, SMA } from './rolling.js';
import { EMA } from './smoothing.js';
import { EPMA } from './weighted.js';

/**
 * Range of a bar, widened to include the previous close. Plain comparisons, because Math.max leaves
 * its fast path at every tie.
 */
export function rangeFrom(previous: number, high: number, low: number): number {
  const top = high > previous ? high : previous;
  const bottom = low < previous ? low : previous;
  return top - bottom;
}

/**
 * True range: the largest of high-low, |high - previous close|, |low - previous close|; high-low on
 * bar 0.
 */
const trueRangeKernel = defineKernel('TRUE_RANGE', ([h, l, c], _, [out]) => {
  if (out.length > 0) out[0] = h[0] - l[0];
  for (let t = 1; t < out.length; t++) out[t] = rangeFrom(c[t - 1], h[t], l[t]);
});
export const trueRange: Column = columnOf(trueRangeKernel, [high, low, close]);

/**
 * Average true range: Wilder's smoothing, seeded with the plain mean of the first `window` true
 * ranges. Stops, targets and the ATR signals all read this one. NaN before bar window-1. O(bars).
 * @see Wilder, New Concepts in Technical Trading Systems (1978)
 */
function atr(h: Float64Array, l: Float64Array, c: Float64Array, window: number, out: Float64Array): void {
  const length = out.length;
  const weight = 1 / window;
  const keep = 1 - weight;
  out.fill(NaN, 0, Math.min(window - 1, length));
  if (length < window) return;
  let sum = h[0] - l[0]; // bar 0 has its own range only
  for (let t = 1; t < window; t++) sum += rangeFrom(c[t - 1], h[t], l[t]);
  let average = sum / window;
  out[window - 1] = average;
  let previous = c[window - 1];
  for (let t = window; t < length; t++) {
    average = keep * average + weight * rangeFrom(previous, h[t], l[t]);
    previous = c[t];
    out[t] = average;
  }
}

const atrKernel = defineKernel(
  'ATR',
  ([h, l, c], [window], [out]) => atr(h, l, c, window, out),
  1,
  (kernels, length, [h, l, c], [window], [out]) => kernels.atr(h, l, c, length, window, out),
);
export const ATR = (window: number): Column => columnOf(atrKernel, [high, low, close], [window]);

/** ATR in percent of the close. */
export const NATR = (window: number): Column => PERCENT(ATR(window), close);

/** [upper, lower] = centre +/- width times a distance. */
const band = (centre: Column, width: number, distance: Column): readonly [upper: Column, lower: Column] => [
  COMBINE(1, centre, width, distance),
  COMBINE(1, centre, -width, distance),
];

/**
 * Bollinger bands with the population deviation; width in percent of the mean. First value at n-1.
 */
export function BOLLINGER(window: number, deviations: number) {
  const [middle, deviation] = DEVIATION(close, window, 0);
  const [upper, lower] = band(middle, deviations, deviation);
  return { middle, upper, lower, width: PERCENT(SUBTRACT(upper, lower), middle) };
}

/** Keltner channel: EMA of the close +/- multiples of ATR. */
export const KELTNER = (window: number, atrWindow: number, multiplier: number) =>
  band(EMA(close, window), multiplier, ATR(atrWindow));

const keltnerEdgeKernel = defineKernel('KELTNER_EDGE', ([h, l, c], [high, low], [out]) => {
  for (let t = 0; t < out.length; t++) out[t] = (high * h[t] + low * l[t] + c[t]) / 3;
});

/** Keltner's original channel: means of (4H-2L+C)/3 and (-2H+4L+C)/3. */
export const KELTNER_ORIGINAL = (window: number): readonly [upper: Column, lower: Column] => [
  SMA(columnOf(keltnerEdgeKernel, [high, low, close], [4, -2]), window),
  SMA(columnOf(keltnerEdgeKernel, [high, low, close], [-2, 4]), window),
];

/** Stoller bands: mean of the close +/- multiples of ATR. */
export const STARC = (window: number, atrWindow: number, multiplier: number) =>
  band(SMA(close, window), multiplier, ATR(atrWindow));

/** Chandelier exits: highest high minus, and lowest low plus, multiples of ATR. */
export const CHANDELIER = (window: number, multiplier: number) => ({
  highOffset: COMBINE(1, MAX(high, window), -multiplier, ATR(window)),
  lowOffset: COMBINE(1, MIN(low, window), multiplier, ATR(window)),
});

/**
 * Squares of the percent drawdown from the highest close of the window; until the window is full,
 * from the highest close so far.
 */
const drawdownSquaresKernel = defineKernel('DRAWDOWN_SQUARES', ([x, highest], [window], [out]) => {
  let top = -Infinity;
  for (let t = 0; t < out.length; t++) {
    if (t < window) top = t === window - 1 ? highest[t] : Math.max(top, x[t]);
    const peak = t < window ? top : highest[t];
    const drawdown = (100 * (x[t] - peak)) / peak;
    out[t] = drawdown * drawdown;
  }
});
const rootKernel = defineKernel('ROOT', ([x], _, [out]) => {
  for (let t = 0; t < out.length; t++) out[t] = Math.sqrt(Math.max(0, x[t]));
});
/**
 * Ulcer index (Martin 1987): root mean square of the percent drawdown from the highest close of the
 * window so far.
 */
export const ULCER = (window: number): Column =>
  columnOf(rootKernel, [SMA(columnOf(drawdownSquaresKernel, [close, MAX(close, window)], [window]), window)]);

const volatilityStopKernel = defineKernel('VOLATILITY_STOP', ([x, deviation], [multiplier], [out]) => {
  out.fill(NaN, 0, 1);
  for (let t = 1; t < out.length; t++) out[t] = x[t - 1] * (1 + multiplier * deviation[t]);
});
/**
 * [upper, lower] = previous close times 1 +/- multiples of the sample deviation of the last n
 * returns. First value at n.
 */
export function VOLATILITY_STOP(window: number, multiplier: number): readonly [upper: Column, lower: Column] {
  const [, deviation] = DEVIATION(GROWTH(close, 1, 1), window, 1);
  return [
    columnOf(volatilityStopKernel, [close, deviation], [multiplier]),
    columnOf(volatilityStopKernel, [close, deviation], [-multiplier]),
  ];
}

/** TTM squeeze: how deep the Bollinger bands lie inside the Keltner channel, > 0 while squeezed. */
export function TTM_SQUEEZE(bbWindow: number, bbDeviations: number, kcWindow: number, kcMultiplier: number) {
  const bollinger = BOLLINGER(bbWindow, bbDeviations);
  const [upper, lower] = KELTNER(kcWindow, kcWindow, kcMultiplier);
  return SMALLER(SUBTRACT(upper, bollinger.upper), SUBTRACT(bollinger.lower, lower));
}

/** Momentum of the squeeze: the close against the middle of its range and mean. */
export function TTM_MOMENTUM(window: number): Column {
  const middle = COMBINE(0.5, MAX(high, window), 0.5, MIN(low, window));
  return EPMA(SUBTRACT(close, COMBINE(0.5, middle, 0.5, SMA(close, window))), window);
}
