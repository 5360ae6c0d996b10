import { ColumnMemory } from './column-memory.js';

/*
 * Writing to fresh memory costs more than most indicators: the system hands out every page of 4 KiB
 * at its first touch (measured: 3 ns a bar for a new column, 0.5 for a used one). So work that
 * keeps no column afterwards, such as rules that end as masks, hands its columns back for the next
 * work.
 */

/** Spare ordinary arrays that a thread keeps. */
const PLAIN_BYTES_MAX = 64 * 1024 * 1024;

const pools = new WeakMap<ColumnMemory, ColumnPool>();

/**
 * Columns for work that hands them back, in the memory of a series, where kernels reach both; or
 * ordinary arrays.
 */
export class ColumnPool {
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
    return this.memory?.tryAllocate(length) ?? spares.take(length);
  }

  /** Takes back columns that nothing reads any more. */
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
 * Ordinary arrays for the next work of this thread. Their lengths are powers of two, so that work
 * over ever other numbers of bars finds what earlier work left; nothing touches the part that is
 * not asked for, and it takes no memory.
 */
class SpareArrays {
  /** The latest used first, since they are in the cache. */
  #spares: Float64Array[] = [];
  /** The full arrays of those that were wanted shorter. */
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
