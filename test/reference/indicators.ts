// Deliberately naive: every value at t is a loop over bars at or before t, so the code shows that
// nothing looks ahead.

export type Series = readonly number[];

/** Bars before the first one do not exist. */
export const at = (x: Series, i: number): number => (i < 0 ? NaN : x[i]);

const build = (length: number, valueAt: (t: number) => number): number[] => {
  const out: number[] = [];
  for (let t = 0; t < length; t++) out.push(valueAt(t));
  return out;
};

const combine = (a: Series, b: Series, f: (a: number, b: number) => number): number[] =>
  build(a.length, (t) => f(a[t], b[t]));

/** `f` of the n values ending at t; NaN while there are fewer or when one of them is NaN. */
const rolling = (x: Series, n: number, f: (window: number[]) => number): number[] =>
  build(x.length, (t) => {
    if (t < n - 1) return NaN;
    const window: number[] = [];
    for (let i = t - n + 1; i <= t; i++) {
      if (Number.isNaN(x[i])) return NaN;
      window.push(x[i]);
    }
    return f(window);
  });

export const sumOf = (values: Series): number => {
  let total = 0;
  for (const value of values) total += value;
  return total;
};

export const meanOf = (values: Series): number => sumOf(values) / values.length;

/** `ddof` 0 is the population deviation, 1 the sample deviation. */
export const deviationOf = (values: Series, ddof: 0 | 1): number => {
  const mean = meanOf(values);
  return Math.sqrt(sumOf(values.map((value) => (value - mean) ** 2)) / (values.length - ddof));
};

export const rollingSum = (x: Series, n: number): number[] => rolling(x, n, sumOf);
export const rollingMax = (x: Series, n: number): number[] => rolling(x, n, (window) => Math.max(...window));
export const rollingMin = (x: Series, n: number): number[] => rolling(x, n, (window) => Math.min(...window));

export const sma = (x: Series, n: number): number[] => rolling(x, n, meanOf);

export const wma = (x: Series, n: number): number[] =>
  rolling(x, n, (window) => sumOf(window.map((value, i) => (i + 1) * value)) / ((n * (n + 1)) / 2));

export const epma = (x: Series, n: number): number[] =>
  rolling(x, n, (window) => sumOf(window.map((value, i) => ((6 * i + 4 - 2 * n) / (n * (n + 1))) * value)));

/** Section 3.3: no seed average, published from the n-th input on, weights aged over gaps. */
function exponential(x: Series, n: number, a: number): number[] {
  const out: number[] = [];
  let inputs = 0;
  let gap = 0;
  let e = NaN;
  for (const value of x) {
    if (Number.isNaN(value)) {
      gap += 1;
    } else {
      if (inputs === 0) e = value;
      else if (gap === 0) e = (1 - a) * e + a * value;
      else {
        const aged = (1 - a) ** (gap + 1);
        e = (aged * e + a * value) / (aged + a);
      }
      inputs += 1;
      gap = 0;
    }
    out.push(inputs >= n ? e : NaN);
  }
  return out;
}

export const ema = (x: Series, n: number): number[] => exponential(x, n, 2 / (n + 1));
export const rma = (x: Series, n: number): number[] => exponential(x, n, 1 / n);

export function dema(x: Series, n: number): number[] {
  const e1 = ema(x, n);
  const e2 = ema(e1, n);
  return combine(e1, e2, (a, b) => 2 * a - b);
}

export function tema(x: Series, n: number): number[] {
  const e1 = ema(x, n);
  const e2 = ema(e1, n);
  const e3 = ema(e2, n);
  return build(x.length, (t) => 3 * e1[t] - 3 * e2[t] + e3[t]);
}

export function trix(x: Series, n: number): number[] {
  const e3 = ema(ema(ema(x, n), n), n);
  return build(x.length, (t) => (100 * (e3[t] - at(e3, t - 1))) / at(e3, t - 1));
}

export function t3(x: Series, n: number, v: number): number[] {
  const e2 = ema(ema(x, n), n);
  const e3 = ema(e2, n);
  const e4 = ema(e3, n);
  const e5 = ema(e4, n);
  const e6 = ema(e5, n);
  return build(
    x.length,
    (t) =>
      -(v ** 3) * e6[t] +
      (3 * v ** 2 + 3 * v ** 3) * e5[t] +
      (-6 * v ** 2 - 3 * v - 3 * v ** 3) * e4[t] +
      (1 + 3 * v + 3 * v ** 2 + v ** 3) * e3[t],
  );
}

