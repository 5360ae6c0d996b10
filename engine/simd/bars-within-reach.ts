import { type AllocateColumns, allocateBars, type BarSeries, priceColumns } from '../series/bars.js';
import { ColumnMemory } from '../series/column-memory.js';
import { KERNEL_BARS_MIN } from '../simd/kernels.js';

/**
 * Limit of a thread's memory. Work that needs more uses ordinary arrays for the rest, with the same
 * results.
 */
const THREAD_BYTES_MAX = 256 * 1024 * 1024;

/**
 * Holds a copy of one series in a memory that the kernels of this thread can reach, with room for
 * computed columns beside it. The next series takes the room of the last one, so a thread needs one
 * memory for any number of series.
 */
export class BarsWithinReach {
  readonly #memory: ColumnMemory;
  #columns: Float64Array[] = [];

  constructor(bytesMax?: number) {
    this.#memory = ColumnMemory.create(0, bytesMax);
  }

  get bytes(): number {
    return this.#memory.bytes;
  }

  /**
   * Copies the series in place of the previous copy. The caller must have given back all columns
   * that it took beside that copy.
   * @throws RangeError when the memory has no room, or the system has no more
   */
  hold(bars: BarSeries): BarSeries {
    this.leave();
    const names = Object.keys(bars.columns);
    const allocate: AllocateColumns = (columnCount, length) => {
      for (let k = 0; k < columnCount; k++) this.#columns.push(this.#memory.allocate(length));
      return this.#columns;
    };
    const copy = allocateBars(bars.barCount, bars.intervalMs, names, allocate, bars.carried);
    for (const name of ['time', ...priceColumns] as const) copy[name].set(bars[name]);
    for (const name of names) copy.columns[name].set(bars.columns[name]);
    return copy;
  }

  /** Frees the room of the copy. */
  leave(): void {
    for (const column of this.#columns) this.#memory.free(column);
    this.#columns = [];
  }
}

let ofThread: BarsWithinReach | null = null;
let isHeld = false;

/**
 * Runs `work` over bars that the kernels can reach: over a copy, unless the given bars already lie
 * in a memory of this thread or are too few for kernels to matter. If the copy finds no room, or a
 * call is nested in another, `work` gets the given bars, with the same results. The result must not
 * hold a column of the bars, and `work` must be synchronous.
 */
export function withinReach<T>(bars: BarSeries, work: (bars: BarSeries) => T): T {
  if (isHeld || bars.barCount < KERNEL_BARS_MIN || ColumnMemory.of(bars.close) !== undefined) return work(bars);
  ofThread ??= new BarsWithinReach(THREAD_BYTES_MAX);
  const copy = copyOrNull(ofThread, bars);
  if (copy === null) return work(bars);
  isHeld = true;
  try {
    return work(copy);
  } finally {
    ofThread.leave();
    isHeld = false;
  }
}

function copyOrNull(reach: BarsWithinReach, bars: BarSeries): BarSeries | null {
  try {
    return reach.hold(bars);
  } catch (error) {
    reach.leave();
    if (error instanceof RangeError) return null;
    throw error;
  }
}
