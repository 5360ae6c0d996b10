import { type Column, close, columnOf, defineKernel, high, low, type OpenStream } from './column.js';
import { bars, line, n, next, overBars, two } from './indicator.js';
import { float } from './params.js';
import { Recent } from './stream.js';
import { ATR } from './volatility.js';

/** Parabolic stop and reverse, see the kernel. */
const psarStream: OpenStream = ([step, maxStep]) => {
  let isLong = true;
  let factor = step;
  let extremeHigh = NaN;
  let extremeLow = NaN;
  let sar = NaN;
  const [highs, lows] = [new Recent(3), new Recent(3)];
  let t = -1;
  return ([high, low, close], outputs) => {
    t++;
    highs.add(high);
    lows.add(low);
    if (t === 0) {
      extremeHigh = high;
      extremeLow = low;
    }
    if (t < 2) {
      sar = close;
    } else if (isLong) {
      let value = sar + factor * (extremeHigh - sar);
      if (low < value) {
        value = extremeHigh;
        extremeLow = low;
        factor = step;
        isLong = false;
      } else {
        if (high > extremeHigh) {
          extremeHigh = high;
          factor = Math.min(factor + step, maxStep);
        }
        if (lows.at(2) < value) value = lows.at(2);
        else if (lows.at(1) < value) value = lows.at(1);
      }
      sar = value;
    } else {
      let value = sar - factor * (sar - extremeLow);
      if (high > value) {
        value = extremeLow;
        extremeHigh = high;
        factor = step;
        isLong = true;
      } else {
        if (low < extremeLow) {
          extremeLow = low;
          factor = Math.min(factor + step, maxStep);
        }
        if (highs.at(2) > value) value = highs.at(2);
        else if (highs.at(1) > value) value = highs.at(1);
      }
      sar = value;
    }
    outputs[0] = sar;
  };
};

/**
 * Parabolic stop and reverse. Starts long on bar 2 with SAR = close on bars 0 and 1.
 * @see Wilder, New Concepts in Technical Trading Systems (1978)
 */
const psarKernel = defineKernel('PSAR', psarStream, ([h, l, c], [step, maxStep], [sar]) => {
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

/** Direction of the SuperTrend, see the kernel. */
const superTrendStream: OpenStream = ([window, multiplier]) => {
  let current = 1;
  let previousLower = NaN;
  let previousUpper = NaN;
  let t = -1;
  return ([high, low, close, range], outputs) => {
    t++;
    const middle = (high + low) / 2;
    let lower = middle - multiplier * range;
    let upper = middle + multiplier * range;
    if (t > 0) {
      if (close > previousUpper) current = 1;
      else if (close < previousLower) current = -1;
      else if (current === 1 && lower < previousLower) lower = previousLower;
      else if (current === -1 && upper > previousUpper) upper = previousUpper;
    }
    outputs[0] = t >= window ? current : NaN;
    previousLower = lower;
    previousUpper = upper;
  };
};

/**
 * Direction of the SuperTrend, +1 or -1; NaN before bar n. The bands of the previous bar decide, as
 * already ratcheted. A bar whose close is outside these bands ratchets neither, even if the
 * direction stays the same.
 */
const superTrendKernel = defineKernel(
  'SUPERTREND',
  superTrendStream,
  ([h, l, c, range], [window, multiplier], [direction]) => {
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
  },
);
export const SUPERTREND = (range: Column, window: number, multiplier: number): Column =>
  columnOf(superTrendKernel, [high, low, close, range], [window, multiplier]);

/** Direction of an ATR trailing stop, see the kernel. */
const atrStopStream: OpenStream = ([window, multiplier]) => {
  let current = 0;
  let stop = 0;
  let before = NaN;
  let t = -1;
  return ([close, range], outputs) => {
    t++;
    const distance = multiplier * range;
    if (t === window) {
      current = close >= before ? 1 : -1;
      stop = close - current * distance;
    } else if (current === 1) {
      if (close < stop) {
        current = -1;
        stop = close + distance;
      } else {
        stop = Math.max(stop, close - distance);
      }
    } else if (current === -1) {
      if (close > stop) {
        current = 1;
        stop = close - distance;
      } else {
        stop = Math.min(stop, close + distance);
      }
    }
    before = close;
    outputs[0] = current;
  };
};

/** Direction of an ATR trailing stop: 0 before bar n, then +1 or -1. */
const atrStopKernel = defineKernel('ATR_STOP', atrStopStream, ([c, range], [window, multiplier], [direction]) => {
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

export const trailingStops = {
  PSAR: overBars({
    title: 'Parabolic stop and reverse',
    formula:
      'sar[0] = C[0], sar[1] = C[1]; start long, af = step, eh = H[0], el = L[0]; for t >= 2 long: v = sar[t-1]+af*(eh-sar[t-1]); if L[t] < v: v = eh, el = L[t], af = step, go short; else { if H[t] > eh: eh = H[t], af = min(af+step,max_step); if L[t-2] < v: v = L[t-2] else if L[t-1] < v: v = L[t-1] }; short: v = sar[t-1]-af*(sar[t-1]-el); if H[t] > v: v = el, eh = H[t], af = step, go long; else { if L[t] < el: el = L[t], af = min(af+step,max_step); if H[t-2] > v: v = H[t-2] else if H[t-1] > v: v = H[t-1] }; sar[t] = v',
    params: { step: float(0.0001, 1, 0.02), max_step: float(0.0001, 1, 0.2) },
    lines: (p) => ({ psar: PSAR(p.step, p.max_step) }),
    functions: { psar: line('psar', 'parabolic stop and reverse', { step: 'step', max_step: 'max_step' }, two) },
  }),
  SUPERTREND: overBars({
    title: 'SuperTrend',
    formula:
      'n = window; lo/up = (H+L)/2 -/+ multiplier*ATR(n) (NaN in warm-up); cur = +1; for t = 1,2,..: if C[t] > up[t-1]: cur = +1; else if C[t] < lo[t-1]: cur = -1; else if cur is +1 and lo[t] < lo[t-1]: lo[t] = lo[t-1]; else if cur is -1 and up[t] > up[t-1]: up[t] = up[t-1] (previous bands as already ratcheted); dir[t] = cur for t >= n, NaN before',
    params: { window: bars(10), multiplier: float(0, 100, 3) },
    lines: ({ window, multiplier }) => ({ direction: SUPERTREND(ATR(window), window, multiplier) }),
    functions: { supertrend: line('direction', 'direction, +1 or -1', { ...n, multiplier: 'multiplier' }, next) },
  }),
  ATR_STOP: overBars({
    title: 'ATR trailing stop',
    formula:
      'n = window; dir = 0 before bar n; dir[n] = +1 if C[n] >= C[n-1] else -1, stop = C[n]-dir*multiplier*ATR[n]; afterwards long: if C[t] < stop then dir = -1, stop = C[t]+multiplier*ATR[t], else stop = max(stop, C[t]-multiplier*ATR[t]); short: if C[t] > stop then dir = +1, stop = C[t]-multiplier*ATR[t], else stop = min(stop, C[t]+multiplier*ATR[t])',
    params: { window: bars(14), multiplier: float(0, 100, 3) },
    lines: ({ window, multiplier }) => ({ direction: ATR_STOP(ATR(window), window, multiplier) }),
    functions: {
      atr_stop: line(
        'direction',
        'direction of an ATR trailing stop, +1 or -1',
        { ...n, multiplier: 'multiplier' },
        next,
      ),
    },
  }),
} as const;
