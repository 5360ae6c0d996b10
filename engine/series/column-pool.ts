import { ColumnMemory } from './column-memory.js';

/*
 * Writing to fresh memory costs more than most indicators do: the system supplies each page of 4
 * KiB at its first touch (measured: 3 ns a bar for a new column, 0.5 for a used one). So work that
 * keeps no column, such as rules that end as masks, gives its columns back for the next work.
 */

/** Limit of the spare ordinary arrays that a thread keeps. */
const PLAIN_BYTES_MAX = 64 * 1024 * 1024;

const pools = new WeakMap<ColumnMemory, ColumnPool>();

/**
 * Lends columns to work that gives them back. They lie in the memory of a series, where kernels
 * reach both, or are ordinary arrays.
 */
export class ColumnPool {
  private constructor(private readonly memory: ColumnMemory | null) {}

  static readonly #plain = new ColumnPool(null);

  /**
   * The pool of the memory that holds this column; for any other array, the pool of ordinary
   * arrays.
   */
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

  /** A column with unspecified content; the caller must write all of it. */
  take(length: number): Float64Array {
    return this.memory?.tryAllocate(length) ?? spares.take(length);
  }

  /** Takes columns back. No code may read them afterwards. */
  give(columns: readonly Float64Array[]): void {
    const plain: Float64Array[] = [];
    for (const column of columns) {
      if (this.memory !== null && ColumnMemory.of(column) === this.memory) this.memory.free(column);
      else plain.push(column);
    }
    spares.give(plain);
  }
}

/**
 * Ordinary arrays that earlier work of this thread left for later work. Their lengths are powers of
 * two, so that work over another number of bars can reuse them. The part beyond the requested
 * length is never touched and takes no memory.
 */
class SpareArrays {
  /** Most recently used first, since those are in the cache. */
  #spares: Float64Array[] = [];
  /** The full array behind each shorter view that was lent. */
  readonly #wholes = new WeakMap<Float64Array, Float64Array>();

  take(length: number): Float64Array {
    const at = this.#spares.findIndex((spare) => spare.length >= length && spare.length <= 2 * length);
    const [spare] = at === -1 ? [] : this.#spares.splice(at, 1);
    const whole = spare ?? new Float64Array(2 ** Math.ceil(Math.log2(Math.max(1, length))));
    const column = whole.subarray(0, length);
    this.#wholes.set(column, whole);
    return column;
  }

  give(columns: readonly Float64Array[]): void {
    if (columns.length === 0) return;
    let bytes = 0;
    this.#spares = [...columns.map((column) => this.#wholes.get(column) ?? column), ...this.#spares].filter(
      ({ byteLength }) => {
        bytes += byteLength;
        return bytes <= PLAIN_BYTES_MAX;
      },
    );
  }
}

const spares = new SpareArrays();
