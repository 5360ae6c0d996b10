import { type Column, columnOf, defineKernel } from './column.js';

/**
 * Exponential smoothing e = (1-a) e + a x. It starts at the first finite value and is published
 * from the `window`-th one on. An infinite value, as a division by 0 gives it, counts as missing.
 *
 * The recursion runs on deviations from the first value, so a flat series stays exactly at its
 * price. After k missing inputs the old average has aged k+1 bars against a weight of a for the new
 * value: e = ((1-a)^(k+1) e + a x) / ((1-a)^(k+1) + a). Meanwhile a published average repeats.
 * O(bars).
 *
 * @param alpha 2/(window+1) for EMA, 1/window for Wilder's RMA
 */
function smooth(x: Float64Array, alpha: number, window: number, out: Float64Array): void {
  const length = x.length;
  const first = x.findIndex(Number.isFinite);
  if (first === -1) {
    out.fill(NaN);
    return;
  }
  const anchor = x[first];
  const keep = 1 - alpha;
  let deviation = 0;
  let age = keep; // weight that the average keeps at the next input
  let publishAt = first + window - 1;
  out[first] = x[first];
  for (let t = first + 1; t < length; t++) {
    const d = x[t] - anchor;
    if (d - d !== 0) {
      age *= keep;
      if (t <= publishAt) publishAt++; // a bar without an input delays publishing
    } else if (age === keep) {
      deviation = keep * deviation + alpha * d;
    } else {
      deviation = (age * deviation + alpha * d) / (age + alpha);
      age = keep;
    }
    out[t] = anchor + deviation;
  }
  out.fill(NaN, 0, Math.min(publishAt, length));
}

const smoothing = (name: string, alphaOf: (window: number) => number) =>
  defineKernel(
    name,
    ([x], [window], [out]) => smooth(x, alphaOf(window), window, out),
    1,
    (kernels, length, [x], [window], [out]) => kernels.smooth(x, length, alphaOf(window), window, out),
  );
const emaKernel = smoothing('EMA', (window) => 2 / (window + 1));
const rmaKernel = smoothing('RMA', (window) => 1 / window);

/**
 * Exponential moving average with factor 2/(window+1). It starts at the first value and is
 * published from the window-th on.
 */
export const EMA = (x: Column, window: number): Column => columnOf(emaKernel, [x], [window]);

/** Wilder's smoothing (SMMA) with factor 1/window. It starts at the first value. */
export const RMA = (x: Column, window: number): Column => columnOf(rmaKernel, [x], [window]);
