import { fill } from './rolling';

/** As smooth() of indicators/smoothing.ts. */
export function smooth(x: usize, length: i32, alpha: f64, window: i32, out: usize): void {
  let first = 0;
  let value: f64 = NaN;
  for (; first < length; first++) {
    value = load<f64>(x + (<usize>first << 3));
    if (isFinite(value)) break;
  }
  if (first == length) {
    fill(out, 0, length, NaN);
    return;
  }
  const anchor = value;
  const keep = 1 - alpha;
  let deviation: f64 = 0;
  let age = keep;
  let publishAt = first + window - 1;
  for (let t = first + 1; t < length; t++) {
    const at = <usize>t << 3;
    const d = load<f64>(x + at) - anchor;
    if (d - d != 0) {
      age *= keep;
      if (t <= publishAt) publishAt++;
    } else if (age == keep) {
      deviation = keep * deviation + alpha * d;
    } else {
      deviation = (age * deviation + alpha * d) / (age + alpha);
      age = keep;
    }
    store<f64>(out + at, anchor + deviation);
  }
  store<f64>(out + (<usize>first << 3), value);
  fill(out, 0, min(publishAt, length), NaN);
}

/** True ranges of bars t and t + 1, t > 0; `pmax(p, h)` is p < h ? h : p. */
@inline
function trueRanges(h: usize, l: usize, c: usize, at: usize): v128 {
  const previous = v128.load(c + at - 8);
  return f64x2.sub(f64x2.pmax(previous, v128.load(h + at)), f64x2.pmin(previous, v128.load(l + at)));
}

@inline
function trueRange(h: usize, l: usize, c: usize, t: i32): f64 {
  const at = <usize>t << 3;
  const high = load<f64>(h + at);
  const low = load<f64>(l + at);
  if (t == 0) return high - low;
  const previous = load<f64>(c + at - 8);
  return (high > previous ? high : previous) - (low < previous ? low : previous);
}

export function atr(h: usize, l: usize, c: usize, length: i32, window: i32, out: usize): void {
  fill(out, 0, min(window - 1, length), NaN);
  if (length < window) return;
  const weight = 1 / <f64>window;
  const keep = 1 - weight;
  let sum = trueRange(h, l, c, 0);
  for (let t = 1; t < window; t++) sum += trueRange(h, l, c, t);
  let average = sum / <f64>window;
  store<f64>(out + (<usize>(window - 1) << 3), average);
  let t = window;
  for (; t + 2 <= length; t += 2) {
    const at = <usize>t << 3;
    const ranges = f64x2.mul(f64x2.splat(weight), trueRanges(h, l, c, at));
    const next = keep * average + f64x2.extract_lane(ranges, 0);
    average = keep * next + f64x2.extract_lane(ranges, 1);
    store<f64>(out + at, next);
    store<f64>(out + at + 8, average);
  }
  if (t < length) store<f64>(out + (<usize>t << 3), keep * average + weight * trueRange(h, l, c, t));
}

/**
 * MACD of indicators/oscillators.ts, with the fast and the slow average in the two lanes of one
 * vector.
 */
