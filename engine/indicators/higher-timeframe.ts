import { bucketStart, parseInterval } from '../series/intervals.js';
import { type Column, close, columnOf, defineKernel, source } from './column.js';
import { bars, overBars } from './indicator.js';
import { timeframe } from './params.js';

/**
 * Slope of the EMA of the closes of a higher timeframe, read from the newest bucket completed by
 * each bar's close: (E[k] - E[k-1]) / mean of |E| over the published values among the last `window`
 * buckets up to k.
 *
 * A bar closes one spacing after it opens. The spacing is the most frequent difference of
 * consecutive open times so far (the smallest on a tie). A bucket's close is the last close in it;
 * this includes the first bucket, which may be partial. NaN before window + 1 completed buckets.
 */
const slopeKernel = defineKernel('HIGHER_SLOPE', null, ([time, price], [bucketMs, window], [out]) => {
  const alpha = 2 / (window + 1);
  const spacingCounts = new Map<number, number>();
  const sizes = new Float64Array(window); // |E| of the newest finished buckets, a ring
  let spacing = NaN;
  let bucket = NaN;
  let bucketCount = 0; // finished buckets
  let average = 0; // E of the newest finished bucket
  let slope = NaN; // as of that bucket

  const extend = (value: number) => (bucketCount === 0 ? value : (1 - alpha) * average + alpha * value);
  const slopeTo = (next: number): number => {
    // The next bucket has the number bucketCount; E is published from number window-1 on.
    if (bucketCount < window) return NaN;
    let total = Math.abs(next);
    let published = 1;
    for (let k = Math.max(window - 1, bucketCount - window + 1); k < bucketCount; k++) {
      total += sizes[k % window];
      published++;
    }
    return (next - average) / (total / published);
  };

  for (let t = 0; t < out.length; t++) {
    if (t > 0) {
      const difference = time[t] - time[t - 1];
      const count = (spacingCounts.get(difference) ?? 0) + 1;
      spacingCounts.set(difference, count);
      const best = spacingCounts.get(spacing) ?? 0;
      if (count > best || (count === best && difference < spacing)) spacing = difference;
      const start = bucketStart(time[t], bucketMs);
      if (start !== bucket) {
        const next = extend(price[t - 1]);
        slope = slopeTo(next);
        average = next;
        sizes[bucketCount++ % window] = Math.abs(next);
      }
    }
    bucket = bucketStart(time[t], bucketMs);
    const isBucketComplete = bucket + bucketMs <= time[t] + spacing;
    out[t] = isBucketComplete ? slopeTo(extend(price[t])) : t === 0 ? NaN : slope;
  }
});

export const HIGHER_TIMEFRAME_SLOPE = (bucketMs: number, window: number): Column =>
  columnOf(slopeKernel, [source('time'), close], [bucketMs, window]);

export const higherTimeframes = {
  MTF_SLOPE: overBars({
    title: 'Higher timeframe slope',
    formula:
      'close resampled to completed higher_tf buckets: E = EMA(bucket closes,window); slope = (E[k]-E[k-1])/mean(|E| over the last <=window published values ending at k), k = last bucket whose end <= close time of bar t; NaN without timestamps or before window+1 completed buckets',
    params: { higher_tf: timeframe(['5m', '15m', '30m', '1h', '4h', '1D', '1W'], '1W'), window: bars(10) },
    lines: (p) => ({ slope: HIGHER_TIMEFRAME_SLOPE(parseInterval(p.higher_tf), p.window) }),
  }),
} as const;
