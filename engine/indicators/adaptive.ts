import { ABSOLUTE, CHANGE, medianPrice } from './arithmetic.js';
import { type Column, close, columnOf, columnsOf, defineKernel, type OpenStream } from './column.js';
import { bars, line, n, next, overBars, overColumn } from './indicator.js';
import { float } from './params.js';
import { SUM } from './rolling.js';
import { Recent } from './stream.js';

const kamaStream: OpenStream = ([window, pow1, pow2]) => {
  const slow = 2 / (pow2 + 1);
  const span = 2 / (pow1 + 1) - slow;
  const recent = new Recent(window + 1);
  let average = 0;
  let t = -1;
  return ([x, path], outputs) => {
    t++;
    recent.add(x);
    if (t < window) {
      average += x;
      if (t === window - 1) average /= window;
      outputs[0] = t === window - 1 ? average : NaN;
      return;
    }
    const efficiency = path === 0 ? 0 : Math.abs(x - recent.at(window)) / path;
    const root = efficiency * span + slow;
    const constant = root * root;
    average += constant * (x - average);
    outputs[0] = average;
  };
};

/**
 * Kaufman's adaptive average: k += sc (x - k), sc = (ER (fast - slow) + slow)^2 with fast =
 * 2/(pow1+1), slow = 2/(pow2+1); efficiency ratio ER = |net change over n bars| / sum of the
 * one-bar changes, 0 where nothing moved. Seeded at n-1 with the mean of the first n values.
 */
const kamaKernel = defineKernel('KAMA', kamaStream, ([x, path], [window, pow1, pow2], [out]) => {
  const length = out.length;
  out.fill(NaN);
  if (length < window) return;
  const slow = 2 / (pow2 + 1);
  const span = 2 / (pow1 + 1) - slow;
  let total = 0;
  for (let t = 0; t < window; t++) total += x[t];
  let average = total / window;
  out[window - 1] = average;
  for (let t = window; t < length; t++) {
    const efficiency = path[t] === 0 ? 0 : Math.abs(x[t] - x[t - window]) / path[t];
    const root = efficiency * span + slow;
    const constant = root * root;
    average += constant * (x[t] - average);
    out[t] = average;
  }
});
export const KAMA = (x: Column, window: number, pow1: number, pow2: number): Column =>
  columnOf(kamaKernel, [x, SUM(ABSOLUTE(CHANGE(x, 1)), window)], [window, pow1, pow2]);

const DEGREES = 180 / Math.PI;
const FIRST_BAR = 6; // the filters reach six bars back

/** Ehlers' truncated Hilbert transform of `a` at bar i. */
const hilbert = (a: Float64Array, i: number): number =>
  0.0962 * a[i] + 0.5769 * a[i - 2] - 0.5769 * a[i - 4] - 0.0962 * a[i - 6];

/** The same over the newest values. */
const recentHilbert = (a: Recent): number => 0.0962 * a.at(0) + 0.5769 * a.at(2) - 0.5769 * a.at(4) - 0.0962 * a.at(6);

/** Seven values of a filter, 0 before its first bar. */
function filterRow(): Recent {
  const row = new Recent(7);
  for (let i = 0; i < 7; i++) row.add(0);
  return row;
}

