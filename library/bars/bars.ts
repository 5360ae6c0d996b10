import type { BarSeries } from '../../engine/series/index.js';

/**
 * Bars as columns: Float64Arrays of one length, oldest first, with the open time of each bar in
 * epoch ms UTC. Prices are above 0, volume is in the base asset. Do not write to the columns.
 */
export interface Bars extends BarSeries {
  readonly asset: string;
  /** SHA-256 over the columns: equal bars have equal hashes, from any source. */
  readonly contentHash: string;
  /** `catalogue`, `sample`, `memory`, or the path of a file. */
  readonly source: string;
}

/** Columns of one length: numbers, oldest first. */
export interface BarColumnsInput {
  /** Open time: epoch ms, dates, or ISO 8601 texts (UTC where they name no zone). */
  readonly time: ArrayLike<number | string | Date>;
  readonly open: ArrayLike<number>;
  readonly high: ArrayLike<number>;
  readonly low: ArrayLike<number>;
  readonly close: ArrayLike<number>;
  /** Default: 0 on every bar. */
  readonly volume?: ArrayLike<number>;
  /**
   * Further columns by name; NaN where a bar has no value. A value is known at the close of its
   * bar.
   */
  readonly columns?: Readonly<Record<string, ArrayLike<number>>>;
}

/** One bar as an object. */
export interface BarRow {
  readonly time: number | string | Date;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume?: number;
}
