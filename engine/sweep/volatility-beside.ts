import { annualVolatility, type ExecutionConfig } from '../execution/index.js';
import { ColumnPool } from '../series/column-pool.js';
import { type BarSeries, createMask, type Mask } from '../series/index.js';

const KEPT_MAX = 8;

interface VolatilityColumn {
  readonly values: Float64Array;
  /** The bars whose value is there. */
  readonly known: Mask;
}

/**
 * Columns of annualized volatility, in the memory that the kernels read. A value takes the time of
 * its window, so only the bars that runs ask for have one. Beyond a few columns the least recently
 * used one is dropped.
 */
export class VolatilityBeside {
  /** Least recently used first. */
  readonly #kept = new Map<string, VolatilityColumn>();

  constructor(private readonly bars: BarSeries) {}

  /** @param wanted bars whose values are read */
  column(config: ExecutionConfig, wanted: readonly Mask[]): Float64Array {
    const { volatility_mode, volatility_window, trading_days_per_year, trading_hours_per_day } = config;
    const key = [volatility_mode, volatility_window, trading_days_per_year, trading_hours_per_day].join(' ');
    let column = this.#kept.get(key);
    if (column === undefined) {
      const [oldest] = this.#kept.keys();
      if (this.#kept.size >= KEPT_MAX) this.#drop(oldest);
      const { barCount, close } = this.bars;
      column = { values: ColumnPool.beside(close).take(barCount), known: createMask(barCount) };
    } else this.#kept.delete(key);
    this.#kept.set(key, column);
    for (const mask of wanted) this.#fill(column, mask, config);
    return column.values;
  }

  /** Gives all columns back to the pool. */
  release(): void {
    for (const key of this.#kept.keys()) this.#drop(key);
  }

  #fill({ values, known }: VolatilityColumn, wanted: Mask, config: ExecutionConfig): void {
    for (let word = 0; word < known.length; word++) {
      for (let missing = wanted[word] & ~known[word]; missing !== 0; missing &= missing - 1) {
        const bar = 32 * word + 31 - Math.clz32(missing & -missing); // the lowest bit
        values[bar] = annualVolatility(this.bars, bar, config);
      }
      known[word] |= wanted[word];
    }
  }

  #drop(key: string): void {
    const column = this.#kept.get(key);
    this.#kept.delete(key);
    if (column !== undefined) ColumnPool.beside(this.bars.close).give([column.values]);
  }
}
