import type { BarSeries } from '../../engine/series/index.js';
import type { Gap } from './inspect.js';
import type { StoredBars } from './stored.js';

export interface BarsQuery {
  readonly asset: string;
  readonly intervalMs: number;
  /** Bars that open at or after this time; by default from the first bar. */
  readonly fromMs?: number | undefined;
  /** Bars that open before this time; by default to the last bar. */
  readonly toMs?: number | undefined;
  /** Added columns to join to the bars, by name; by default none. */
  readonly columns?: readonly string[] | undefined;
}

interface LoadedBars {
  readonly bars: BarSeries;
  /** The holes between the loaded bars. */
  readonly gaps: readonly Gap[];
  /** The entry they come from. Its content hash covers the whole file. */
  readonly entry: StoredBars;
}

export interface BarsSource {
  /** The entry to load. */
  readonly entry: StoredBars;
  /** The interval to aggregate the loaded bars to, or null when they have the wanted one. */
  readonly aggregateToMs: number | null;
}

/** A question to the stored bars. */
export interface BarReads {
  list(): Promise<readonly StoredBars[]>;
  /**
   * Stored bars as shared columns, with those added columns that the query names.
   * @throws NOT_FOUND when there are no such bars; EMPTY_WINDOW when the window has no bars
   */
  load(query: BarsQuery): Promise<LoadedBars>;
  /**
   * What to load for bars of any interval: the bars themselves, or the coarsest finer ones whose
   * interval divides it. The user's series win over bundled ones of any interval. Where the bars
   * are wanted from a time on and the finer ones begin earlier, these are taken.
   */
  resolveSource(asset: string, intervalMs: number, fromMs?: number): Promise<BarsSource>;
}