export function trima(x: Series, n: number): number[] {
  const odd = n % 2 === 1;
  const inner = odd ? (n + 1) / 2 : n / 2;
  const outer = odd ? (n + 1) / 2 : n / 2 + 1;
  return sma(sma(x, inner), outer);
}

export function hma(x: Series, n: number): number[] {
  const half = wma(x, Math.max(1, Math.floor(n / 2)));
  const full = wma(x, n);
  const raw = combine(half, full, (a, b) => 2 * a - b);
  return wma(raw, Math.max(1, Math.floor(Math.sqrt(n))));
}

export function alma(x: Series, n: number, offset: number, sigma: number): number[] {
  const centre = Math.floor(offset * (n - 1));
  const weights = build(n, (i) => Math.exp(-0.5 * ((sigma / n) * (i - centre)) ** 2));
  return rolling(x, n, (window) => sumOf(window.map((value, i) => weights[i] * value)) / sumOf(weights));
}

export function kama(close: Series, n: number, pow1: number, pow2: number): number[] {
  const fast = 2 / (pow1 + 1);
  const slow = 2 / (pow2 + 1);
  const out: number[] = [];
  for (let t = 0; t < close.length; t++) {
    if (t < n - 1) out.push(NaN);
    else if (t === n - 1) out.push(meanOf(close.slice(0, n)));
    else {
      const change = Math.abs(close[t] - close[t - n]);
      let path = 0;
      for (let i = t - n + 1; i <= t; i++) path += Math.abs(close[i] - close[i - 1]);
      const efficiency = path === 0 ? 0 : change / path;
      const smoothing = (efficiency * (fast - slow) + slow) ** 2;
      out.push(out[t - 1] + smoothing * (close[t] - out[t - 1]));
    }
  }
  return out;
}

export interface Mama {
  mama: number[];
  fama: number[];
  /**
   * Smallest distance of any sign decision up to t from flipping; the phase jumps where a sign
   * flips.
   */
  margin: number[];
}

const atanDegrees = (x: number): number => (Math.atan(x) * 180) / Math.PI;

export function mama(price: Series, fastLimit: number, slowLimit: number, warmupBars: number): Mama {
  const zeros = () => build(price.length, () => 0);
  const [s, det, q1, i1, i2, q2, re, im, period, phase] = build(10, () => 0).map(zeros);
  const mamaLine = zeros();
  const famaLine = zeros();
  const margin = build(price.length, () => Infinity);
  const past = (a: Series, i: number) => (i < 0 ? 0 : a[i]);
  const filter = (a: Series, i: number) =>
    0.0962 * a[i] + 0.5769 * past(a, i - 2) - 0.5769 * past(a, i - 4) - 0.0962 * past(a, i - 6);
  for (let i = 6; i < price.length; i++) {
    const gain = 0.075 * period[i - 1] + 0.54;
    s[i] = 0.4 * price[i] + 0.3 * price[i - 1] + 0.2 * price[i - 2] + 0.1 * price[i - 3];
    det[i] = gain * filter(s, i);
    q1[i] = gain * filter(det, i);
    i1[i] = det[i - 3];
    const jI = gain * filter(i1, i);
    const jQ = gain * filter(q1, i);
    i2[i] = 0.2 * (i1[i] - jQ) + 0.8 * i2[i - 1];
    q2[i] = 0.2 * (q1[i] + jI) + 0.8 * q2[i - 1];
    re[i] = 0.2 * (i2[i] * i2[i - 1] + q2[i] * q2[i - 1]) + 0.8 * re[i - 1];
    im[i] = 0.2 * (i2[i] * q2[i - 1] - q2[i] * i2[i - 1]) + 0.8 * im[i - 1];
    let raw = re[i] !== 0 && im[i] !== 0 ? 360 / atanDegrees(im[i] / re[i]) : 0;
    raw = Math.min(raw, 1.5 * period[i - 1]);
    raw = Math.max(raw, 0.67 * period[i - 1]);
    raw = Math.max(raw, 6);
    raw = Math.min(raw, 50);
    period[i] = 0.2 * raw + 0.8 * period[i - 1];
    phase[i] = i1[i] !== 0 ? atanDegrees(q1[i] / i1[i]) : 0;
    const d = Math.max(phase[i - 1] - phase[i], 1);
    const alpha = Math.min(Math.max(fastLimit / d, slowLimit), fastLimit);
    mamaLine[i] = alpha * price[i] + (1 - alpha) * mamaLine[i - 1];
    famaLine[i] = 0.5 * alpha * mamaLine[i] + (1 - 0.5 * alpha) * famaLine[i - 1];

    const size = Math.abs(s[i]);
    const signMargin = (value: number, scale: number) =>
      value === 0 && i < 9 ? Infinity : Math.abs(value) / Math.max(Math.abs(value), scale, 1e-300);
    const product = (Math.abs(i2[i]) + Math.abs(q2[i])) * size;
    margin[i] = Math.min(
      margin[i - 1],
      signMargin(i1[i], size),
      signMargin(re[i], product),
      signMargin(im[i], product),
    );
  }
  const publish = (line: Series) => build(price.length, (t) => (t < warmupBars ? NaN : line[t]));
  return { mama: publish(mamaLine), fama: publish(famaLine), margin };
}

