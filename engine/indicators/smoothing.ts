import { type Column, columnOf, defineKernel } from './column.js';

/**
 * Exponential smoothing e = (1-a) e + a x, begun at the first value that is not NaN and published from the `window`-th one on.
 *
 * The recursion runs on deviations from the first value, so a flat series stays exactly at its price. After k missing
 * inputs the old average has aged k+1 bars against a weight of a for the new value:
 * e = ((1-a)^(k+1) e + a x) / ((1-a)^(k+1) + a); meanwhile a published average repeats. O(bars).
 *
 * @param alpha 2/(window+1) for EMA, 1/window for Wilder's RMA
 */
export function smooth(x: Float64Array, alpha: number, window: number, out: Float64Array): void {
  const length = x.length;
  const keep = 1 - alpha;
  let t = 0;
  while (t < length && Number.isNaN(x[t])) out[t++] = NaN;
  if (t === length) return;
  const anchor = Number.isFinite(x[t]) ? x[t] : 0;
  const publishAt = t + window - 1;
  let deviation = x[t] - anchor;
  out[t] = window <= 1 ? x[t] : NaN;
  t++;
  for (; t < publishAt && t < length; t++) {
    const d = x[t] - anchor;
    if (Number.isNaN(d)) {
      smoothWithGaps(x, t, alpha, anchor, deviation, publishAt, out);
      return;
    }
    deviation = keep * deviation + alpha * d;
    out[t] = NaN;
  }
  for (; t < length; t++) {
    const d = x[t] - anchor;
    if (Number.isNaN(d)) {
      smoothWithGaps(x, t, alpha, anchor, deviation, publishAt, out);
      return;
    }
    deviation = keep * deviation + alpha * d;
    out[t] = anchor + deviation;
  }
}

/** The rest of the series from its first missing input on; each one missed before `publishAt` delays publication by a bar. */
function smoothWithGaps(
  x: Float64Array,
  from: number,
  alpha: number,
  anchor: number,
  deviation: number,
  publishAt: number,
  out: Float64Array,
): void {
  const keep = 1 - alpha;
  let inputsMissing = publishAt + 1 - from; // until publication
  let age = keep;
  for (let t = from; t < x.length; t++) {
    const d = x[t] - anchor;
    if (Number.isNaN(d)) {
      age *= keep;
    } else {
      deviation = age === keep ? keep * deviation + alpha * d : (age * deviation + alpha * d) / (age + alpha);
      age = keep;
      inputsMissing--;
    }
    out[t] = inputsMissing <= 0 ? anchor + deviation : NaN;
  }
}

const emaKernel = defineKernel('EMA', ([x], [window], [out]) => smooth(x, 2 / (window + 1), window, out));
const rmaKernel = defineKernel('RMA', ([x], [window], [out]) => smooth(x, 1 / window, window, out));

/** Exponential moving average, factor 2/(window+1), begun at the first value, published from the window-th. */
export const EMA = (x: Column, window: number): Column => columnOf(emaKernel, [x], [window]);

/** Wilder's smoothing (SMMA), factor 1/window, begun at the first value. */
export const RMA = (x: Column, window: number): Column => columnOf(rmaKernel, [x], [window]);
