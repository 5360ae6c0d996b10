import { finerCount, firstFiner } from '../execution/index.js';
import { ColumnPool } from '../series/column-pool.js';
import type { BarSeries } from '../series/index.js';
import type { CopyFiner } from '../simd/kernels.js';

/** The finer bars of a run as the kernels ask for them. */
interface FinerRoom {
  readonly detail: BarSeries;
  /** Open, high and low of each finer bar of the latest bar, one after the other. */
  readonly room: Float64Array;
  readonly copy: CopyFiner;
}

/**
 * Finer bars in the memory of a series, those of one bar at a time: few bars are walked, and the
 * finer bars of all would take more memory than the bars.
 */
export class FinerBeside {
  #latest: FinerRoom | null = null;

  constructor(private readonly bars: BarSeries) {}

  of(detail: BarSeries): FinerRoom {
    if (this.#latest?.detail === detail) return this.#latest;
    this.release();
    const { bars } = this;
    const { open, high, low } = detail;
    const count = finerCount(bars, detail);
    const room = ColumnPool.beside(bars.close).take(3 * count);
    const copy = (bar: number): number => {
      const from = firstFiner(bars, bar, detail);
      if (from === -1) return 0;
      for (let k = 0; k < count; k++) {
        room[3 * k] = open[from + k];
        room[3 * k + 1] = high[from + k];
        room[3 * k + 2] = low[from + k];
      }
      return count;
    };
    this.#latest = { detail, room, copy };
    return this.#latest;
  }

  /** Gives the room back to the pool. */
  release(): void {
    if (this.#latest !== null) ColumnPool.beside(this.bars.close).give([this.#latest.room]);
    this.#latest = null;
  }
}
