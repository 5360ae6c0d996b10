import { DIVIDE, SCALE } from './arithmetic.js';
import { type Column, close, columnOf, columnsOf, defineKernel, high, low } from './column.js';
import { SINCE_MAX, SUM } from './rolling.js';
import { rangeFrom, trueRange } from './volatility.js';

/**
 * Wilder's directional movement: [+DI, -DI, ADX]. The running sums start as the plain sum of bars
 * 1..n and then lose one n-th per bar. DI is readable from n+1, DX from n. ADX is the mean of
 * DX[n..2n-1] at 2n-1 and Wilder-smoothed after. NaN where a divisor is 0. Bars without a DX, as
 * at a flat start, are left out of the first mean, and count by the gap rule of `smooth` after it.
 * @see Wilder, New Concepts in Technical Trading Systems (1978)
 */
function directionalMovement(
  h: Float64Array,
  l: Float64Array,
  c: Float64Array,
  window: number,
  plusDi: Float64Array,
  minusDi: Float64Array,
  adx: Float64Array,
): void {
  const length = h.length;
  const keep = 1 - 1 / window;
  const weight = 1 / window;
  plusDi.fill(NaN, 0, Math.min(2 * window, length));
  minusDi.fill(NaN, 0, Math.min(2 * window, length));
  adx.fill(NaN, 0, Math.min(window, length));
  let range = 0;
  let plus = 0;
  let minus = 0;
  let average = 0;
  let indices = 0; // in the first mean
  let age = keep; // weight that the average keeps at the next index
  let highBefore = h[0];
  let lowBefore = l[0];
  let closeBefore = c[0];
  for (let t = 1; t < length; t++) {
    const up = h[t] - highBefore;
    const down = lowBefore - l[t];
    const fade = t > window ? keep : 1;
    range = range * fade + rangeFrom(closeBefore, h[t], l[t]);
    plus = plus * fade + (up > down && up > 0 ? up : 0);
    minus = minus * fade + (down > up && down > 0 ? down : 0);
    highBefore = h[t];
    lowBefore = l[t];
    closeBefore = c[t];
    if (t < window) continue;
    if (t > window) {
      plusDi[t] = 100 * (plus / range);
      minusDi[t] = 100 * (minus / range);
    }
    const index = 100 * (Math.abs(plus - minus) / (plus + minus));
    if (Number.isNaN(index)) {
      if (indices === window) age *= keep;
    } else if (indices < window) {
      average += index;
      if (++indices === window) average /= window;
    } else if (age === keep) {
      average += (index - average) * weight;
    } else {
      average += ((index - average) * weight) / (age + weight);
      age = keep;
    }
    adx[t] = indices === window ? average : NaN;
  }
}

const adxKernel = defineKernel(
  'ADX',
  ([h, l, c], [window], [plusDi, minusDi, adx]) => directionalMovement(h, l, c, window, plusDi, minusDi, adx),
  3,
  (kernels, length, [h, l, c], [window], [plusDi, minusDi, adx]) =>
    kernels.adx(h, l, c, length, window, plusDi, minusDi, adx),
);
export function ADX(window: number): readonly [plusDi: Column, minusDi: Column, adx: Column] {
  const [plusDi, minusDi, adx] = columnsOf(adxKernel, [high, low, close], [window]);
  return [plusDi, minusDi, adx];
}

const aroonKernel = defineKernel('AROON', ([since], [window], [out]) => {
  for (let t = 0; t < out.length; t++) out[t] = (100 * (window - since[t])) / window;
});
/**
 * 100 (position of the highest of the last n+1 values) / n. Position 0 is the oldest bar; of equal
 * values the oldest counts.
 */
const aroon = (x: Column, window: number): Column => columnOf(aroonKernel, [SINCE_MAX(x, window + 1)], [window]);

/** [up, down], 0..100. First value at n. */
export const AROON = (window: number): readonly [up: Column, down: Column] => [
  aroon(high, window),
  aroon(SCALE(-1, low), window),
];

const vortexMoveKernel = defineKernel('VORTEX_MOVE', ([to, from], _, [out]) => {
  out.fill(NaN, 0, 1);
  for (let t = 1; t < out.length; t++) out[t] = Math.abs(to[t] - from[t - 1]);
});
const vortexRangeKernel = defineKernel('VORTEX_RANGE', ([range], _, [out]) => {
  out.set(range);
  out.fill(NaN, 0, 1);
});