/** [mama, fama], see the kernel. */
const mamaStream: OpenStream = ([fastLimit, slowLimit, warmupBars]) => {
  const price = new Recent(4);
  const [smoothPrice, detrender, inPhase1, quadrature1] = [filterRow(), filterRow(), filterRow(), filterRow()];
  let inPhase2 = 0;
  let quadrature2 = 0;
  let real = 0;
  let imaginary = 0;
  let period = 0;
  let phase = 0;
  let fast = 0;
  let follower = 0;
  let i = -1;
  return ([x], outputs) => {
    i++;
    price.add(x);
    if (i >= FIRST_BAR) {
      const gain = 0.075 * period + 0.54;
      smoothPrice.add(0.4 * x + 0.3 * price.at(1) + 0.2 * price.at(2) + 0.1 * price.at(3));
      detrender.add(gain * recentHilbert(smoothPrice));
      quadrature1.add(gain * recentHilbert(detrender));
      inPhase1.add(detrender.at(3));
      const advancedInPhase = gain * recentHilbert(inPhase1);
      const advancedQuadrature = gain * recentHilbert(quadrature1);
      const previousInPhase2 = inPhase2;
      const previousQuadrature2 = quadrature2;
      inPhase2 = 0.2 * (inPhase1.at(0) - advancedQuadrature) + 0.8 * previousInPhase2;
      quadrature2 = 0.2 * (quadrature1.at(0) + advancedInPhase) + 0.8 * previousQuadrature2;
      real = 0.2 * (inPhase2 * previousInPhase2 + quadrature2 * previousQuadrature2) + 0.8 * real;
      imaginary = 0.2 * (inPhase2 * previousQuadrature2 - quadrature2 * previousInPhase2) + 0.8 * imaginary;
      let raw = real !== 0 && imaginary !== 0 ? 360 / (Math.atan(imaginary / real) * DEGREES) : 0;
      raw = Math.min(raw, 1.5 * period);
      raw = Math.max(raw, 0.67 * period);
      raw = Math.max(raw, 6);
      raw = Math.min(raw, 50);
      period = 0.2 * raw + 0.8 * period;
      const previousPhase = phase;
      phase = inPhase1.at(0) !== 0 ? Math.atan(quadrature1.at(0) / inPhase1.at(0)) * DEGREES : 0;
      const phaseRate = Math.max(previousPhase - phase, 1);
      const alpha = Math.min(Math.max(fastLimit / phaseRate, slowLimit), fastLimit);
      fast = alpha * x + (1 - alpha) * fast;
      follower = 0.5 * alpha * fast + (1 - 0.5 * alpha) * follower;
    }
    outputs[0] = i < warmupBars ? NaN : i < FIRST_BAR ? 0 : fast;
    outputs[1] = i < warmupBars ? NaN : i < FIRST_BAR ? 0 : follower;
  };
};

/**
 * MESA adaptive average and its follower (Ehlers 2001): the homodyne discriminator measures the
 * cycle period, the phase rate sets alpha within slowLimit..fastLimit. All state starts at 0 on bar
 * 6, so the first `warmupBars` outputs are NaN.
 */
const mamaKernel = defineKernel(
  'MAMA',
  mamaStream,
  ([price], [fastLimit, slowLimit, warmupBars], [mama, fama]) => {
    const length = price.length;
    for (const column of [mama, fama]) column.fill(0, 0, Math.min(FIRST_BAR, length));
    const smoothPrice = new Float64Array(length);
    const detrender = new Float64Array(length);
    const inPhase1 = new Float64Array(length);
    const quadrature1 = new Float64Array(length);
    let inPhase2 = 0;
    let quadrature2 = 0;
    let real = 0;
    let imaginary = 0;
    let period = 0;
    let phase = 0;
    let fast = 0;
    let follower = 0;
    for (let i = FIRST_BAR; i < length; i++) {
      const gain = 0.075 * period + 0.54;
      smoothPrice[i] = 0.4 * price[i] + 0.3 * price[i - 1] + 0.2 * price[i - 2] + 0.1 * price[i - 3];
      detrender[i] = gain * hilbert(smoothPrice, i);
      quadrature1[i] = gain * hilbert(detrender, i);
      inPhase1[i] = detrender[i - 3];
      const advancedInPhase = gain * hilbert(inPhase1, i);
      const advancedQuadrature = gain * hilbert(quadrature1, i);
      const previousInPhase2 = inPhase2;
      const previousQuadrature2 = quadrature2;
      inPhase2 = 0.2 * (inPhase1[i] - advancedQuadrature) + 0.8 * previousInPhase2;
      quadrature2 = 0.2 * (quadrature1[i] + advancedInPhase) + 0.8 * previousQuadrature2;
      real = 0.2 * (inPhase2 * previousInPhase2 + quadrature2 * previousQuadrature2) + 0.8 * real;
      imaginary = 0.2 * (inPhase2 * previousQuadrature2 - quadrature2 * previousInPhase2) + 0.8 * imaginary;
      let raw = real !== 0 && imaginary !== 0 ? 360 / (Math.atan(imaginary / real) * DEGREES) : 0;
      raw = Math.min(raw, 1.5 * period);
      raw = Math.max(raw, 0.67 * period);
      raw = Math.max(raw, 6);
      raw = Math.min(raw, 50);
      period = 0.2 * raw + 0.8 * period;
      const previousPhase = phase;
      phase = inPhase1[i] !== 0 ? Math.atan(quadrature1[i] / inPhase1[i]) * DEGREES : 0;
      const phaseRate = Math.max(previousPhase - phase, 1);
      const alpha = Math.min(Math.max(fastLimit / phaseRate, slowLimit), fastLimit);
      fast = alpha * price[i] + (1 - alpha) * fast;
      follower = 0.5 * alpha * fast + (1 - 0.5 * alpha) * follower;
      mama[i] = fast;
      fama[i] = follower;
    }
    mama.fill(NaN, 0, warmupBars);
    fama.fill(NaN, 0, warmupBars);
  },
  { outputCount: 2 },
);