const weightedMean = (price: Series, volume: Series, n: number): number[] => {
  const top = rollingSum(
    combine(price, volume, (p, v) => p * v),
    n,
  );
  return combine(top, rollingSum(volume, n), (a, b) => a / b);
};

export const vwma = (close: Series, volume: Series, n: number): number[] => weightedMean(close, volume, n);

/** Evaluated left to right: equal typical prices of two bars must be exactly equal. */
export const typicalPrice = (high: Series, low: Series, close: Series): number[] =>
  build(close.length, (t) => (high[t] + low[t] + close[t]) / 3);

export const medianPrice = (high: Series, low: Series): number[] => combine(high, low, (h, l) => (h + l) / 2);

export const vwap = (high: Series, low: Series, close: Series, volume: Series, n: number): number[] =>
  weightedMean(typicalPrice(high, low, close), volume, n);

export function rsi(x: Series, n: number): number[] {
  const first = x.findIndex((value) => !Number.isNaN(value));
  const gains = build(x.length, (t) => (t === first ? 0 : Math.max(x[t] - at(x, t - 1), 0)));
  const losses = build(x.length, (t) => (t === first ? 0 : Math.max(at(x, t - 1) - x[t], 0)));
  return combine(rma(gains, n), rma(losses, n), (g, l) => (l === 0 ? 100 : 100 - 100 / (1 + g / l)));
}

export function stochK(high: Series, low: Series, close: Series, n: number): number[] {
  const hh = rollingMax(high, n);
  const ll = rollingMin(low, n);
  return build(close.length, (t) => (hh[t] === ll[t] ? NaN : (100 * (close[t] - ll[t])) / (hh[t] - ll[t])));
}

export function williamsR(high: Series, low: Series, close: Series, n: number): number[] {
  const hh = rollingMax(high, n);
  const ll = rollingMin(low, n);
  return build(close.length, (t) => (-100 * (hh[t] - close[t])) / (hh[t] - ll[t]));
}

export interface StochRsi {
  value: number[];
  /** Width of the RSI range that is the divisor. */
  width: number[];
}

export function stochRsi(close: Series, n: number): StochRsi {
  const r = rsi(close, n);
  const top = rollingMax(r, n);
  const bottom = rollingMin(r, n);
  const width = combine(top, bottom, (a, b) => a - b);
  return { value: build(close.length, (t) => (width[t] === 0 ? NaN : (r[t] - bottom[t]) / width[t])), width };
}

export function tsi(close: Series, slow: number, fast: number): number[] {
  const d = build(close.length, (t) => close[t] - at(close, t - 1));
  const top = ema(ema(d, slow), fast);
  const bottom = ema(ema(d.map(Math.abs), slow), fast);
  return combine(top, bottom, (a, b) => (100 * a) / b);
}

export const trueRange = (high: Series, low: Series, close: Series): number[] =>
  build(close.length, (t) =>
    t === 0
      ? high[0] - low[0]
      : Math.max(high[t] - low[t], Math.abs(high[t] - close[t - 1]), Math.abs(low[t] - close[t - 1])),
  );

export function atr(high: Series, low: Series, close: Series, n: number): number[] {
  const tr = trueRange(high, low, close);
  const out: number[] = [];
  for (let t = 0; t < tr.length; t++) {
    if (t < n - 1) out.push(NaN);
    else if (t === n - 1) out.push(meanOf(tr.slice(0, n)));
    else out.push(out[t - 1] + (tr[t] - out[t - 1]) / n);
  }
  return out;
}

