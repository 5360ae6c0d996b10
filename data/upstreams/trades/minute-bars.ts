// biome-ignore-all lint/style/noNonNullAssertion: every index lies within columns of one length
import { allocateBars, bucketStart, MINUTE_MS, sliceBars } from '../../../engine/series/index.js';
import type { RecordedTrades } from '../../recordings/index.js';
import type { CountedBars } from './port.js';

/**
 * Bars of one minute from trades. A recording begins and ends within a minute, so the first and the
 * last minute give no bar; a minute without trades gives none either. O(trades).
 */
export function minuteBars({ time, values: { price, quantity } }: RecordedTrades): CountedBars {
  const count = time.length;
  const fromMs = count === 0 ? Infinity : bucketStart(time[0]! - 1, MINUTE_MS) + MINUTE_MS;
  const toMs = count === 0 ? -Infinity : bucketStart(time[count - 1]!, MINUTE_MS);
  const minutes = Math.max(0, (toMs - fromMs) / MINUTE_MS);
  const bars = allocateBars(minutes, MINUTE_MS);
  const tradeCounts = new Float64Array(minutes);
  let k = -1; // the bar being made
  for (let i = 0; i < count; i++) {
    if (time[i]! < fromMs || time[i]! >= toMs) continue;
    const startMs = bucketStart(time[i]!, MINUTE_MS);
    if (k === -1 || bars.time[k] !== startMs) {
      k++;
      bars.time[k] = startMs;
      bars.open[k] = bars.high[k] = bars.low[k] = price[i]!;
      bars.volume[k] = 0;
    }
    bars.high[k] = Math.max(bars.high[k]!, price[i]!);
    bars.low[k] = Math.min(bars.low[k]!, price[i]!);
    bars.close[k] = price[i]!;
    bars.volume[k]! += quantity[i]!;
    tradeCounts[k]!++;
  }
  return { bars: sliceBars(bars, 0, k + 1), tradeCounts: tradeCounts.subarray(0, k + 1) };
}
