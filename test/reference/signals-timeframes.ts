import { at, ema, meanOf } from './indicators.js';
import { number, type Params, type ReferenceBars } from './signals-truth.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const LENGTHS: Record<string, number> = {
  '5m': 5 * MINUTE,
  '5min': 5 * MINUTE,
  '15m': 15 * MINUTE,
  '15min': 15 * MINUTE,
  '30m': 30 * MINUTE,
  '30min': 30 * MINUTE,
  '1h': 60 * MINUTE,
  '4h': 240 * MINUTE,
  '1d': DAY,
  '1w': 7 * DAY,
};

/** 1970-01-05, the first Monday after the epoch. */
const FIRST_MONDAY = 4 * DAY;

const bucketStart = (time: number, length: number): number => {
  const origin = length === 7 * DAY ? FIRST_MONDAY : 0;
  return Math.floor((time - origin) / length) * length + origin;
};

/** The most frequent step between neighbours; the smallest of equally frequent ones. */
function spacing(times: number[]): number {
  const counts = new Map<number, number>();
  for (let i = 1; i < times.length; i++) {
    const step = times[i] - times[i - 1];
    counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  let best = NaN;
  let bestCount = 0;
  for (const [step, count] of counts) {
    if (count > bestCount || (count === bestCount && step < best)) {
      best = step;
      bestCount = count;
    }
  }
  return best;
}

/** Section 7.4, evaluated anew on the prefix 0..t; NaN where undefined. */
export function multiTimeframeSlope(bars: ReferenceBars, params: Params): (t: number) => number {
  const length = typeof params.higher_tf === 'string' ? LENGTHS[params.higher_tf.toLowerCase()] : undefined;
  const window = number(params, 'window');
  return (t) => {
    if (length === undefined || bars.time.length <= t) return NaN;
    const times = bars.time.slice(0, t + 1);
    const closeTime = times[t] + spacing(times);
    const starts: number[] = [];
    const closes: number[] = [];
    for (let i = 0; i <= t; i++) {
      const start = bucketStart(times[i], length);
      if (starts.length > 0 && starts[starts.length - 1] === start) closes[closes.length - 1] = bars.close[i];
      else {
        starts.push(start);
        closes.push(bars.close[i]);
      }
    }
    const line = ema(closes, window);
    let k = -1;
    starts.forEach((start, bucket) => {
      if (start + length <= closeTime) k = bucket;
    });
    if (k + 1 < window + 1) return NaN;
    const published = line.slice(Math.max(0, k - window + 1), k + 1).filter((e) => !Number.isNaN(e));
    return (line[k] - at(line, k - 1)) / meanOf(published.map(Math.abs));
  };
}