export const natr = (high: Series, low: Series, close: Series, n: number): number[] =>
  combine(atr(high, low, close, n), close, (a, c) => (100 * a) / c);

export function ultimate(
  high: Series,
  low: Series,
  close: Series,
  short: number,
  medium: number,
  long: number,
): number[] {
  const tr = trueRange(high, low, close);
  const bp = build(close.length, (t) => close[t] - Math.min(low[t], at(close, t - 1)));
  const average = (n: number) => combine(rollingSum(bp, n), rollingSum(tr, n), (a, b) => a / b);
  const [a, b, c] = [average(short), average(medium), average(long)];
  return build(close.length, (t) => (100 * (4 * a[t] + 2 * b[t] + c[t])) / 7);
}

export const roc = (close: Series, n: number): number[] =>
  build(close.length, (t) => (100 * (close[t] - at(close, t - n))) / at(close, t - n));

export const mom = (close: Series, n: number): number[] => build(close.length, (t) => close[t] - at(close, t - n));

export function awesome(high: Series, low: Series, fast: number, slow: number): number[] {
  const m = medianPrice(high, low);
  return combine(sma(m, fast), sma(m, slow), (a, b) => a - b);
}

export interface LineAndSignal {
  line: number[];
  signal: number[];
}

export const emaDifference = (x: Series, fast: number, slow: number): number[] =>
  combine(ema(x, fast), ema(x, slow), (a, b) => a - b);

export function macd(close: Series, fast: number, slow: number, sign: number): LineAndSignal {
  const line = emaDifference(close, fast, slow);
  return { line, signal: ema(line, sign) };
}

/** PPO on closes, PVO on volumes. */
export function percentOscillator(x: Series, fast: number, slow: number, sign: number): LineAndSignal {
  const line = combine(ema(x, fast), ema(x, slow), (f, s) => (100 * (f - s)) / s);
  return { line, signal: ema(line, sign) };
}

export const bop = (open: Series, high: Series, low: Series, close: Series): number[] =>
  build(close.length, (t) => (high[t] === low[t] ? NaN : (close[t] - open[t]) / (high[t] - low[t])));

export function cmo(close: Series, n: number): number[] {
  const up = build(close.length, (t) => (t === 0 ? 0 : Math.max(close[t] - close[t - 1], 0)));
  const down = build(close.length, (t) => (t === 0 ? 0 : Math.max(close[t - 1] - close[t], 0)));
  return combine(rollingSum(up, n), rollingSum(down, n), (p, m) => (100 * (p - m)) / (p + m));
}

export interface Adx {
  adx: number[];
  plus: number[];
  minus: number[];
}

export function adx(high: Series, low: Series, close: Series, n: number): Adx {
  const length = close.length;
  const up = (t: number) => high[t] - high[t - 1];
  const down = (t: number) => low[t - 1] - low[t];
  const plusMove = build(length, (t) => (t === 0 ? NaN : up(t) > down(t) && up(t) > 0 ? up(t) : 0));
  const minusMove = build(length, (t) => (t === 0 ? NaN : down(t) > up(t) && down(t) > 0 ? down(t) : 0));
  const range = build(length, (t) =>
    t === 0 ? NaN : Math.max(high[t], close[t - 1]) - Math.min(low[t], close[t - 1]),
  );
  const wilderSum = (x: Series) => {
    const out: number[] = [];
    for (let t = 0; t < length; t++) {
      if (t < n) out.push(NaN);
      else if (t === n) out.push(sumOf(x.slice(1, n + 1)));
      else out.push(out[t - 1] - out[t - 1] / n + x[t]);
    }
    return out;
  };
  const rangeSum = wilderSum(range);
  const indicator = (x: Series) => combine(wilderSum(x), rangeSum, (s, r) => (r === 0 ? NaN : (100 * s) / r));
  const plusAll = indicator(plusMove);
  const minusAll = indicator(minusMove);
  const dx = combine(plusAll, minusAll, (p, m) => (p + m === 0 ? NaN : (100 * Math.abs(p - m)) / (p + m)));
  // The mean of the first n values that DX has; after that the gap rule of section 3.3.
  const line: number[] = [];
  const first: number[] = [];
  let gap = 0;
  for (let t = 0; t < length; t++) {
    const before = line[t - 1];
    if (Number.isNaN(dx[t])) {
      if (first.length === n) gap += 1;
      line.push(first.length === n ? before : NaN);
    } else if (first.length < n) {
      first.push(dx[t]);
      line.push(first.length === n ? meanOf(first) : NaN);
    } else {
      const aged = (1 - 1 / n) ** (gap + 1);
      line.push(gap === 0 ? before + (dx[t] - before) / n : (aged * before + dx[t] / n) / (aged + 1 / n));
      gap = 0;
    }
  }
  const publish = (x: Series) => build(length, (t) => (t < n + 1 ? NaN : x[t]));
  return { adx: line, plus: publish(plusAll), minus: publish(minusAll) };
}

