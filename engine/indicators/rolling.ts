import { type Column, columnOf, columnsOf, defineKernel } from './column.js';
import { bars, overWindow, self } from './indicator.js';
import {
  blockAnchor,
  deviationStream,
  largestStream,
  meanStream,
  sinceMaxStream,
  smallestStream,
  sumStream,
} from './rolling-streams.js';

/*
 * Windows of n values that end at each bar. O(bars) for any n.
 *
 * The series is cut into blocks of n. Every window is the end of one block plus the head of the
 * next, so each sum adds only values of its own window: the tail from its newest value backwards,
 * the head from its oldest forwards, then tail + head. A value that has left a window leaves no
 * rounding dust behind: sums over zeros are exactly 0, NaN leaves with its bar, and errors do not
 * grow with the length of the series. The order is fixed, so a prefix gives the same bits.
 *
 * Means and deviations are taken about an anchor: the first value of the newer block, which every
 * window of that block contains. So a flat window gives exactly its price and exactly 0, and
 * variance never subtracts large squares.
 */

/** Sum of the last `window` values. NaN before bar window-1 and while the window holds a NaN. */
function rollingSum(x: Float64Array, window: number, out: Float64Array): void {
  const length = x.length;
  out.fill(NaN, 0, Math.min(window - 1, length));
  for (let start = 0; start < length; start += window) {
    if (start > 0) tailSums(x, start, window, 0, out);
    const end = Math.min(start + window, length);
    const last = start + window - 1; // the one bar whose window is the block itself
    let head = 0;
    for (let t = start; t < end; t++) {
      head += x[t];
      if (t === last) out[t] = head;
      else if (start > 0) out[t] += head;
    }
  }
}

/**
 * Writes to each bar t of the block at `start` the sum of (x - anchor) over the part of its window
 * that lies before the block.
 */
function tailSums(x: Float64Array, start: number, window: number, anchor: number, out: Float64Array): void {
  const length = x.length;
  let tail = 0;
  for (let j = start - 1; j > start - window; j--) {
    tail += x[j] - anchor;
    if (j + window - 1 < length) out[j + window - 1] = tail;
  }
}

/**
 * Fills `out` with NaN if the window is empty, as it is when a definition looks at `window - 1`
 * earlier bars and is called with 1.
 */
function isEmptyWindow(window: number, out: Float64Array): boolean {
  if (window >= 1) return false;
  out.fill(NaN);
  return true;
}

/** Mean of the last `window` values. NaN before bar window-1 and while the window holds a NaN. */
export function sma(x: Float64Array, window: number, out: Float64Array): void {
  const length = x.length;
  out.fill(NaN, 0, Math.min(window - 1, length));
  for (let start = 0; start < length; start += window) {
    const anchor = blockAnchor(x[start]);
    if (start > 0) tailSums(x, start, window, anchor, out);
    const end = Math.min(start + window, length);
    const last = start + window - 1;
    let head = 0;
    for (let t = start; t < end; t++) {
      head += x[t] - anchor;
      if (t === last) out[t] = anchor + head / window;
      else if (start > 0) out[t] = anchor + (out[t] + head) / window;
    }
  }
}

/**
 * Mean and deviation of the last `window` values: deviation = sqrt(sum((x - mean)^2) / (window -
 * dof)).
 * @param dof 0 for the population, 1 for the sample deviation
 */
function meanAndDeviation(
  x: Float64Array,
  window: number,
  dof: number,
  mean: Float64Array,
  deviation: Float64Array,
): void {
  const length = x.length;
  const divisor = window - dof;
  mean.fill(NaN, 0, Math.min(window - 1, length));
  deviation.fill(NaN, 0, Math.min(window - 1, length));
  for (let start = 0; start < length; start += window) {
    const anchor = blockAnchor(x[start]);
    if (start > 0) {
      let tail = 0;
      let tailSquares = 0;
      for (let j = start - 1; j > start - window; j--) {
        const d = x[j] - anchor;
        tail += d;
        tailSquares += d * d;
        if (j + window - 1 < length) {
          mean[j + window - 1] = tail;
          deviation[j + window - 1] = tailSquares;
        }
      }
    }
    const end = Math.min(start + window, length);
    const last = start + window - 1;
    let head = 0;
    let headSquares = 0;
    for (let t = start; t < end; t++) {
      const d = x[t] - anchor;
      head += d;
      headSquares += d * d;
      if (start === 0 && t !== last) continue;
      const sum = t === last ? head : mean[t] + head;
      const squares = t === last ? headSquares : deviation[t] + headSquares;
      mean[t] = anchor + sum / window;
      deviation[t] = Math.sqrt(Math.max(0, (squares - (sum * sum) / window) / divisor));
    }
  }
}

/**
 * Largest of the last `window` values. NaN before bar window-1 and while the window holds a NaN.
 */
