import { anchorOf, fill, pair, storePair } from './rolling';

/*
 * Weighted windows, and distances from a window's mean: the loops of indicators/weighted.ts, two
 * blocks or two bars at a time.
 */

function weightedBlock(x: usize, length: i32, window: i32, start: i32, mean: usize, end: usize): void {
  const n = <f64>window;
  const weights = (n * (n + 1)) / 2;
  const anchor = anchorOf(load<f64>(x + (<usize>start << 3)));
  if (start > 0) {
    let tail: f64 = 0;
    let weighted: f64 = 0;
    for (let j = start - 1; j > start - window; j--) {
      tail += load<f64>(x + (<usize>j << 3)) - anchor;
      weighted += tail;
      if (j + window - 1 < length) {
        const at = <usize>(j + window - 1) << 3;
        store<f64>(mean + at, weighted);
        store<f64>(end + at, tail);
      }
    }
  }
  const last = start + window - 1;
  const stop = min(start + window, length);
  let head: f64 = 0;
  let aged: f64 = 0;
  for (let t = start; t < stop; t++) {
    const at = <usize>t << 3;
    aged += head;
    head += load<f64>(x + at) - anchor;
    if (start == 0 && t != last) continue;
    const weighted = n * head - aged + (t == last ? 0 : load<f64>(mean + at));
    const sum = head + (t == last ? 0 : load<f64>(end + at));
    store<f64>(mean + at, anchor + weighted / weights);
    store<f64>(end + at, anchor + (3 * weighted) / weights - (2 * sum) / n);
  }
}

/** As weightedWindow() of indicators/weighted.ts. */
export function weighted(x: usize, length: i32, window: i32, mean: usize, end: usize): void {
  fill(mean, 0, min(window - 1, length), NaN);
  fill(end, 0, min(window - 1, length), NaN);
  if (length > 0) weightedBlock(x, length, window, 0, mean, end);
  const n = <usize>window;
  const bars = f64x2.splat(<f64>window);
  const weights = f64x2.splat((<f64>window * (<f64>window + 1)) / 2);
  const zero = f64x2.splat(0);
  const two = f64x2.splat(2);
  const three = f64x2.splat(3);
  let start = window;
  for (; start + 2 * window <= length; start += 2 * window) {
    const from = x + (<usize>start << 3);
    const anchor = f64x2(anchorOf(load<f64>(from)), anchorOf(load<f64>(from + (n << 3))));
    const means = mean + (<usize>start << 3);
    const ends = end + (<usize>start << 3);
    let tail = zero;
    let tailWeighted = zero;
    for (let k: usize = 1; k < n; k++) {
      tail = f64x2.add(tail, f64x2.sub(pair(from - (k << 3), n), anchor));
      tailWeighted = f64x2.add(tailWeighted, tail);
      const to = (n - 1 - k) << 3;
      storePair(means + to, n, tailWeighted);
      storePair(ends + to, n, tail);
    }
    let head = zero;
    let aged = zero;
    for (let k: usize = 0; k < n; k++) {
      const at = k << 3;
      aged = f64x2.add(aged, head);
      head = f64x2.add(head, f64x2.sub(pair(from + at, n), anchor));
      const isLast = k == n - 1;
      const young = f64x2.sub(f64x2.mul(bars, head), aged);
      const weighted = f64x2.add(young, isLast ? zero : pair(means + at, n));
      const sum = f64x2.add(head, isLast ? zero : pair(ends + at, n));
      const slope = f64x2.add(anchor, f64x2.div(f64x2.mul(three, weighted), weights));
      storePair(means + at, n, f64x2.add(anchor, f64x2.div(weighted, weights)));
      storePair(ends + at, n, f64x2.sub(slope, f64x2.div(f64x2.mul(two, sum), bars)));
    }
  }
  for (; start < length; start += window) weightedBlock(x, length, window, start, mean, end);
}

/** Mean of |x - mean[t]| over the window that ends at t. */
export function meanDistance(x: usize, mean: usize, length: i32, window: i32, out: usize): void {
  fill(out, 0, min(window - 1, length), NaN);
  let t = window - 1;
  for (; t + 2 <= length; t += 2) {
    const to = <usize>t << 3;
    const from = x + (<usize>(t - window + 1) << 3);
    const middle = v128.load(mean + to);
    let sum = f64x2.splat(0);
    for (let i: usize = 0; i < <usize>window; i++) {
      sum = f64x2.add(sum, f64x2.abs(f64x2.sub(v128.load(from + (i << 3)), middle)));
    }
    v128.store(out + to, f64x2.div(sum, f64x2.splat(<f64>window)));
  }
  if (t >= length) return;
  const middle = load<f64>(mean + (<usize>t << 3));
  let sum: f64 = 0;
  for (let j = t - window + 1; j <= t; j++) sum += abs<f64>(load<f64>(x + (<usize>j << 3)) - middle);
  store<f64>(out + (<usize>t << 3), sum / <f64>window);
}
