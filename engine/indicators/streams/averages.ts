import { type OpenStream, Recent } from '../stream.js';
import { rangeFrom } from '../volatility.js';

/*
 * The recursive averages, one bar at a time: the loops of their kernels with the state kept
 * between.
 */

/** Exponential smoothing, see `smooth`. */
const smoothed =
  (alphaOf: (window: number) => number): OpenStream =>
  ([window]) => {
    const alpha = alphaOf(window);
    const keep = 1 - alpha;
    let anchor = NaN;
    let deviation = 0;
    let age = keep;
    /** Bars before the first published value; unknown before the first value. */
    let waiting = -1;
    return ([x], outputs) => {
      if (waiting === -1) {
        outputs[0] = NaN;
        if (!Number.isFinite(x)) return;
        anchor = x;
        waiting = window - 1;
        if (waiting === 0) outputs[0] = x;
        return;
      }
      const d = x - anchor;
      if (d - d !== 0) age *= keep;
      else {
        if (waiting > 0) waiting--; // a bar without an input delays publishing
        deviation = age === keep ? keep * deviation + alpha * d : (age * deviation + alpha * d) / (age + alpha);
        age = keep;
      }
      outputs[0] = waiting > 0 ? NaN : anchor + deviation;
    };
  };

export const ema = smoothed((window) => 2 / (window + 1));
export const rma = smoothed((window) => 1 / window);

export const rsi: OpenStream = ([window]) => {
  const keep = 1 - 1 / window;
  const weight = 0.5 / window;
  let gain = 0;
  let loss = 0;
  let age = keep;
  let previous = NaN;
  /** Changes so far, the 0 of the first value among them; 0 before it. */
  let count = 0;
  return ([x], outputs) => {
    const change = count === 0 ? (Number.isFinite(x) ? 0 : NaN) : x - previous;
    previous = x;
    if (change - change !== 0) {
      if (count > 0) age *= keep;
    } else {
      const size = Math.abs(change);
      const total = age === keep ? 1 : age + 2 * weight;
      gain = (age * gain + weight * (size + change)) / total;
      loss = (age * loss + weight * (size - change)) / total;
      age = keep;
      count++;
    }
    outputs[0] = count < window ? NaN : loss === 0 ? 100 : 100 * (gain / (gain + loss));
  };
};

export const macd: OpenStream = ([fast, slow, sign]) => {
  const fastWeight = 2 / (fast + 1);
  const slowWeight = 2 / (slow + 1);
  const signalWeight = 2 / (sign + 1);
  const [fastKeep, slowKeep, signalKeep] = [1 - fastWeight, 1 - slowWeight, 1 - signalWeight];
  const lineFrom = Math.max(fast, slow) - 1;
  let anchor = NaN;
  let fastDeviation = 0;
  let slowDeviation = 0;
  let signalAnchor = 0;
  let signalDeviation = 0;
  let t = -1;
  return ([x], outputs) => {
    t++;
    if (t === 0) anchor = x;
    const d = x - anchor;
    fastDeviation = fastKeep * fastDeviation + fastWeight * d;
    slowDeviation = slowKeep * slowDeviation + slowWeight * d;
    const value = anchor + fastDeviation - (anchor + slowDeviation);
    if (t <= lineFrom) signalAnchor = value;
    signalDeviation = signalKeep * signalDeviation + signalWeight * (value - signalAnchor);
    const average = signalAnchor + signalDeviation;
    outputs[0] = t < lineFrom ? NaN : value;
    outputs[1] = t < lineFrom + sign - 1 ? NaN : average;
    outputs[2] = t < lineFrom + sign - 1 ? NaN : value - average;
  };
};

/** Average true range, see `atr`. */
export const atr: OpenStream = ([window]) => {
  const weight = 1 / window;
  const keep = 1 - weight;
  let average = 0;
  let previous = NaN;
  let t = -1;
  return ([high, low, close], outputs) => {
    t++;
    const range = t === 0 ? high - low : rangeFrom(previous, high, low);
    previous = close;
    if (t < window) {
      average = t === 0 ? range : average + range;
      if (t === window - 1) average /= window;
    } else {
      average = keep * average + weight * range;
    }
    outputs[0] = t < window - 1 ? NaN : average;
  };
};

export const kama: OpenStream = ([window, pow1, pow2]) => {
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
    const constant = (efficiency * span + slow) ** 2;
    average += constant * (x - average);
    outputs[0] = average;
  };
};

const DEGREES = 180 / Math.PI;
const FIRST_BAR = 6; // the filters reach six bars back

const hilbert = (a: Recent): number => 0.0962 * a.at(0) + 0.5769 * a.at(2) - 0.5769 * a.at(4) - 0.0962 * a.at(6);

/** Seven values of a filter, 0 before its first bar. */
function filterRow(): Recent {
  const row = new Recent(7);
  for (let i = 0; i < 7; i++) row.add(0);
  return row;
}

/** [mama, fama], see the kernel. */
export const mama: OpenStream = ([fastLimit, slowLimit, warmupBars]) => {
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
      detrender.add(gain * hilbert(smoothPrice));
      quadrature1.add(gain * hilbert(detrender));
      inPhase1.add(detrender.at(3));
      const advancedInPhase = gain * hilbert(inPhase1);
      const advancedQuadrature = gain * hilbert(quadrature1);
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
