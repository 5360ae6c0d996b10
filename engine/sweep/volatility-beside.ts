import { annualVolatility, type ExecutionConfig } from '../execution/index.js';
import { ColumnPool } from '../series/column-pool.js';
import type { BarSeries } from '../series/index.js';

const KEPT_MAX = 8;

/**
 * Columns of annualized volatility, in the memory that the kernels read. Beyond a few of them the
 * least recently used one is dropped.
 */
export class VolatilityBeside {
  /** Least recently used first. */
  readonly #kept = new Map<string, Float64Array>();

  constructor(private readonly bars: BarSeries) {}

  column(config: ExecutionConfig): Float64Array {
    const { volatility_mode, volatility_window, trading_days_per_year, trading_hours_per_day } = config;
    const key = [volatility_mode, volatility_window, trading_days_per_year, trading_hours_per_day].join(' ');
    let column = this.#kept.get(key);
    if (column === undefined) {
      const [oldest] = this.#kept.keys();
      if (this.#kept.size >= KEPT_MAX) this.#drop(oldest);
      const { barCount, close } = this.bars;
      column = ColumnPool.beside(close).take(barCount);
      for (let bar = 0; bar < barCount; bar++) column[bar] = annualVolatility(this.bars, bar, config);
    } else this.#kept.delete(key);
    this.#kept.set(key, column);
    return column;
  }

  /** Gives all columns back to the pool. */
  release(): void {
    for (const key of this.#kept.keys()) this.#drop(key);
  }

  #drop(key: string): void {
    const column = this.#kept.get(key);
    this.#kept.delete(key);
    if (column !== undefined) ColumnPool.beside(this.bars.close).give([column]);
  }
}
