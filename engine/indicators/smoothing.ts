import { type Column, columnOf, defineKernel, type OpenStream } from './column.js';
import { bars, overColumn, overWindow, self } from './indicator.js';

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

/** `smooth` one bar at a time. */
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

const smoothing = (name: string, alphaOf: (window: number) => number) =>
  defineKernel(name, smoothed(alphaOf), ([x], [window], [out]) => smooth(x, alphaOf(window), window, out), {
    simd: (kernels, length, [x], [window], [out]) => kernels.smooth(x, length, alphaOf(window), window, out),
  });
const emaKernel = smoothing('EMA', (window) => 2 / (window + 1));
const rmaKernel = smoothing('RMA', (window) => 1 / window);

/**
 * Exponential moving average with factor 2/(window+1). It starts at the first value and is
 * published from the window-th on.
 */
export const EMA = (x: Column, window: number): Column => columnOf(emaKernel, [x], [window]);

/** Wilder's smoothing (SMMA) with factor 1/window. It starts at the first value. */
export const RMA = (x: Column, window: number): Column => columnOf(rmaKernel, [x], [window]);

export const smoothedAverages = {
  EMA: overWindow(EMA, 'ema', 'exponential moving average', bars(20), self, {
    title: 'Exponential moving average',
    formula:
      "EMA(x,n): a = 2/(n+1); f = index of first non-NaN x; e[f] = x[f]; e[t] = (1-a)*e[t-1] + a*x[t] (no bias adjustment); value published only once n non-NaN inputs have been consumed (first at f+n-1), NaN before; an outer EMA sees those unpublished values as NaN and so starts at the inner EMA's first published value; k missing inputs after the first age the old value k+1 bars: e = ((1-a)^(k+1)*e + a*x)/((1-a)^(k+1) + a)",
  }),
  RMA: overWindow(RMA, 'rma', "Wilder's smoothing", bars(14), self, {
    title: "Wilder's smoothing",
    formula:
      'RMA(x,n): same recursion and publishing rule as EMA with a = 1/n (Wilder smoothing seeded with the first non-NaN value, not with an average)',
  }),
  SMMA: overColumn({
    title: 'Smoothed moving average',
    formula: 'SMMA(x,n) = RMA(x,n): s[f] = x[f], s[t] = s[t-1] + (x[t]-s[t-1])/n, published from f+n-1',
    params: { window: bars(14) },
    lines: ({ window }, x) => ({ smma: RMA(x, window) }),
  }),
} as const;
