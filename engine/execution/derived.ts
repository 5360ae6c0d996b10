import { aggregateBars, type BarSeries, type CoarseBars, DAY_MS } from '../series/index.js';
import { averageTrueRange } from './true-range.js';

const BLOCK_BITS = 6;
/** Bars per block of `BlockExtremes`. */
export const BLOCK_BARS = 1 << BLOCK_BITS;

/** Lowest low and highest high of every block of 64 bars. */
export interface BlockExtremes {
  readonly lows: Float64Array;
  readonly highs: Float64Array;
}

const ATR_BYTES_MAX = 32 * 1024 * 1024;

/** Columns that depend on the bars alone, computed at first use and shared by all simulations of one series. */
class DerivedColumns {
  private readonly atrByPeriod = new Map<number, Float64Array>();
  private daily: CoarseBars | undefined;
  private blocks: BlockExtremes | undefined;

  constructor(private readonly bars: BarSeries) {}

  /** Average true range per bar; the oldest periods are dropped where they would take more than 32 MB. */
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
    this.daily ??= aggregateBars({ ...this.bars, onchain: {} }, DAY_MS);
    return this.daily;
  }

  extremes(): BlockExtremes {
    this.blocks ??= blockExtremes(this.bars);
    return this.blocks;
  }
}

const derivedBySeries = new WeakMap<BarSeries, DerivedColumns>();

/** The derived columns of a series, kept as long as the series object lives: its bars must not change any more. */
export function derivedColumns(bars: BarSeries): DerivedColumns {
  let columns = derivedBySeries.get(bars);
  if (columns === undefined) {
    columns = new DerivedColumns(bars);
    derivedBySeries.set(bars, columns);
  }
  return columns;
}

function blockExtremes({ barCount, low, high }: BarSeries): BlockExtremes {
  const blockCount = Math.ceil(barCount / BLOCK_BARS);
  const lows = new Float64Array(blockCount);
  const highs = new Float64Array(blockCount);
  for (let block = 0; block < blockCount; block++) {
    const from = block << BLOCK_BITS;
    const to = Math.min(from + BLOCK_BARS, barCount);
    let lowest = low[from];
    let highest = high[from];
    for (let i = from + 1; i < to; i++) {
      if (low[i] < lowest) lowest = low[i];
      if (high[i] > highest) highest = high[i];
    }
    lows[block] = lowest;
    highs[block] = highest;
  }
  return { lows, highs };
}
