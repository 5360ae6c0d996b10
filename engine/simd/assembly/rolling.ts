/*
 * The loops of indicators/rolling.ts, two or four blocks of the window's length at a time, one
 * block per lane. Every block adds in the order of the plain loop, so every bit is the same.
 */

@inline
export function anchorOf(value: f64): f64 {
  return value - value == 0 ? value : 0; // 0 where it is infinite or NaN
}

/** The value at `at` and the one `bars` bars later. */
@inline
export function pair(at: usize, bars: usize): v128 {
  return v128.load_lane<f64>(at + (bars << 3), v128.load_zero<f64>(at), 1);
}

@inline
export function storePair(at: usize, bars: usize, value: v128): void {
  v128.store_lane<f64>(at, value, 0);
  v128.store_lane<f64>(at + (bars << 3), value, 1);
}

export function fill(out: usize, from: i32, to: i32, value: f64): void {
  const end = out + (<usize>to << 3);
  let at = out + (<usize>from << 3);
  for (const values = f64x2.splat(value); at + 16 <= end; at += 16) v128.store(at, values);
  if (at < end) store<f64>(at, value);
}

/** One block alone; it may be the first, or cut short by the end of the series. */
@inline
function sumBlock(isMean: bool, x: usize, length: i32, window: i32, start: i32, out: usize): void {
  const divisor = <f64>window;
  const anchor = isMean ? anchorOf(load<f64>(x + (<usize>start << 3))) : 0;
  if (start > 0) {
    let tail: f64 = 0;
    for (let j = start - 1; j > start - window; j--) {
      tail += load<f64>(x + (<usize>j << 3)) - anchor;
      if (j + window - 1 < length) store<f64>(out + (<usize>(j + window - 1) << 3), tail);
    }
  }
  const last = start + window - 1;
  const end = min(start + window, length);
  let head: f64 = 0;
  for (let t = start; t < end; t++) {
    const at = out + (<usize>t << 3);
    head += load<f64>(x + (<usize>t << 3)) - anchor;
    if (t != last && start == 0) continue;
    const sum = t == last ? head : load<f64>(at) + head;
    store<f64>(at, isMean ? anchor + sum / divisor : sum);
  }
}

@inline
function anchorsOf(isMean: bool, at: usize, bars: usize): v128 {
  return isMean ? f64x2(anchorOf(load<f64>(at)), anchorOf(load<f64>(at + (bars << 3)))) : f64x2.splat(0);
}

@inline
function rollingSum(isMean: bool, x: usize, length: i32, window: i32, out: usize): void {
  fill(out, 0, min(window - 1, length), NaN);
  if (length > 0) sumBlock(isMean, x, length, window, 0, out);
  const n = <usize>window;
  const divisor = f64x2.splat(<f64>window);
  let start = window;
  for (; start + 4 * window <= length; start += 4 * window) {
    const lower = x + (<usize>start << 3);
    const upper = lower + (n << 4);
    const anchorA = anchorsOf(isMean, lower, n);
    const anchorB = anchorsOf(isMean, upper, n);
    const outA = out + (<usize>start << 3);
    const outB = outA + (n << 4);
    let sumA = f64x2.splat(0);
    let sumB = f64x2.splat(0);
    for (let k: usize = 1; k < n; k++) {
      const back = k << 3;
      sumA = f64x2.add(sumA, f64x2.sub(pair(lower - back, n), anchorA));
      sumB = f64x2.add(sumB, f64x2.sub(pair(upper - back, n), anchorB));
      const to = (n - 1 - k) << 3;
      storePair(outA + to, n, sumA);
      storePair(outB + to, n, sumB);
    }
    sumA = f64x2.splat(0);
    sumB = f64x2.splat(0);
    for (let k: usize = 0; k < n; k++) {
      const at = k << 3;
      sumA = f64x2.add(sumA, f64x2.sub(pair(lower + at, n), anchorA));
      sumB = f64x2.add(sumB, f64x2.sub(pair(upper + at, n), anchorB));
      const totalA = k == n - 1 ? sumA : f64x2.add(pair(outA + at, n), sumA);
      const totalB = k == n - 1 ? sumB : f64x2.add(pair(outB + at, n), sumB);
      storePair(outA + at, n, isMean ? f64x2.add(anchorA, f64x2.div(totalA, divisor)) : totalA);
      storePair(outB + at, n, isMean ? f64x2.add(anchorB, f64x2.div(totalB, divisor)) : totalB);
    }
  }
  for (; start < length; start += window) sumBlock(isMean, x, length, window, start, out);
}

