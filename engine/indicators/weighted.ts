import { type Column, columnOf, columnsOf, defineKernel } from './column.js';
import { bars, overWindow, self } from './indicator.js';
import { SMA } from './rolling.js';
import { blockAnchor, weightedStream } from './rolling-streams.js';
import { ofWindow } from './stream.js';

/*
 * Weighted windows, cut into blocks as in rolling.ts, and distances from a window's own mean.
 */

/**
 * Linearly weighted mean (weights 1..window, newest heaviest) and end point of the least-squares
 * line, both about the anchor. With S the plain and W the weighted sum: mean = 2W/(n(n+1)), end = 3
 * mean - 2 S/n. First values at window-1.
 */
function weightedWindow(x: Float64Array, window: number, mean: Float64Array, endPoint: Float64Array): void {
  const length = x.length;
  const weights = (window * (window + 1)) / 2;
  mean.fill(NaN, 0, Math.min(window - 1, length));
  endPoint.fill(NaN, 0, Math.min(window - 1, length));
  for (let start = 0; start < length; start += window) {
    const anchor = blockAnchor(x[start]);
    if (start > 0) {
      let tail = 0;
      let tailWeighted = 0;
      for (let j = start - 1; j > start - window; j--) {
        tail += x[j] - anchor;
        tailWeighted += tail; // one older value: every newer one gains a weight of 1
        if (j + window - 1 < length) {
          mean[j + window - 1] = tailWeighted;
          endPoint[j + window - 1] = tail;
        }
      }
    }
    const end = Math.min(start + window, length);
    const last = start + window - 1;
    let head = 0;
    let aged = 0; // sum of (age in bars) * d over the head
    for (let t = start; t < end; t++) {
      aged += head;
      head += x[t] - anchor;
      if (start === 0 && t !== last) continue;
      const weighted = window * head - aged + (t === last ? 0 : mean[t]);
      const sum = head + (t === last ? 0 : endPoint[t]);
      mean[t] = anchor + weighted / weights;
      endPoint[t] = anchor + (3 * weighted) / weights - (2 * sum) / window;
    }
  }
}

/**
 * Mean distance of the last `window` values from their own mean, which the caller provides. O(bars
 * x window). First value at window-1.
 */
function meanDistance(x: Float64Array, mean: Float64Array, window: number, out: Float64Array): void {
  out.fill(NaN, 0, Math.min(window - 1, out.length));
  for (let t = window - 1; t < out.length; t++) {
    let distance = 0;
    for (let i = t - window + 1; i <= t; i++) distance += Math.abs(x[i] - mean[t]);
    out[t] = distance / window;
  }
}

const weightedKernel = defineKernel(
  'WEIGHTED',
  weightedStream,
  ([x], [window], [mean, end]) => weightedWindow(x, window, mean, end),
  {
    outputCount: 2,
    simd: (kernels, length, [x], [window], [mean, end]) => kernels.weighted(x, length, window, mean, end),
  },
);
const meanDistanceKernel = defineKernel(
  'MEAN_DISTANCE',
  ofWindow(([window]) => window),
  ([x, mean], [window], [out]) => meanDistance(x, mean, window, out),
  { simd: (kernels, length, [x, mean], [window], [out]) => kernels.meanDistance(x, mean, length, window, out) },
);
/** Weighted moving average, weights 1..window, newest heaviest. First value at window-1. */
export const WMA = (x: Column, window: number): Column => columnsOf(weightedKernel, [x], [window])[0];
/** Least-squares line over the window, read at its newest bar. First value at window-1. */
export const EPMA = (x: Column, window: number): Column => columnsOf(weightedKernel, [x], [window])[1];
/** Mean |x - mean| over the window, where the mean is the window's own. */
export const MEAN_DISTANCE = (x: Column, window: number): Column =>
  columnOf(meanDistanceKernel, [x, SMA(x, window)], [window]);

export const weightedAverages = {
  WMA: overWindow(WMA, 'wma', 'weighted moving average', bars(20), self, {
    title: 'Weighted moving average',
    formula:
      'WMA(x,n)[t] = sum_{k=1..n} k*x[t-n+k] / (n(n+1)/2); NaN while t < n-1 or if any value in the window is NaN',
  }),
  EPMA: overWindow(EPMA, 'epma', 'end point of the least-squares line', bars(20, 2), self, {
    title: 'End point moving average',
    formula:
      'EPMA(x,n)[t] = least-squares line over x[t-n+1..t] evaluated at the newest bar = sum_{i=0..n-1} w_i*x[t-n+1+i], w_i = (6i+4-2n)/(n(n+1))',
  }),
} as const;
