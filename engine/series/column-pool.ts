import { ColumnMemory } from './column-memory.js';

/*
 * Writing to fresh memory costs more than most indicators: the system hands out every page of 4 KiB at its first touch
 * (measured: 3 ns a bar for a new column, 0.5 for a used one). So work that keeps no column afterwards, such as rules
 * that end as masks, hands its columns back for the next series.
 */

/** Ordinary arrays kept; what stands in the memory of a series is kept in any case, for it cannot be given back. */
const PLAIN_BYTES_MAX = 256 * 1024 * 1024;

const pools = new WeakMap<ColumnMemory, ColumnPool>();

/** Used columns for new work, in the memory of a series, where kernels reach both; or ordinary arrays. */
export class ColumnPool {
  /** In full length, the latest used first, since they are in the cache. */
  #spares: Float64Array[] = [];
  /** The full columns of those that were wanted shorter. */
  readonly #wholes = new WeakMap<Float64Array, Float64Array>();

  private constructor(private readonly memory: ColumnMemory | null) {}

  static readonly #plain = new ColumnPool(null);

  /** The pool of the memory in which this column stands. */
  static beside(column: Float64Array): ColumnPool {
    const memory = ColumnMemory.of(column);
    if (memory === undefined) return ColumnPool.#plain;
    let pool = pools.get(memory);
    if (pool === undefined) {
      pool = new ColumnPool(memory);
      pools.set(memory, pool);
    }
    return pool;
  }

  /** A column of any content, to be written in full. */
  take(length: number): Float64Array {
    const at = this.#spares.findIndex((column) => column.length >= length && column.length <= 2 * length);
    const [spare] = at === -1 ? [] : this.#spares.splice(at, 1);
    const whole = spare ?? this.memory?.tryAllocate(length) ?? new Float64Array(length);
    if (whole.length === length) return whole;
    const column = whole.subarray(0, length);
    this.#wholes.set(column, whole);
    return column;
  }

  /** Takes back columns that nobody reads any more. */
  give(columns: readonly Float64Array[]): void {
    this.#spares = [...columns.map((column) => this.#wholes.get(column) ?? column), ...this.#spares];
    if (this.memory === null) this.#spares = withinBytes(this.#spares);
  }
}

/** The first of them, as many as the limit allows. */
function withinBytes(columns: readonly Float64Array[]): Float64Array[] {
  let bytes = 0;
  return columns.filter(({ byteLength }) => {
    bytes += byteLength;
    return bytes <= PLAIN_BYTES_MAX;
  });
}
