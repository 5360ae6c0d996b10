import { EngineError } from '../../engine/errors.js';
import type { BarSeries } from '../../engine/series/index.js';
import type { MarketData } from '../providers/index.js';

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
