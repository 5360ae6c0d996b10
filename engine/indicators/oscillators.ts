import {
  ABSOLUTE,
  ADD,
  barRange,
  CHANGE,
  COMBINE,
  DIVIDE,
  GROWTH,
  MULTIPLY,
  medianPrice,
  PERCENT,
  SUBTRACT,
  typicalPrice,
} from './arithmetic.js';
import { type Column, close, columnOf, columnsOf, defineKernel, high, low, open } from './column.js';
import { MAX, MIN, SMA, SUM } from './rolling.js';
import { EMA } from './smoothing.js';
import { trueRange } from './volatility.js';
import { MEAN_DISTANCE } from './weighted.js';

/**
 * Relative Strength Index with Wilder smoothing.
 * @param x price per bar
 * @param window bars
 * @param out 0..100; NaN before the window-th change of x, the 0 of its first value among them; 100
 *   where the average loss is 0, which includes a flat series. A bar without a value leaves two
 *   changes undefined, for which the averages follow the gap rule of `smooth`: they repeat, and
 *   the next change counts for more.
 * @see Wilder, New Concepts in Technical Trading Systems (1978). Gains and losses are smoothed from
 *   the 0 of bar 0 instead of Wilder's plain mean of the first window.
 */
function rsi(x: Float64Array, window: number, out: Float64Array): void {
  const length = x.length;
  const keep = 1 - 1 / window;
  // Size + change is twice the gain, size - change twice the loss, without a branch.
  const weight = 0.5 / window;
  let first = 0; // of the values; a price has one on every bar
  while (first < length && !Number.isFinite(x[first])) first++;
  let publishAt = first + window - 1;
  let gain = 0;
  let loss = 0;
  let previous = x[first];
  let age = keep; // weight that the averages keep at the next change
  if (first < length) out[first] = 100;
  for (let t = first + 1; t < length; t++) {
    const change = x[t] - previous;
    const size = Math.abs(change);
    previous = x[t];
    if (change - change !== 0) {
      age *= keep;
      if (t <= publishAt) publishAt++; // as in `smooth`
    } else if (age === keep) {
      gain = keep * gain + weight * (size + change);
      loss = keep * loss + weight * (size - change);
    } else {
      gain = (age * gain + weight * (size + change)) / (age + 2 * weight);
      loss = (age * loss + weight * (size - change)) / (age + 2 * weight);
      age = keep;
    }
    out[t] = loss === 0 ? 100 : 100 * (gain / (gain + loss));
  }
  out.fill(NaN, 0, Math.min(publishAt, length));
}

const rsiKernel = defineKernel('RSI', ([x], [window], [out]) => rsi(x, window, out));
export const RSI = (x: Column, window: number): Column => columnOf(rsiKernel, [x], [window]);

/** Place of x between `bottom` and `top`, 0..scale; NaN where they meet. */
const positionKernel = defineKernel(
  'POSITION',
  ([x, bottom, top], [scale], [out]) => {
    for (let t = 0; t < out.length; t++) out[t] = scale * ((x[t] - bottom[t]) / (top[t] - bottom[t]));
  },
  1,
  (kernels, length, [x, bottom, top], [scale], [out]) => kernels.position(x, bottom, top, scale, length, out),
);
const position = (x: Column, bottom: Column, top: Column, scale: number): Column =>
  columnOf(positionKernel, [x, bottom, top], [scale]);

/** Fast %K: place of the close in the high-low range of the window, 0..100. First value at n-1. */
export const STOCHASTIC = (window: number): Column => position(close, MIN(low, window), MAX(high, window), 100);

/** Williams %R: distance of the close below the top of the window's range, -100..0. */
export const WILLIAMS_R = (window: number): Column => position(close, MAX(high, window), MIN(low, window), -100);

/**
 * Place of x in its own range over the window, 0..scale; NaN where the window is flat or holds a
 * NaN.
 */
const rangePosition = (x: Column, window: number, scale: number): Column =>
  position(x, MIN(x, window), MAX(x, window), scale);

/** Place of RSI in its own range, 0..1, unsmoothed. First value at 2(n-1). */
export const STOCH_RSI = (window: number): Column => rangePosition(RSI(close, window), window, 1);

/**
 * True strength index: twice smoothed change over twice smoothed absolute change, -100..100. First
 * value at slow+fast-1.
 */
