import { ABSOLUTE, CHANGE, medianPrice } from './arithmetic.js';
import { type Column, columnOf, columnsOf, defineKernel } from './column.js';
import { SUM } from './rolling.js';

/**
 * Kaufman's adaptive average: k += sc (x - k), sc = (ER (fast - slow) + slow)^2 with fast =
 * 2/(pow1+1), slow = 2/(pow2+1); efficiency ratio ER = |net change over n bars| / sum of the
 * one-bar changes, 0 where nothing moved. Seeded at n-1 with the mean of the first n values.
 */
const kamaKernel = defineKernel('KAMA', ([x, path], [window, pow1, pow2], [out]) => {
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
    const constant = (efficiency * span + slow) ** 2;
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

/**
 * MESA adaptive average and its follower (Ehlers 2001): the homodyne discriminator measures the
 * cycle period, the phase rate sets alpha within slowLimit..fastLimit. All state starts at 0 on bar
 * 6, so the first `warmupBars` outputs are NaN.
 */
const mamaKernel = defineKernel(
  'MAMA',
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
  2,
);

/** [mama, fama] of the median price. */
export function MAMA(fastLimit: number, slowLimit: number, warmupBars: number): readonly [mama: Column, fama: Column] {
  const [mama, fama] = columnsOf(mamaKernel, [medianPrice], [fastLimit, slowLimit, warmupBars]);
  return [mama, fama];
}
