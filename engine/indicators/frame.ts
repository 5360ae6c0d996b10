import type { BarSeries } from '../series/bars.js';
import { wordCount } from '../series/bits.js';
import { ColumnPool } from '../series/column-pool.js';
import { kernelsOver } from '../simd/kernels.js';
import { applicationKey, CLOSE_TIME, type Column, type Kernel, type SourceName, source } from './column.js';

/** One series with the columns computed over it so far; each is computed once. */
export class Frame {
  readonly barCount: number;
  readonly #sources: ReadonlyMap<SourceName, Float64Array>;
  readonly #computed = new Map<string, readonly Float64Array[]>();
  readonly #pool: ColumnPool | null;
  /** Length of a bar; NaN for columns without bars. */
  readonly #intervalMs: number;

  /**
   * @param sources equally long columns by name
   * @param pool lends the computed columns and takes them back; null for ordinary arrays, which
   *   live as long as something refers to them
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
    return new Frame(sourcesOf(bars), bars.barCount, null, bars.intervalMs);
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
    return new Frame(sourcesOf(bars), bars.barCount, ColumnPool.beside(bars.close), bars.intervalMs);
  }

  /**
   * Gives the columns back, to be overwritten. The frame computes a column again when a caller asks
   * for it again.
   */
  release(): void {
    for (const columns of this.#computed.values()) this.#pool?.give(columns);
    this.#computed.clear();
  }

  /** Bytes that computed columns take. */
  get bytes(): number {
    let bytes = 0;
    for (const columns of this.#computed.values()) for (const { byteLength } of columns) bytes += byteLength;
    return bytes;
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

  #closeTimes(): Float64Array {
    const time = this.column(source('time'));
    return this.#once(CLOSE_TIME, () => {
      const out = this.#take(this.barCount);
      for (let t = 0; t < out.length; t++) out[t] = time[t] + this.#intervalMs;
      return [out];
    })[0];
  }

  #once(key: string, make: () => readonly Float64Array[]): readonly Float64Array[] {
    let columns = this.#computed.get(key);
    if (columns === undefined) {
      columns = make();
      this.#computed.set(key, columns);
    }
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

function sourcesOf({ time, open, high, low, close, volume, columns }: BarSeries): Map<SourceName, Float64Array> {
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
  else simd(kernels, inputs[0].length, inputs.map(offsetOf), params, outputs.map(offsetOf));
}

const offsetOf = ({ byteOffset }: Float64Array): number => byteOffset;