export function TSI(slow: number, fast: number): Column {
  const change = CHANGE(close, 1);
  return PERCENT(EMA(EMA(change, slow), fast), EMA(EMA(ABSOLUTE(change), slow), fast));
}

const buyingPressureKernel = defineKernel('BUYING_PRESSURE', ([l, c], _, [out]) => {
  out[0] = NaN;
  for (let t = 1; t < out.length; t++) out[t] = c[t] - Math.min(l[t], c[t - 1]);
});
const ultimateKernel = defineKernel('ULTIMATE', ([short, medium, long], _, [out]) => {
  for (let t = 0; t < out.length; t++) out[t] = (100 * (4 * short[t] + 2 * medium[t] + long[t])) / 7;
});

/**
 * Ultimate oscillator (Williams 1985): buying pressure over true range on three windows, weights 4,
 * 2, 1.
 */
export function ULTIMATE(short: number, medium: number, long: number): Column {
  const pressure = columnOf(buyingPressureKernel, [low, close]);
  const average = (window: number) => DIVIDE(SUM(pressure, window), SUM(trueRange, window));
  return columnOf(ultimateKernel, [average(short), average(medium), average(long)]);
}

/** Rate of change over n bars in percent. First value at n. */
export const ROC = (window: number): Column => GROWTH(close, window, 100);

/** Awesome oscillator: fast minus slow mean of the median price. */
export const AWESOME = (fast: number, slow: number): Column => SUBTRACT(SMA(medianPrice, fast), SMA(medianPrice, slow));

/** Fast minus slow EMA (APO; the MACD line). First value at slow-1. */
export const EMA_DIFFERENCE = (x: Column, fast: number, slow: number): Column => SUBTRACT(EMA(x, fast), EMA(x, slow));

/** The same as a percentage of the slow EMA (PPO of the close, PVO of the volume). */
export const PERCENT_OSCILLATOR = (x: Column, fast: number, slow: number): Column =>
  PERCENT(EMA_DIFFERENCE(x, fast, slow), EMA(x, slow));

/**
 * [line, signal, histogram] of prices without gaps: EMA_DIFFERENCE, its EMA and the difference of
 * the two, in one pass instead of five. The averages run on deviations from their first value, as
 * in `smooth`.
 */
const macdKernel = defineKernel(
  'MACD',
  ([x], [fast, slow, sign], [line, signal, histogram]) => {
    const length = x.length;
    const fastWeight = 2 / (fast + 1);
    const slowWeight = 2 / (slow + 1);
    const signalWeight = 2 / (sign + 1);
    const [fastKeep, slowKeep, signalKeep] = [1 - fastWeight, 1 - slowWeight, 1 - signalWeight];
    const lineFrom = Math.max(fast, slow) - 1;
    const anchor = x[0];
    let fastDeviation = 0;
    let slowDeviation = 0;
    let signalAnchor = 0;
    let signalDeviation = 0;
    for (let t = 0; t < length; t++) {
      const d = x[t] - anchor;
      fastDeviation = fastKeep * fastDeviation + fastWeight * d;
      slowDeviation = slowKeep * slowDeviation + slowWeight * d;
      const value = anchor + fastDeviation - (anchor + slowDeviation);
      if (t <= lineFrom) signalAnchor = value;
      signalDeviation = signalKeep * signalDeviation + signalWeight * (value - signalAnchor);
      const average = signalAnchor + signalDeviation;
      line[t] = value;
      signal[t] = average;
      histogram[t] = value - average;
    }
    line.fill(NaN, 0, Math.min(lineFrom, length));
    for (const column of [signal, histogram]) column.fill(NaN, 0, Math.min(lineFrom + sign - 1, length));
  },
  3,
  (kernels, length, [x], [fast, slow, sign], [line, signal, histogram]) =>
    kernels.macd(x, length, fast, slow, sign, line, signal, histogram),
);

/** [line, signal, histogram]. Signal from slow-1+sign-1 on. */
export function MACD(
  fast: number,
  slow: number,
  sign: number,
): readonly [line: Column, signal: Column, histogram: Column] {
  const [line, signal, histogram] = columnsOf(macdKernel, [close], [fast, slow, sign]);
  return [line, signal, histogram];
}

/** Balance of power: body over range of one bar; NaN on a bar without range. */
export const BALANCE_OF_POWER: Column = DIVIDE(SUBTRACT(close, open), barRange);