function rollingMax(x: Float64Array, window: number, out: Float64Array): void {
  if (isEmptyWindow(window, out)) return;
  const length = x.length;
  out.fill(NaN, 0, Math.min(window - 1, length));
  for (let start = 0; start < length; start += window) {
    if (start > 0) {
      let tail = -Infinity;
      for (let j = start - 1; j > start - window; j--) {
        tail = Math.max(tail, x[j]);
        if (j + window - 1 < length) out[j + window - 1] = tail;
      }
    }
    const end = Math.min(start + window, length);
    const last = start + window - 1;
    let head = -Infinity;
    for (let t = start; t < end; t++) {
      head = Math.max(head, x[t]);
      if (t === last) out[t] = head;
      else if (start > 0) out[t] = Math.max(out[t], head);
    }
  }
}

/**
 * Smallest of the last `window` values. NaN before bar window-1 and while the window holds a NaN.
 */
function rollingMin(x: Float64Array, window: number, out: Float64Array): void {
  if (isEmptyWindow(window, out)) return;
  const length = x.length;
  out.fill(NaN, 0, Math.min(window - 1, length));
  for (let start = 0; start < length; start += window) {
    if (start > 0) {
      let tail = Infinity;
      for (let j = start - 1; j > start - window; j--) {
        tail = Math.min(tail, x[j]);
        if (j + window - 1 < length) out[j + window - 1] = tail;
      }
    }
    const end = Math.min(start + window, length);
    const last = start + window - 1;
    let head = Infinity;
    for (let t = start; t < end; t++) {
      head = Math.min(head, x[t]);
      if (t === last) out[t] = head;
      else if (start > 0) out[t] = Math.min(out[t], head);
    }
  }
}

/**
 * Number of bars since the highest of the last `window` values; of equal values the oldest counts.
 * NaN before bar window-1.
 */
function barsSinceMax(x: Float64Array, window: number, out: Float64Array): void {
  const length = x.length;
  for (let start = 0; start < length; start += window) {
    if (start > 0) {
      let best = -Infinity;
      let bar = start - 1; // of the highest value in the tail; `out` keeps it for the head
      for (let j = start - 1; j > start - window; j--) {
        if (x[j] >= best) {
          best = x[j];
          bar = j;
        }
        if (j + window - 1 < length) out[j + window - 1] = bar;
      }
    }
    const end = Math.min(start + window, length);
    const last = start + window - 1;
    let best = -Infinity;
    let bar = start;
    for (let t = start; t < end; t++) {
      if (x[t] > best) {
        best = x[t];
        bar = t;
      }
      if (start === 0 || t === last) out[t] = t - bar;
      else out[t] = t - (x[out[t]] >= best ? out[t] : bar);
    }
  }
  out.fill(NaN, 0, Math.min(window - 1, length));
}

const sumKernel = defineKernel('SUM', sumStream, ([x], [window], [out]) => rollingSum(x, window, out), {
  simd: (kernels, length, [x], [window], [out]) => kernels.sum(x, length, window, out),
});
const smaKernel = defineKernel('SMA', meanStream, ([x], [window], [out]) => sma(x, window, out), {
  simd: (kernels, length, [x], [window], [out]) => kernels.sma(x, length, window, out),
});
const maxKernel = defineKernel('MAX', largestStream, ([x], [window], [out]) => rollingMax(x, window, out), {
  simd: (kernels, length, [x], [window], [out]) => kernels.rollingMax(x, length, window, out),
});
const minKernel = defineKernel('MIN', smallestStream, ([x], [window], [out]) => rollingMin(x, window, out), {
  simd: (kernels, length, [x], [window], [out]) => kernels.rollingMin(x, length, window, out),
});
const sinceMaxKernel = defineKernel(
  'SINCE_MAX',
  sinceMaxStream,
  ([x], [window], [out]) => barsSinceMax(x, window, out),
  { simd: (kernels, length, [x], [window], [out]) => kernels.sinceMax(x, length, window, out) },
);
const deviationKernel = defineKernel(
  'DEVIATION',
  deviationStream,
  ([x], [window, dof], [mean, deviation]) => meanAndDeviation(x, window, dof, mean, deviation),
  {
    outputCount: 2,
    simd: (kernels, length, [x], [window, dof], [mean, deviation]) =>
      kernels.meanAndDeviation(x, length, window, dof, mean, deviation),
  },
);

export const SUM = (x: Column, window: number): Column => columnOf(sumKernel, [x], [window]);
export const SMA = (x: Column, window: number): Column => columnOf(smaKernel, [x], [window]);
export const MAX = (x: Column, window: number): Column => columnOf(maxKernel, [x], [window]);
export const MIN = (x: Column, window: number): Column => columnOf(minKernel, [x], [window]);
export const SINCE_MAX = (x: Column, window: number): Column => columnOf(sinceMaxKernel, [x], [window]);

/** [mean, population or sample standard deviation] of the window. */
export function DEVIATION(x: Column, window: number, dof: 0 | 1): readonly [mean: Column, deviation: Column] {
  const [mean, deviation] = columnsOf(deviationKernel, [x], [window, dof]);
  return [mean, deviation];
}

export const rollingAverages = {
  SMA: overWindow(SMA, 'sma', 'simple moving average', bars(20), self, {
    title: 'Simple moving average',
    formula: 'SMA(x,n)[t] = mean(x[t-n+1..t]); NaN while t < n-1 or if any of the n values is NaN',
  }),
} as const;
