import type { BarSeries } from '../../engine/series/index.js';
import type { BarsQuery, BarsSource, StoredBars } from '../bars/index.js';

interface LatestPrice {
  /** In the quote currency. */
  readonly price: number;
  /** When it was the price, epoch ms. */
  readonly timeMs: number;
}

interface FoundBars {
  readonly bars: BarSeries;
  /** The entry they come from. */
  readonly entry: StoredBars;
}

/**
 * The port through which the service reads bars and prices, and the only clock of the market.
 * Series are in shared memory, so callers must not write to them.
 *
 * "Now" depends on the source. With a live provider it is the system clock. With stored bars it is
 * the close of the last stored bar of the asset and interval in question. Where the caller names no
 * interval, or no asset either, it is the latest close of all that match. So "three months back"
 * finds data for every series, however long ago it ends.
 */
export interface MarketData {
  /** Epoch ms. @throws NOT_FOUND when no stored bars match */
  nowMs(asset?: string, intervalMs?: number): Promise<number>;
  /**
   * Bars that open at or after `fromMs` and have closed by now; the series may be empty. An
   * interval coarser than the stored ones is aggregated.
   *
   * @param columns added columns to join to the bars, by name
   * @throws NOT_FOUND for an asset or interval that is not available
   */
  bars(asset: string, intervalMs: number, fromMs: number, columns?: readonly string[]): Promise<BarSeries>;
  /**
   * The newest price; with an interval, the price at the now of that interval. @throws NOT_FOUND
   */
  latestPrice(asset: string, intervalMs?: number): Promise<LatestPrice>;
  /** Names of the columns beside these bars that a generator drew. @throws NOT_FOUND */
  generatedColumns(asset: string, intervalMs: number): Promise<readonly string[]>;
  /** Which stored bars give bars of this interval, wanted from a time on. @throws NOT_FOUND */
  resolveSource(asset: string, intervalMs: number, fromMs?: number): Promise<BarsSource>;
  /** Bars as stored. @throws NOT_FOUND; EMPTY_WINDOW when the window has no bars */
  load(query: BarsQuery): Promise<FoundBars>;
  /** The bars of `load`, aggregated. Windows share the work. @throws as `load` */
  coarse(query: BarsQuery, coarseMs: number): Promise<FoundBars & { readonly finer: BarSeries }>;
  /** The same with bars drawn where only coarser ones are held, for runs that allow them. */
  readonly drawn?: MarketData;
}