/** [gains, losses] of one bar, both 0 on bar 0 and on a tie. */
const movesKernel = defineKernel(
  'MOVES',
  ([x], _, [gains, losses]) => {
    for (let t = 0; t < x.length; t++) {
      const change = t === 0 ? 0 : x[t] - x[t - 1];
      gains[t] = change * Number(change > 0); // no branch on the direction
      losses[t] = -change * Number(change < 0);
    }
  },
  2,
);
/**
 * Chande momentum: (gains - losses) / (gains + losses) over the window, -100..100; NaN where
 * nothing moved.
 */
export function CHANDE_MOMENTUM(window: number): Column {
  const [gains, losses] = columnsOf(movesKernel, [close], []).map((moves) => SUM(moves, window));
  return PERCENT(SUBTRACT(gains, losses), ADD(gains, losses));
}

const cciKernel = defineKernel('CCI', ([x, mean, distance], [constant], [out]) => {
  for (let t = 0; t < out.length; t++) out[t] = (x[t] - mean[t]) / (constant * distance[t]);
});
/**
 * Commodity channel index (Lambert 1980). Distances are taken from each window's own mean: O(bars x
 * window).
 */
export const CCI = (window: number, constant: number): Column =>
  columnOf(cciKernel, [typicalPrice, SMA(typicalPrice, window), MEAN_DISTANCE(typicalPrice, window)], [constant]);

/**
 * Know sure thing (Pring): four smoothed rates of change, weights 1..4, in percent. The signal line
 * is its mean.
 */
export function KST(
  rocs: readonly [number, number, number, number],
  windows: readonly [number, number, number, number],
  signal: number,
): readonly [kst: Column, signal: Column] {
  const [r1, r2, r3, r4] = rocs.map((roc, i) => SMA(GROWTH(close, roc, 1), windows[i]));
  const kst = ADD(COMBINE(100, r1, 200, r2), COMBINE(300, r3, 400, r4));
  return [kst, SMA(kst, signal)];
}

const detrendedKernel = defineKernel('DETRENDED_PRICE', ([x, mean], [window], [out]) => {
  const lag = Math.floor(window / 2) + 1;
  out.fill(NaN, 0, Math.min(lag, out.length));
  for (let t = lag; t < out.length; t++) out[t] = x[t - lag] - mean[t];
});
/** Detrended price in its causal form: the close n/2+1 bars ago minus this bar's mean. */
export const DETRENDED_PRICE = (window: number): Column =>
  columnOf(detrendedKernel, [close, SMA(close, window)], [window]);

/**
 * Schaff trend cycle: the stochastic of the EMA difference, smoothed, and the same two steps once
 * more. 0/0 counts as a missing input.
 */
export function SCHAFF(slow: number, fast: number, cycle: number, smooth1: number, smooth2: number): Column {
  const k = rangePosition(EMA_DIFFERENCE(close, fast, slow), cycle, 100);
  return EMA(rangePosition(EMA(k, smooth1), cycle, 100), smooth2);
}

/**
 * Mass index (Dorsey 1992): sum of the ratio of single to double smoothed range. First value at
 * 2(fast-1)+slow-1.
 */
export function MASS(fast: number, slow: number): Column {
  const e1 = EMA(barRange, fast);
  return SUM(DIVIDE(e1, EMA(e1, fast)), slow);
}

/** Middle of the high-low range of the window (Ichimoku's tenkan and kijun). */
export const MIDPOINT = (window: number): Column => COMBINE(0.5, MAX(high, window), 0.5, MIN(low, window));

/** The Ichimoku lines, each read at its own bar (spans are not moved forward). */
export function ICHIMOKU(tenkanWindow: number, kijunWindow: number, senkouWindow: number) {
  const tenkan = MIDPOINT(tenkanWindow);
  const kijun = MIDPOINT(kijunWindow);
  return { tenkan, kijun, spanA: COMBINE(0.5, tenkan, 0.5, kijun), spanB: MIDPOINT(senkouWindow) };
}

export const MOMENTUM = (window: number): Column => CHANGE(close, window);

/** One-bar change times volume, exponentially smoothed. First value at n. */
export const FORCE = (volume: Column, window: number): Column => EMA(MULTIPLY(CHANGE(close, 1), volume), window);
