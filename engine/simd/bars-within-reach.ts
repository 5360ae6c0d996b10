import { allocateBars, type BarSeries, onchainColumns, priceColumns } from '../series/bars.js';
import { ColumnMemory } from '../series/column-memory.js';
import { KERNEL_BARS_MIN } from '../simd/kernels.js';

/**
 * What the memory of a thread grows to. Work that needs more takes ordinary arrays for the rest,
 * with the same results.
 */
const THREAD_BYTES_MAX = 256 * 1024 * 1024;

/**
 * A copy of the bars at hand, in a memory where the kernels of this thread reach it and where
 * computed columns stand beside it. One series at a time: the next one takes the room of the last,
 * so a thread needs one memory however many series it meets.
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
   * The copy; what was made beside the one before must have been given back.
   * @throws RangeError when it has no room, or the system has no more
   */
  hold(bars: BarSeries): BarSeries {
    this.leave();
    const names = onchainColumns.filter((name) => bars.onchain[name] !== undefined);
    const copy = allocateBars(bars.barCount, bars.intervalMs, names, (columnCount, length) => {
      for (let k = 0; k < columnCount; k++) this.#columns.push(this.#memory.allocate(length));
      return this.#columns;
    });
    for (const name of ['time', ...priceColumns] as const) copy[name].set(bars[name]);
    // biome-ignore lint/style/noNonNullAssertion: both series have the columns that are named
    for (const name of names) copy.onchain[name]!.set(bars.onchain[name]!);
    return copy;
  }

  /** Gives the room of the copy back. */
  leave(): void {
    for (const column of this.#columns) this.#memory.free(column);
    this.#columns = [];
  }
}

let ofThread: BarsWithinReach | null = null;
let isHeld = false;

/**
 * Runs `work` over bars that the kernels reach: the given ones, where they stand in a memory of
 * this thread or are too few for kernels to matter, or a copy. The result must hold no column of
 * them, and `work` must not be asynchronous.
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