export function aroon(high: Series, low: Series, n: number): { up: number[]; down: number[] } {
  const position = (window: number[], better: (a: number, b: number) => boolean) => {
    let best = 0;
    for (let i = 1; i < window.length; i++) if (better(window[i], window[best])) best = i;
    return (100 * best) / n;
  };
  return {
    up: rolling(high, n + 1, (window) => position(window, (a, b) => a > b)),
    down: rolling(low, n + 1, (window) => position(window, (a, b) => a < b)),
  };
}

export function massIndex(high: Series, low: Series, fast: number, slow: number): number[] {
  const e1 = ema(
    combine(high, low, (h, l) => h - l),
    fast,
  );
  const e2 = ema(e1, fast);
  return rollingSum(
    combine(e1, e2, (a, b) => a / b),
    slow,
  );
}

export interface Ichimoku {
  tenkan: number[];
  kijun: number[];
  spanA: number[];
  spanB: number[];
}

export function ichimoku(high: Series, low: Series, tenkan: number, kijun: number, senkou: number): Ichimoku {
  const mid = (n: number) => combine(rollingMax(high, n), rollingMin(low, n), (h, l) => (h + l) / 2);
  const t = mid(tenkan);
  const k = mid(kijun);
  return { tenkan: t, kijun: k, spanA: combine(t, k, (a, b) => (a + b) / 2), spanB: mid(senkou) };
}

export function kst(close: Series, rocs: Series, windows: Series, sign: number): LineAndSignal {
  const parts = rocs.map((n, i) =>
    sma(
      build(close.length, (t) => (close[t] - at(close, t - n)) / at(close, t - n)),
      windows[i],
    ),
  );
  const [r1, r2, r3, r4] = parts;
  const line = build(close.length, (t) => 100 * (r1[t] + 2 * r2[t] + 3 * r3[t] + 4 * r4[t]));
  return { line, signal: sma(line, sign) };
}

export function dpo(close: Series, n: number): number[] {
  const average = sma(close, n);
  return build(close.length, (t) => at(close, t - (Math.floor(n / 2) + 1)) - average[t]);
}

export const meanAbsoluteDeviation = (x: Series, n: number): number[] =>
  rolling(x, n, (window) => {
    const mean = meanOf(window);
    return meanOf(window.map((value) => Math.abs(value - mean)));
  });

export function cci(high: Series, low: Series, close: Series, n: number, constant: number): number[] {
  const tp = typicalPrice(high, low, close);
  const mean = sma(tp, n);
  const mad = meanAbsoluteDeviation(tp, n);
  return build(close.length, (t) => (tp[t] - mean[t]) / (constant * mad[t]));
}

export function vortex(high: Series, low: Series, close: Series, n: number): { plus: number[]; minus: number[] } {
  const tr = trueRange(high, low, close);
  const up = build(close.length, (t) => Math.abs(high[t] - at(low, t - 1)));
  const down = build(close.length, (t) => Math.abs(low[t] - at(high, t - 1)));
  const total = rollingSum(tr, n);
  return {
    plus: combine(rollingSum(up, n), total, (a, b) => a / b),
    minus: combine(rollingSum(down, n), total, (a, b) => a / b),
  };
}

export function psar(high: Series, low: Series, close: Series, step: number, maxStep: number): number[] {
  const sar: number[] = [];
  let long = true;
  let af = step;
  let eh = high[0];
  let el = low[0];
  for (let t = 0; t < close.length; t++) {
    if (t < 2) {
      sar.push(close[t]);
      continue;
    }
    let v: number;
    if (long) {
      v = sar[t - 1] + af * (eh - sar[t - 1]);
      if (low[t] < v) {
        v = eh;
        el = low[t];
        af = step;
        long = false;
      } else {
        if (high[t] > eh) {
          eh = high[t];
          af = Math.min(af + step, maxStep);
        }
        if (low[t - 2] < v) v = low[t - 2];
        else if (low[t - 1] < v) v = low[t - 1];
      }
    } else {
      v = sar[t - 1] - af * (sar[t - 1] - el);
      if (high[t] > v) {
        v = el;
        eh = high[t];
        af = step;
        long = true;
      } else {
        if (low[t] < el) {
          el = low[t];
          af = Math.min(af + step, maxStep);
        }
        if (high[t - 2] > v) v = high[t - 2];
        else if (high[t - 1] > v) v = high[t - 1];
      }
    }
    sar.push(v);
  }
  return sar;
}