/** [mama, fama] of the median price. */
export function MAMA(fastLimit: number, slowLimit: number, warmupBars: number): readonly [mama: Column, fama: Column] {
  const [mama, fama] = columnsOf(mamaKernel, [medianPrice], [fastLimit, slowLimit, warmupBars]);
  return [mama, fama];
}

export const adaptiveAverages = {
  KAMA: overColumn({
    title: "Kaufman's adaptive moving average",
    formula:
      'KAMA: for t >= n: ER = |C[t]-C[t-n]| / sum_{i=t-n+1..t}|C[i]-C[i-1]| (0 if that sum is 0); sc = (ER*(2/(pow1+1)-2/(pow2+1)) + 2/(pow2+1))^2; k[n-1] = mean(C[0..n-1]); k[t] = k[t-1] + sc*(C[t]-k[t-1]); NaN before n-1',
    params: { window: bars(10), pow1: bars(2), pow2: bars(30) },
    lines: (p, x) => ({ kama: KAMA(x, p.window, p.pow1, p.pow2) }),
    functions: {
      kama: {
        ...line('kama', 'adaptive moving average of the close', { ...n, fast: 'pow1', slow: 'pow2' }, next),
        of: close,
      },
    },
  }),
  MAMA: overBars({
    title: 'MESA adaptive moving average',
    formula:
      'MAMA/FAMA of p = (H+L)/2 with alpha kept within slow_limit..fast_limit, by the Ehlers homodyne recursion (loop starts at bar 6 from zero state); outputs of bars 0..warmup_bars-1 are NaN',
    params: { fast_limit: float(0.01, 1, 0.5), slow_limit: float(0.001, 1, 0.05), warmup_bars: bars(64, 6) },
    lines: ({ fast_limit, slow_limit, warmup_bars }) => {
      const [mama, fama] = MAMA(fast_limit, slow_limit, warmup_bars);
      return { mama, fama };
    },
    functions: {
      mama: line(
        'mama',
        'MESA adaptive moving average',
        { fast_limit: 'fast_limit', slow_limit: 'slow_limit', warmup: 'warmup_bars' },
        (_fast, _slow, warmup) => warmup + 1,
      ),
      fama: line(
        'fama',
        'its following average',
        { fast_limit: 'fast_limit', slow_limit: 'slow_limit', warmup: 'warmup_bars' },
        (_fast, _slow, warmup) => warmup + 1,
      ),
    },
  }),
} as const;
