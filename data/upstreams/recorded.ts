import { EngineError } from '../../engine/errors.js';
import type { BarSeries } from '../../engine/series/index.js';
import type { MarketData } from '../providers/index.js';

/** Recorded values, one a time. */
interface RecordedValues {
  /** Epoch ms, ascending. */
  readonly time: Float64Array;
  readonly value: Float64Array;
}

/** Reads a recorded series, or returns what it read before. */
export type RecordedSource = () => Promise<RecordedValues>;

export function readOnce(read: RecordedSource): RecordedSource {
  let values: Promise<RecordedValues> | null = null;
  return () => {
    values ??= read();
    return values;
  };
}

/** The last value at or before a time; null if there is none, or if it is older than `maxAgeMs`. */
export function valueAt({ time, value }: RecordedValues, atMs: number, maxAgeMs: number): number | null {
  let [from, to] = [0, time.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((time[middle] ?? Infinity) <= atMs) from = middle + 1;
    else to = middle;
  }
  return atMs - (time[from - 1] ?? -Infinity) > maxAgeMs ? null : (value[from - 1] ?? null);
}

interface LatestBars {
  readonly bars: BarSeries;
  /** The market's now of the asset and interval, epoch ms. */
  readonly nowMs: number;
}

/** The last bars of an asset, fewer where there are gaps; null if no such bars are held. */
export async function latestBars(
  market: MarketData,
  asset: string,
  intervalMs: number,
  count: number,
): Promise<LatestBars | null> {
  try {
    const nowMs = await market.nowMs(asset, intervalMs);
    return { bars: await market.bars(asset, intervalMs, nowMs - count * intervalMs), nowMs };
  } catch (error) {
    if (error instanceof EngineError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