export interface Stc {
  value: number[];
  /**
   * Smallest range so far that was a divisor, relative to its operands: near zero the quotient is
   * rounding noise.
   */
  margin: number[];
}

export function stc(close: Series, slow: number, fast: number, cycle: number, smooth1: number, smooth2: number): Stc {
  const m = emaDifference(close, fast, slow);
  const inCycle = (x: Series) => {
    const top = rollingMax(x, cycle);
    const bottom = rollingMin(x, cycle);
    const value = build(x.length, (t) => (100 * (x[t] - bottom[t])) / (top[t] - bottom[t]));
    return { value, width: combine(top, bottom, (a, b) => a - b) };
  };
  const first = inCycle(m);
  const second = inCycle(ema(first.value, smooth1));
  const price = ema(close, slow);
  const margin: number[] = [];
  for (let t = 0; t < close.length; t++) {
    let smallest = t === 0 ? Infinity : margin[t - 1];
    // A one-bar cycle is 0/0 on every bar, under any rounding.
    if (cycle > 1) {
      if (first.width[t] >= 0) smallest = Math.min(smallest, first.width[t] / Math.abs(price[t]));
      if (second.width[t] >= 0) smallest = Math.min(smallest, second.width[t] / 100);
    }
    margin.push(smallest);
  }
  return { value: ema(second.value, smooth2), margin };
}

export function heikinAshi(
  open: Series,
  high: Series,
  low: Series,
  close: Series,
): { open: number[]; close: number[] } {
  const hc = build(close.length, (t) => (open[t] + high[t] + low[t] + close[t]) / 4);
  const ho: number[] = [];
  for (let t = 0; t < close.length; t++) ho.push(t === 0 ? (open[0] + close[0]) / 2 : (ho[t - 1] + hc[t - 1]) / 2);
  return { open: ho, close: hc };
}

export function chandelier(
  high: Series,
  low: Series,
  close: Series,
  n: number,
  multiplier: number,
): { highOffset: number[]; lowOffset: number[] } {
  const range = atr(high, low, close, n);
  return {
    highOffset: combine(rollingMax(high, n), range, (h, a) => h - multiplier * a),
    lowOffset: combine(rollingMin(low, n), range, (l, a) => l + multiplier * a),
  };
}

export function alligatorLine(high: Series, low: Series, n: number, offset: number): number[] {
  const line = rma(medianPrice(high, low), n);
  return build(high.length, (t) => at(line, t - offset));
}

export interface Regime {
  dir: number[];
  /**
   * Smallest relative distance of any switching test so far, because the state depends on all of
   * them.
   */
  margin: number[];
}

const distance = (a: number, b: number): number => {
  const d = Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b), 1e-300);
  return Number.isNaN(d) ? Infinity : d;
};

export function superTrend(high: Series, low: Series, close: Series, n: number, multiplier: number): Regime {
  const m = medianPrice(high, low);
  const range = atr(high, low, close, n);
  const lo = combine(m, range, (x, a) => x - multiplier * a);
  const up = combine(m, range, (x, a) => x + multiplier * a);
  const dir: number[] = [];
  const margin: number[] = [];
  let current = 1;
  let smallest = Infinity;
  for (let t = 0; t < close.length; t++) {
    if (t > 0) {
      smallest = Math.min(smallest, distance(close[t], up[t - 1]), distance(close[t], lo[t - 1]));
      if (close[t] > up[t - 1]) current = 1;
      else if (close[t] < lo[t - 1]) current = -1;
      else if (current === 1 && lo[t] < lo[t - 1]) lo[t] = lo[t - 1];
      else if (current === -1 && up[t] > up[t - 1]) up[t] = up[t - 1];
    }
    dir.push(t < n ? NaN : current);
    margin.push(smallest);
  }
  return { dir, margin };
}