export function macd(
  x: usize,
  length: i32,
  fast: i32,
  slow: i32,
  sign: i32,
  line: usize,
  signal: usize,
  histogram: usize,
): void {
  const weights = f64x2(2 / <f64>(fast + 1), 2 / <f64>(slow + 1));
  const keeps = f64x2.sub(f64x2.splat(1), weights);
  const signalWeight = 2 / <f64>(sign + 1);
  const signalKeep = 1 - signalWeight;
  const lineFrom = max(fast, slow) - 1;
  const anchor = load<f64>(x);
  const anchors = f64x2.splat(anchor);
  let deviations = f64x2.splat(0);
  let signalAnchor: f64 = 0;
  let signalDeviation: f64 = 0;
  let t = 0;
  for (; t <= lineFrom && t < length; t++) {
    const at = <usize>t << 3;
    const d = f64x2.splat(load<f64>(x + at) - anchor);
    deviations = f64x2.add(f64x2.mul(keeps, deviations), f64x2.mul(weights, d));
    const averages = f64x2.add(anchors, deviations);
    signalAnchor = f64x2.extract_lane(averages, 0) - f64x2.extract_lane(averages, 1);
    // The difference adds 0, or NaN from then on.
    signalDeviation = signalKeep * signalDeviation + signalWeight * (signalAnchor - signalAnchor);
    const average = signalAnchor + signalDeviation;
    store<f64>(line + at, signalAnchor);
    store<f64>(signal + at, average);
    store<f64>(histogram + at, signalAnchor - average);
  }
  for (; t < length; t++) {
    const at = <usize>t << 3;
    const d = f64x2.splat(load<f64>(x + at) - anchor);
    deviations = f64x2.add(f64x2.mul(keeps, deviations), f64x2.mul(weights, d));
    const averages = f64x2.add(anchors, deviations);
    const value = f64x2.extract_lane(averages, 0) - f64x2.extract_lane(averages, 1);
    signalDeviation = signalKeep * signalDeviation + signalWeight * (value - signalAnchor);
    const average = signalAnchor + signalDeviation;
    store<f64>(line + at, value);
    store<f64>(signal + at, average);
    store<f64>(histogram + at, value - average);
  }
  fill(line, 0, min(lineFrom, length), NaN);
  fill(signal, 0, min(lineFrom + sign - 1, length), NaN);
  fill(histogram, 0, min(lineFrom + sign - 1, length), NaN);
}

/**
 * As directionalMovement() of indicators/directional.ts, with plus and minus in the two lanes of
 * one vector.
 */
export function adx(
  h: usize,
  l: usize,
  c: usize,
  length: i32,
  window: i32,
  plusDi: usize,
  minusDi: usize,
  adx: usize,
): void {
  fill(plusDi, 0, min(2 * window, length), NaN);
  fill(minusDi, 0, min(2 * window, length), NaN);
  fill(adx, 0, min(window, length), NaN);
  const weight = 1 / <f64>window;
  const keep = 1 - weight;
  const zero = f64x2.splat(0);
  let range: f64 = 0;
  let sums = zero;
  let average: f64 = 0;
  let indices = 0;
  let age = keep;
  for (let t = 1; t < length; t++) {
    const at = <usize>t << 3;
    const high = load<f64>(h + at);
    const low = load<f64>(l + at);
    const up = high - load<f64>(h + at - 8);
    const down = load<f64>(l + at - 8) - low;
    const fade = t > window ? keep : 1;
    const previous = v128.load_splat<f64>(c + at - 8);
    const top = f64x2.extract_lane(f64x2.pmax(previous, f64x2.splat(high)), 0);
    const bottom = f64x2.extract_lane(f64x2.pmin(previous, f64x2.splat(low)), 0);
    range = range * fade + (top - bottom);
    const moves = f64x2(up, down);
    const counts = v128.and(f64x2.gt(moves, f64x2(down, up)), f64x2.gt(moves, zero));
    sums = f64x2.add(f64x2.mul(sums, f64x2.splat(fade)), v128.and(moves, counts));
    if (t < window) continue;
    if (t > window) {
      const lines = f64x2.mul(f64x2.splat(100), f64x2.div(sums, f64x2.splat(range)));
      v128.store_lane<f64>(plusDi + at, lines, 0);
      v128.store_lane<f64>(minusDi + at, lines, 1);
    }
    const plus = f64x2.extract_lane(sums, 0);
    const minus = f64x2.extract_lane(sums, 1);
    const index = 100 * (abs<f64>(plus - minus) / (plus + minus));
    if (index != index) {
      if (indices == window) age *= keep;
    } else if (indices < window) {
      average += index;
      if (++indices == window) average /= <f64>window;
    } else if (age == keep) {
      average += (index - average) * weight;
    } else {
      average += ((index - average) * weight) / (age + weight);
      age = keep;
    }
    store<f64>(adx + at, indices == window ? average : NaN);
  }
}
