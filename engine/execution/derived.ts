import { type BarSeries, DAY_MS } from '../series/index.js';
import { aggregateBars, bucketExtremes, type CoarseBars, type Extremes } from '../timeframes/index.js';
import { averageTrueRange } from './true-range.js';

/** Bars per block of `extremes`. */
export const BLOCK_BARS = 64;

const ATR_BYTES_MAX = 32 * 1024 * 1024;

/**
 * Columns that depend only on the bars. They are computed at first use and shared by all
 * simulations of one series.
 */
class DerivedColumns {
  private readonly atrByPeriod = new Map<number, Float64Array>();
  private daily: CoarseBars | undefined;
  private blocks: Extremes | undefined;

  constructor(private readonly bars: BarSeries) {}

  /**
   * Average true range per bar. Columns are cached up to 32 MB, at least one; the oldest is dropped
   * first.
   */
  atr(period: number): Float64Array {
    let column = this.atrByPeriod.get(period);
    if (column === undefined) {
      column = averageTrueRange(this.bars, period);
      const columnsMax = Math.max(1, Math.floor(ATR_BYTES_MAX / (column.byteLength + 1)));
      for (const oldest of this.atrByPeriod.keys()) {
        if (this.atrByPeriod.size < columnsMax) break;
        this.atrByPeriod.delete(oldest);
      }
      this.atrByPeriod.set(period, column);
    }
    return column;
  }

  days(): CoarseBars {
    this.daily ??= aggregateBars({ ...this.bars, columns: {} }, DAY_MS);
    return this.daily;
  }

  /** Lowest low and highest high of every block of 64 bars. */
  extremes(): Extremes {
    this.blocks ??= blockExtremes(this.bars);
    return this.blocks;
  }
}

const derivedBySeries = new WeakMap<BarSeries, DerivedColumns>();

/**
 * The derived columns of a series, cached for as long as the series object lives. Its bars must no
 * longer change.
 */
export function derivedColumns(bars: BarSeries): DerivedColumns {
  let columns = derivedBySeries.get(bars);
  if (columns === undefined) {
    columns = new DerivedColumns(bars);
    derivedBySeries.set(bars, columns);
  }
  return columns;
}

function blockExtremes(bars: BarSeries): Extremes {
  const blockCount = Math.ceil(bars.barCount / BLOCK_BARS);
  const bounds = new Int32Array(blockCount + 1).map((_, block) => Math.min(block * BLOCK_BARS, bars.barCount));
  return bucketExtremes(bars, bounds);
}