export function sum(x: usize, length: i32, window: i32, out: usize): void {
  rollingSum(false, x, length, window, out);
}

export function sma(x: usize, length: i32, window: i32, out: usize): void {
  rollingSum(true, x, length, window, out);
}

function deviationBlock(
  x: usize,
  length: i32,
  window: i32,
  divisor: f64,
  start: i32,
  mean: usize,
  deviation: usize,
): void {
  const n = <f64>window;
  const anchor = anchorOf(load<f64>(x + (<usize>start << 3)));
  if (start > 0) {
    let tail: f64 = 0;
    let squares: f64 = 0;
    for (let j = start - 1; j > start - window; j--) {
      const d = load<f64>(x + (<usize>j << 3)) - anchor;
      tail += d;
      squares += d * d;
      if (j + window - 1 < length) {
        const at = <usize>(j + window - 1) << 3;
        store<f64>(mean + at, tail);
        store<f64>(deviation + at, squares);
      }
    }
  }
  const last = start + window - 1;
  const end = min(start + window, length);
  let head: f64 = 0;
  let headSquares: f64 = 0;
  for (let t = start; t < end; t++) {
    const at = <usize>t << 3;
    const d = load<f64>(x + at) - anchor;
    head += d;
    headSquares += d * d;
    if (start == 0 && t != last) continue;
    const sum = t == last ? head : load<f64>(mean + at) + head;
    const squares = t == last ? headSquares : load<f64>(deviation + at) + headSquares;
    store<f64>(mean + at, anchor + sum / n);
    const variance = (squares - (sum * sum) / n) / divisor;
    store<f64>(deviation + at, sqrt<f64>(variance < 0 ? 0 : variance));
  }
}

export function meanAndDeviation(x: usize, length: i32, window: i32, dof: i32, mean: usize, deviation: usize): void {
  const divisor = <f64>(window - dof);
  fill(mean, 0, min(window - 1, length), NaN);
  fill(deviation, 0, min(window - 1, length), NaN);
  if (length > 0) deviationBlock(x, length, window, divisor, 0, mean, deviation);
  const n = <usize>window;
  const counts = f64x2.splat(<f64>window);
  const divisors = f64x2.splat(divisor);
  const zero = f64x2.splat(0);
  let start = window;
  for (; start + 2 * window <= length; start += 2 * window) {
    const from = x + (<usize>start << 3);
    const anchor = f64x2(anchorOf(load<f64>(from)), anchorOf(load<f64>(from + (n << 3))));
    const means = mean + (<usize>start << 3);
    const deviations = deviation + (<usize>start << 3);
    let sum = zero;
    let squares = zero;
    for (let k: usize = 1; k < n; k++) {
      const d = f64x2.sub(pair(from - (k << 3), n), anchor);
      sum = f64x2.add(sum, d);
      squares = f64x2.add(squares, f64x2.mul(d, d));
      const to = (n - 1 - k) << 3;
      storePair(means + to, n, sum);
      storePair(deviations + to, n, squares);
    }
    sum = zero;
    squares = zero;
    for (let k: usize = 0; k < n; k++) {
      const at = k << 3;
      const d = f64x2.sub(pair(from + at, n), anchor);
      sum = f64x2.add(sum, d);
      squares = f64x2.add(squares, f64x2.mul(d, d));
      const isLast = k == n - 1;
      const total = isLast ? sum : f64x2.add(pair(means + at, n), sum);
      const totalSquares = isLast ? squares : f64x2.add(pair(deviations + at, n), squares);
      storePair(means + at, n, f64x2.add(anchor, f64x2.div(total, counts)));
      const spread = f64x2.sub(totalSquares, f64x2.div(f64x2.mul(total, total), counts));
      // pmax(v, 0) is v < 0 ? 0 : v, so it keeps a NaN, as Math.max(0, NaN) does.
      storePair(deviations + at, n, f64x2.sqrt(f64x2.pmax(f64x2.div(spread, divisors), zero)));
    }
  }
  for (; start < length; start += window) deviationBlock(x, length, window, divisor, start, mean, deviation);
}

