import type { BarSeries } from '../series/bars.js';
import { wordCount } from '../series/bits.js';
import { ColumnPool } from '../series/column-pool.js';
import { kernelsOver } from '../simd/kernels.js';
import { CLOSE_TIME } from './clock.js';
import { applicationKey, type Column, type Kernel, type SourceName } from './column.js';

/** The columns of one kernel application, or other room that is kept under a key. */
interface Computed {
  readonly columns: readonly Float64Array[];
  readonly bytes: number;
  /** The latest `use` of the frame that read them. */
  usedAt: number;
}

/** One series with the columns computed over it so far; each is computed once. */
export class Frame {
  readonly barCount: number;
  /** Number of the work that reads columns now; it tells which columns were not read for longest. */
  use = 0;
  readonly #sources: ReadonlyMap<SourceName, Float64Array>;
  readonly #computed = new Map<string, Computed>();
  #bytes = 0;
  readonly #pool: ColumnPool | null;
  readonly #intervalMs: number;

  /**
   * @param sources equally long columns by name
   * @param pool lends the computed columns and takes them back; null for ordinary arrays, which
   *   live as long as something refers to them
   * @param intervalMs length of a bar; NaN where it is not known
   */
  private constructor(
    sources: ReadonlyMap<SourceName, Float64Array>,
    barCount: number,
    pool: ColumnPool | null,
    intervalMs = NaN,
  ) {
    this.#sources = sources;
    this.barCount = barCount;
    this.#pool = pool;
    this.#intervalMs = intervalMs;
  }

  /** A frame whose columns are ordinary arrays, which callers may keep. */
  static of(bars: BarSeries): Frame {
    return new Frame(barSources(bars), bars.barCount, null, bars.intervalMs);
  }

  /** The same over columns of `barCount` values by name, without the rest of a series. */
  static over(columns: ReadonlyMap<SourceName, Float64Array>, barCount: number): Frame {
    return new Frame(columns, barCount, null);
  }

  /**
   * A frame whose columns lie beside the bars, where the WebAssembly kernels reach them: several
   * times as fast, but no caller may use a column after `release`.
   */
  static beside(bars: BarSeries): Frame {
    return new Frame(barSources(bars), bars.barCount, ColumnPool.beside(bars.close), bars.intervalMs);
  }

  /**
   * Gives the columns back, to be overwritten. The frame computes a column again when a caller asks
   * for it again.
   */
  release(): void {
    this.releaseBefore(Infinity);
  }

  /** The same for columns that no work from number `use` on has read. */
  releaseBefore(use: number): void {
    for (const [key, { columns, bytes, usedAt }] of this.#computed) {
      if (usedAt >= use) continue;
      this.#pool?.give(columns);
      this.#computed.delete(key);
      this.#bytes -= bytes;
    }
  }

  /** Bytes that computed columns take. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Bytes of the columns by the number of the latest work that read them. */
  *uses(): Iterable<readonly [use: number, bytes: number]> {
    for (const { usedAt, bytes } of this.#computed.values()) yield [usedAt, bytes];
  }

  has(name: SourceName): boolean {
    return this.#sources.has(name);
  }

  /** Values of a column over the whole series. Callers share the array and must not write to it. */
  column(column: Column): Float64Array {
    if (column.kind === 'source') {
      const values = column.name === CLOSE_TIME ? this.#closeTimes() : this.#sources.get(column.name);
      if (values === undefined) throw new Error(`the series has no column ${column.name}`);
      return values;
    }
    const { kernel, inputs, params, output } = column;
    const outputs = this.#once(applicationKey(column), () => {
      const read = inputs.map((input) => this.column(input));
      const written = Array.from({ length: kernel.outputCount }, () => this.#take(this.barCount));
      runKernel(kernel, read, params, written);
      return written;
    });
    return outputs[output];
  }

  #closeTimes(): Float64Array | undefined {
    const times = this.#sources.get('time');
    if (times === undefined) return undefined;
    const make = () => [this.#take(this.barCount).map((_, t) => times[t] + this.#intervalMs)];
    return this.#once(CLOSE_TIME, make)[0];
  }

  /** 32 copies of a number, for loops that read a column 32 bars at a time. */
  constant(value: number): Float64Array {
    return this.#once(String(value), () => [this.#take(32).fill(value)])[0];
  }

  /**
   * Room for a mask where the kernels reach it. Every call returns the same room, so a caller must
   * copy its mask before the next call.
   */
  scratchMask(): Uint32Array {
    const words = wordCount(this.barCount);
    // Two words take the room of one value.
    const [room] = this.#once('scratch', () => [this.#take((words + 1) >>> 1)]);
    return new Uint32Array(room.buffer, room.byteOffset, words);
  }

  #once(key: string, make: () => readonly Float64Array[]): readonly Float64Array[] {
    const known = this.#computed.get(key);
    if (known !== undefined) {
      known.usedAt = this.use;
      return known.columns;
    }
    const columns = make();
    const bytes = columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
    this.#computed.set(key, { columns, bytes, usedAt: this.use });
    this.#bytes += bytes;
    return columns;
  }

  #take(length: number): Float64Array {
    return this.#pool?.take(length) ?? new Float64Array(length);
  }

  /**
   * The observations of one further column alone: missing cells dropped, order kept.
   * `observed[bar]` is the number of observations up to and including that bar.
   */
  observations(name: string): { frame: Frame; observed: Int32Array } {
    const cells = this.#sources.get(name) ?? new Float64Array(0);
    const values = cells.filter((cell) => !Number.isNaN(cell));
    const observed = new Int32Array(cells.length);
    let count = 0;
    for (let bar = 0; bar < cells.length; bar++) {
      if (!Number.isNaN(cells[bar])) count++;
      observed[bar] = count;
    }
    return { frame: new Frame(new Map([[name, values]]), values.length, null), observed };
  }
}

/**
 * Runs `work` over a frame beside the bars. The result must not hold a column, and `work` must be
 * synchronous.
 */
export function withFrame<T>(bars: BarSeries, work: (frame: Frame) => T): T {
  const frame = Frame.beside(bars);
  try {
    return work(frame);
  } finally {
    frame.release();
  }
}

function barSources({ time, open, high, low, close, volume, columns }: BarSeries): Map<SourceName, Float64Array> {
  return new Map(Object.entries({ time, open, high, low, close, volume, ...columns }));
}

/** Runs the kernel in WebAssembly if it has such a loop and the loop can reach the columns. */
function runKernel(
  { run, simd }: Kernel,
  inputs: readonly Float64Array[],
  params: readonly number[],
  outputs: readonly Float64Array[],
): void {
  const kernels = simd === null ? null : kernelsOver(inputs[0].length, [...inputs, ...outputs]);
  if (simd === null || kernels === null) run(inputs, params, outputs);
  else simd(kernels, inputs[0].length, inputs.map(offset), params, outputs.map(offset));
}

const offset = ({ byteOffset }: Float64Array): number => byteOffset;
