import { type AtrSource, atrSource, type ExecutionConfig } from '../execution/index.js';
import { ColumnPool } from '../series/column-pool.js';
import type { BarSeries } from '../series/index.js';

/** Both columns of `AtrSource` by bar, in the memory of the bars. */
interface AtrColumns {
  readonly short: Float64Array;
  /**
   * The daily ATR that is visible at the close of each bar, NaN before the first; equal to `short`
   * when the run does not use it.
   */
  readonly long: Float64Array;
}

const BYTES_MAX = 32 * 1024 * 1024;

/**
 * The ATR columns of a series, in the memory that the kernels read. Beyond 32 MB the least recently
 * used ones are dropped.
 */
export class AtrBeside {
  /** Least recently used first. */
  readonly #kept = new Map<string, AtrColumns>();
  readonly #keptMax: number;

  constructor(private readonly bars: BarSeries) {
    this.#keptMax = Math.max(1, Math.floor(BYTES_MAX / (2 * bars.close.byteLength)));
  }

  columns(config: ExecutionConfig): AtrColumns {
    const key = `${config.atr_period} ${config.atr_long_weight === 0}`;
    let columns = this.#kept.get(key);
    if (columns === undefined) {
      const [oldest] = this.#kept.keys();
      if (this.#kept.size >= this.#keptMax) this.#drop(oldest);
      columns = this.#columnsOf(atrSource(this.bars, config));
    } else this.#kept.delete(key);
    this.#kept.set(key, columns);
    return columns;
  }

  /** Gives all columns back to the pool. */
  release(): void {
    for (const key of this.#kept.keys()) this.#drop(key);
  }

  #columnsOf({ short, daily }: AtrSource): AtrColumns {
    const { barCount, close } = this.bars;
    const pool = ColumnPool.beside(close);
    const shortBeside = pool.take(barCount);
    shortBeside.set(short);
    if (daily === null) return { short: shortBeside, long: shortBeside };
    const long = pool.take(barCount);
    const { visibleFrom } = daily.days;
    long.fill(NaN, 0, visibleFrom[0]);
    for (let day = 0; day < visibleFrom.length; day++) {
      // The last day lasts to the end.
      long.fill(daily.atr[day], visibleFrom[day], visibleFrom[day + 1]);
    }
    return { short: shortBeside, long };
  }

  #drop(key: string): void {
    // biome-ignore lint/style/noNonNullAssertion: a key that is dropped is kept until then
    const { short, long } = this.#kept.get(key)!;
    this.#kept.delete(key);
    ColumnPool.beside(this.bars.close).give(short === long ? [short] : [short, long]);
  }
}