/** Outputs per round: few enough that they and their inputs stay in the first-level cache. */
const CHUNK = 1024;

@inline
function further(isMax: bool, a: v128, b: v128): v128 {
  return isMax ? f64x2.max(a, b) : f64x2.min(a, b); // NaN where either is
}

/**
 * out[t] = the more extreme of source[t] and source[t - shift]. Newest first, so `out` may be
 * `source`.
 */
@inline
function widen(isMax: bool, source: usize, from: i32, to: i32, shift: i32, out: usize): void {
  const back = <usize>shift << 3;
  let t = to - 2;
  for (; t >= from; t -= 2) {
    const at = <usize>t << 3;
    v128.store(out + at, further(isMax, v128.load(source + at), v128.load(source + at - back)));
  }
  if (t == from - 1 && to > from) {
    const at = <usize>from << 3;
    const value = further(isMax, v128.load_zero<f64>(source + at), v128.load_zero<f64>(source + at - back));
    v128.store_lane<f64>(out + at, value, 0);
  }
}

/**
 * The most extreme of the last `window` values, by doubling: over 2 values, over 4, and so on,
 * until two overlapping spans cover the window. It works in place, newest chunk first: each chunk
 * also writes the earlier bars that it needs, and the next chunk overwrites them.
 */
@inline
function rollingExtreme(isMax: bool, x: usize, length: i32, window: i32, out: usize): void {
  if (window == 1) memory.copy(out, x, <usize>length << 3);
  for (let c = (length - 1) / CHUNK; c >= 0 && window > 1; c--) {
    const to = min((c + 1) * CHUNK, length);
    const from = max(c * CHUNK - window + 1, 0);
    let source = x;
    let width = 1; // bars that each value of `source` covers
    for (; 2 * width <= window; width *= 2) {
      widen(isMax, source, from + 2 * width - 1, to, width, out);
      source = out;
    }
    if (width < window) widen(isMax, source, from + window - 1, to, window - width, out);
  }
  fill(out, 0, window < 1 ? length : min(window - 1, length), NaN);
}

export function rollingMax(x: usize, length: i32, window: i32, out: usize): void {
  rollingExtreme(true, x, length, window, out);
}

export function rollingMin(x: usize, length: i32, window: i32, out: usize): void {
  rollingExtreme(false, x, length, window, out);
}

/**
 * As barsSinceMax() of indicators/rolling.ts. Until a block is done, `out` holds, for each of its
 * bars, the bar of the highest value in the part of the window before the block.
 */
export function sinceMax(x: usize, length: i32, window: i32, out: usize): void {
  for (let start = 0; start < length; start += window) {
    if (start > 0) {
      let best = -Infinity;
      let bar = start - 1;
      for (let j = start - 1; j > start - window; j--) {
        const value = load<f64>(x + (<usize>j << 3));
        bar = select(j, bar, value >= best);
        best = select(value, best, value >= best);
        if (j + window - 1 < length) store<f64>(out + (<usize>(j + window - 1) << 3), <f64>bar);
      }
    }
    const end = min(start + window, length);
    const last = start + window - 1;
    let best = -Infinity;
    let bar = start;
    for (let t = start; t < end; t++) {
      const value = load<f64>(x + (<usize>t << 3));
      const at = out + (<usize>t << 3);
      bar = select(t, bar, value > best);
      best = select(value, best, value > best);
      if (start == 0 || t == last) {
        store<f64>(at, <f64>(t - bar));
        continue;
      }
      const before = <i32>load<f64>(at);
      store<f64>(at, <f64>(t - select(before, bar, load<f64>(x + (<usize>before << 3)) >= best)));
    }
  }
  fill(out, 0, min(window - 1, length), NaN);
}