/**
 * [VI+, VI-]: sums of |high - previous low| and |low - previous high| over the sum of true ranges.
 * First value at n.
 */
export function VORTEX(window: number): readonly [plus: Column, minus: Column] {
  const range = SUM(columnOf(vortexRangeKernel, [trueRange]), window);
  const line = (to: Column, from: Column) => DIVIDE(SUM(columnOf(vortexMoveKernel, [to, from]), window), range);
  return [line(high, low), line(low, high)];
}

/**
 * Parabolic stop and reverse. Starts long on bar 2 with SAR = close on bars 0 and 1.
 * @see Wilder, New Concepts in Technical Trading Systems (1978)
 */
const psarKernel = defineKernel('PSAR', ([h, l, c], [step, maxStep], [sar]) => {
  const length = sar.length;
  for (let t = 0; t < Math.min(2, length); t++) sar[t] = c[t];
  let isLong = true;
  let factor = step;
  let extremeHigh = h[0];
  let extremeLow = l[0];
  for (let t = 2; t < length; t++) {
    let value: number;
    if (isLong) {
      value = sar[t - 1] + factor * (extremeHigh - sar[t - 1]);
      if (l[t] < value) {
        value = extremeHigh;
        extremeLow = l[t];
        factor = step;
        isLong = false;
      } else {
        if (h[t] > extremeHigh) {
          extremeHigh = h[t];
          factor = Math.min(factor + step, maxStep);
        }
        if (l[t - 2] < value) value = l[t - 2];
        else if (l[t - 1] < value) value = l[t - 1];
      }
    } else {
      value = sar[t - 1] - factor * (sar[t - 1] - extremeLow);
      if (h[t] > value) {
        value = extremeLow;
        extremeHigh = h[t];
        factor = step;
        isLong = true;
      } else {
        if (l[t] < extremeLow) {
          extremeLow = l[t];
          factor = Math.min(factor + step, maxStep);
        }
        if (h[t - 2] > value) value = h[t - 2];
        else if (h[t - 1] > value) value = h[t - 1];
      }
    }
    sar[t] = value;
  }
});
export const PSAR = (step: number, maxStep: number): Column =>
  columnOf(psarKernel, [high, low, close], [step, maxStep]);

/**
 * Direction of the SuperTrend, +1 or -1; NaN before bar n. The bands of the previous bar decide, as
 * already ratcheted. A bar whose close is outside these bands ratchets neither, even if the
 * direction stays the same.
 */
const superTrendKernel = defineKernel('SUPERTREND', ([h, l, c, range], [window, multiplier], [direction]) => {
  const length = direction.length;
  direction.fill(NaN);
  let current = 1;
  let previousLower = NaN;
  let previousUpper = NaN;
  for (let t = 0; t < length; t++) {
    const middle = (h[t] + l[t]) / 2;
    let lower = middle - multiplier * range[t];
    let upper = middle + multiplier * range[t];
    if (t > 0) {
      if (c[t] > previousUpper) current = 1;
      else if (c[t] < previousLower) current = -1;
      else if (current === 1 && lower < previousLower) lower = previousLower;
      else if (current === -1 && upper > previousUpper) upper = previousUpper;
    }
    if (t >= window) direction[t] = current;
    previousLower = lower;
    previousUpper = upper;
  }
});
export const SUPERTREND = (range: Column, window: number, multiplier: number): Column =>
  columnOf(superTrendKernel, [high, low, close, range], [window, multiplier]);

/** Direction of an ATR trailing stop: 0 before bar n, then +1 or -1. */
const atrStopKernel = defineKernel('ATR_STOP', ([c, range], [window, multiplier], [direction]) => {
  let current = 0;
  let stop = 0;
  for (let t = 0; t < direction.length; t++) {
    const distance = multiplier * range[t];
    if (t === window) {
      current = c[t] >= c[t - 1] ? 1 : -1;
      stop = c[t] - current * distance;
    } else if (current === 1) {
      if (c[t] < stop) {
        current = -1;
        stop = c[t] + distance;
      } else {
        stop = Math.max(stop, c[t] - distance);
      }
    } else if (current === -1) {
      if (c[t] > stop) {
        current = 1;
        stop = c[t] - distance;
      } else {
        stop = Math.min(stop, c[t] + distance);
      }
    }
    direction[t] = current;
  }
});
export const ATR_STOP = (range: Column, window: number, multiplier: number): Column =>
  columnOf(atrStopKernel, [close, range], [window, multiplier]);