export function atrStop(high: Series, low: Series, close: Series, n: number, multiplier: number): Regime {
  const range = atr(high, low, close, n);
  const dir: number[] = [];
  const margin: number[] = [];
  let current = 0;
  let stop = NaN;
  let smallest = Infinity;
  for (let t = 0; t < close.length; t++) {
    if (t === n) {
      current = close[n] >= close[n - 1] ? 1 : -1;
      stop = close[n] - current * multiplier * range[n];
    } else if (t > n) {
      smallest = Math.min(smallest, distance(close[t], stop));
      if (current === 1) {
        if (close[t] < stop) {
          current = -1;
          stop = close[t] + multiplier * range[t];
        } else stop = Math.max(stop, close[t] - multiplier * range[t]);
      } else if (close[t] > stop) {
        current = 1;
        stop = close[t] - multiplier * range[t];
      } else stop = Math.min(stop, close[t] + multiplier * range[t]);
    }
    dir.push(current);
    margin.push(smallest);
  }
  return { dir, margin };
}

export interface Bands {
  upper: number[];
  mid: number[];
  lower: number[];
}

const bandsAround = (mid: Series, width: Series): Bands => ({
  mid: [...mid],
  upper: combine(mid, width, (m, w) => m + w),
  lower: combine(mid, width, (m, w) => m - w),
});

export const bollinger = (close: Series, n: number, k: number): Bands =>
  bandsAround(
    sma(close, n),
    rolling(close, n, (window) => k * deviationOf(window, 0)),
  );

export function bollingerWidth(close: Series, n: number, k: number): number[] {
  const bands = bollinger(close, n, k);
  return build(close.length, (t) => (100 * (bands.upper[t] - bands.lower[t])) / bands.mid[t]);
}

export const keltner = (
  high: Series,
  low: Series,
  close: Series,
  n: number,
  atrWindow: number,
  multiplier: number,
): Bands =>
  bandsAround(
    ema(close, n),
    atr(high, low, close, atrWindow).map((a) => multiplier * a),
  );

export function keltnerOriginal(
  high: Series,
  low: Series,
  close: Series,
  n: number,
): { upper: number[]; lower: number[] } {
  return {
    upper: sma(
      build(close.length, (t) => (4 * high[t] - 2 * low[t] + close[t]) / 3),
      n,
    ),
    lower: sma(
      build(close.length, (t) => (-2 * high[t] + 4 * low[t] + close[t]) / 3),
      n,
    ),
  };
}

export const starc = (
  high: Series,
  low: Series,
  close: Series,
  n: number,
  atrWindow: number,
  multiplier: number,
): Bands =>
  bandsAround(
    sma(close, n),
    atr(high, low, close, atrWindow).map((a) => multiplier * a),
  );

/** The current bar is excluded. */
export function donchian(high: Series, low: Series, n: number): { upper: number[]; lower: number[] } {
  const top = rollingMax(high, n);
  const bottom = rollingMin(low, n);
  return {
    upper: build(high.length, (t) => at(top, t - 1)),
    lower: build(high.length, (t) => at(bottom, t - 1)),
  };
}

export function ulcer(close: Series, n: number): number[] {
  const drawdown = build(close.length, (t) => {
    const top = Math.max(...close.slice(Math.max(0, t - n + 1), t + 1));
    return (100 * (close[t] - top)) / top;
  });
  return rolling(drawdown, n, (window) => Math.sqrt(meanOf(window.map((r) => r * r))));
}

export interface VolatilityStop {
  upper: number[];
  lower: number[];
  deviation: number[];
}

export function volatilityStop(close: Series, n: number, multiplier: number): VolatilityStop {
  const returns = build(close.length, (t) => close[t] / at(close, t - 1) - 1);
  const deviation = rolling(returns, n, (window) => deviationOf(window, 1));
  return {
    upper: build(close.length, (t) => at(close, t - 1) * (1 + multiplier * deviation[t])),
    lower: build(close.length, (t) => at(close, t - 1) * (1 - multiplier * deviation[t])),
    deviation,
  };
}

export const squeezeDepth = (
  high: Series,
  low: Series,
  close: Series,
  bbWindow: number,
  bbStd: number,
  kcWindow: number,
  kcMultiplier: number,
): number[] => {
  const bb = bollinger(close, bbWindow, bbStd);
  const kc = keltner(high, low, close, kcWindow, kcWindow, kcMultiplier);
  return build(close.length, (t) => Math.min(kc.upper[t] - bb.upper[t], bb.lower[t] - kc.lower[t]));
};

