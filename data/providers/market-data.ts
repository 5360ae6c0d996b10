import type { BarSeries } from '../../engine/series/index.js';
import type { BarsQuery, BarsSource, StoredBars } from '../bars/index.js';

interface LatestPrice {
  /** In the quote currency. */
  readonly price: number;
  /** When it was paid, epoch ms. */
  readonly timeMs: number;
}

export interface FoundBars {
  readonly bars: BarSeries;
  /** Where they are from. */
  readonly entry: StoredBars;
}

/**
 * The port that everything of the service reads bars and prices from, and the only clock of the
 * market. Series are in shared memory and belong to everybody: nobody writes to them.
 *
 * What "now" is depends on the source. With a live provider it is the system clock. With stored
 * bars it is the close of the last bar held: of the bars that a question about this asset and
 * interval is answered from, and where a caller names less, the latest over all that are meant. So
 * "three months back" finds data for every series, however long ago it ends.
 */
export interface MarketData {
  /** Epoch ms. @throws NOT_FOUND where nothing is held that is meant */
  nowMs(asset?: string, intervalMs?: number): Promise<number>;
  /**
   * Bars that open at or after `fromMs` and have closed by now; coarser intervals than held are
   * aggregated. None is an empty series.
   *
   * @throws NOT_FOUND for an asset or interval that is not to be had
   */
  bars(asset: string, intervalMs: number, fromMs: number): Promise<BarSeries>;
  /** The newest price; with an interval the one at that interval's now. @throws NOT_FOUND */
  latestPrice(asset: string, intervalMs?: number): Promise<LatestPrice>;
  /** What bars of any interval are made of. @throws NOT_FOUND */
  resolveSource(asset: string, intervalMs: number): Promise<BarsSource>;
  /** Bars as they are held. @throws NOT_FOUND; EMPTY_WINDOW where there are none in the window */
  load(query: BarsQuery): Promise<FoundBars>;
  /**
   * What aggregating the bars of `load` gives, which is not done anew for every window. @throws as
   * `load`
   */
  coarse(query: BarsQuery, coarseMs: number): Promise<FoundBars>;
}