export function squeezeMomentum(high: Series, low: Series, close: Series, m: number): number[] {
  const hh = rollingMax(high, m);
  const ll = rollingMin(low, m);
  const average = sma(close, m);
  const detrended = build(close.length, (t) => close[t] - ((hh[t] + ll[t]) / 2 + average[t]) / 2);
  return epma(detrended, m);
}

export const closeLocation = (high: Series, low: Series, close: Series): number[] =>
  build(close.length, (t) =>
    high[t] === low[t] ? 0 : (close[t] - low[t] - (high[t] - close[t])) / (high[t] - low[t]),
  );

export const cumulative = (x: Series): number[] => {
  const out: number[] = [];
  let total = 0;
  for (const value of x) {
    total += value;
    out.push(total);
  }
  return out;
};

export const moneyFlow = (high: Series, low: Series, close: Series, volume: Series): number[] =>
  combine(closeLocation(high, low, close), volume, (clv, v) => clv * v);

export const adi = (high: Series, low: Series, close: Series, volume: Series): number[] =>
  cumulative(moneyFlow(high, low, close, volume));

export const obv = (close: Series, volume: Series): number[] =>
  cumulative(build(close.length, (t) => (close[t] < at(close, t - 1) ? -volume[t] : volume[t])));

export function vpt(close: Series, volume: Series): number[] {
  const out: number[] = [];
  let total = 0;
  for (let t = 0; t < close.length; t++) {
    if (t > 0) total += (close[t] / close[t - 1] - 1) * volume[t];
    out.push(t === 0 ? NaN : total);
  }
  return out;
}

export const cmf = (high: Series, low: Series, close: Series, volume: Series, n: number): number[] =>
  combine(rollingSum(moneyFlow(high, low, close, volume), n), rollingSum(volume, n), (a, b) => a / b);

export const rawForce = (close: Series, volume: Series): number[] =>
  build(close.length, (t) => (close[t] - at(close, t - 1)) * volume[t]);

export const force = (close: Series, volume: Series, n: number): number[] => ema(rawForce(close, volume), n);

export const eom = (high: Series, low: Series, volume: Series): number[] =>
  build(
    high.length,
    (t) => (1e8 * (high[t] - at(high, t - 1) + (low[t] - at(low, t - 1))) * (high[t] - low[t])) / (2 * volume[t]),
  );

export function nvi(close: Series, volume: Series): number[] {
  const out: number[] = [];
  for (let t = 0; t < close.length; t++) {
    if (t === 0) out.push(1000);
    else out.push(volume[t] < volume[t - 1] ? out[t - 1] * (close[t] / close[t - 1]) : out[t - 1]);
  }
  return out;
}

/** The EMA recursion, but published from the first input on. */
export function nviLine(close: Series, volume: Series, n: number): number[] {
  return exponential(nvi(close, volume), 1, 2 / (n + 1));
}

export function mfi(high: Series, low: Series, close: Series, volume: Series, n: number): number[] {
  const tp = typicalPrice(high, low, close);
  const flow = combine(tp, volume, (p, v) => p * v);
  const positive = rollingSum(
    build(close.length, (t) => (t > 0 && tp[t] > tp[t - 1] ? flow[t] : 0)),
    n,
  );
  const negative = rollingSum(
    build(close.length, (t) => (t > 0 && tp[t] < tp[t - 1] ? flow[t] : 0)),
    n,
  );
  return combine(positive, negative, (p, m) => 100 - 100 / (1 + p / m));
}

export const adosc = (high: Series, low: Series, close: Series, volume: Series, fast: number, slow: number): number[] =>
  emaDifference(adi(high, low, close, volume), fast, slow);

export function kvo(
  high: Series,
  low: Series,
  close: Series,
  volume: Series,
  fast: number,
  slow: number,
  sign: number,
): LineAndSignal {
  const tp = typicalPrice(high, low, close);
  const signed = build(close.length, (t) => (t === 0 ? 0 : volume[t] * Math.sign(tp[t] - tp[t - 1])));
  const line = emaDifference(signed, fast, slow);
  return { line, signal: ema(line, sign) };
}

export const dailyReturn = (close: Series): number[] =>
  build(close.length, (t) => 100 * (close[t] / at(close, t - 1) - 1));

export const cumulativeReturn = (close: Series): number[] =>
  build(close.length, (t) => 100 * (close[t] / close[0] - 1));
