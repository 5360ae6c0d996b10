import type { BarSeries, OnchainColumn } from '../series/bars.js';
import { applicationKey, type Column, type SourceName } from './column.js';
import { takeColumn } from './column-pool.js';

/** One series with the columns computed over it so far, each once. */
export class Frame {
  readonly barCount: number;
  readonly #sources: ReadonlyMap<SourceName, Float64Array>;
  readonly #computed = new Map<string, readonly Float64Array[]>();

  /** @param sources equally long columns by name */
  constructor(sources: ReadonlyMap<SourceName, Float64Array>, barCount: number) {
    this.#sources = sources;
    this.barCount = barCount;
  }

  static of(bars: BarSeries): Frame {
    const { time, open, high, low, close, volume, onchain } = bars;
    const entries = Object.entries({ time, open, high, low, close, volume, ...onchain });
    return new Frame(new Map(entries as [SourceName, Float64Array][]), bars.barCount);
  }

  has(name: SourceName): boolean {
    return this.#sources.has(name);
  }

  /** Values of a column over the whole series; the array is shared, do not write to it. */
  column(column: Column): Float64Array {
    if (column.kind === 'source') {
      const values = this.#sources.get(column.name);
      if (values === undefined) throw new Error(`the series has no column ${column.name}`);
      return values;
    }
    const key = applicationKey(column);
    let outputs = this.#computed.get(key);
    if (outputs === undefined) {
      const inputs = column.inputs.map((input) => this.column(input));
      const fresh = Array.from({ length: column.kernel.outputCount }, () => takeColumn(this.barCount));
      column.kernel.run(inputs, column.params, fresh);
      outputs = fresh;
      this.#computed.set(key, outputs);
    }
    return outputs[column.output];
  }

  /**
   * The observations of one chain column alone: missing cells dropped, order kept.
   * `observed[bar]` is the number of observations up to and including that bar.
   */
  observations(name: OnchainColumn): { frame: Frame; observed: Int32Array } {
    const cells = this.#sources.get(name) ?? new Float64Array(0);
    const values = cells.filter((cell) => !Number.isNaN(cell));
    const observed = new Int32Array(cells.length);
    let count = 0;
    for (let bar = 0; bar < cells.length; bar++) {
      if (!Number.isNaN(cells[bar])) count++;
      observed[bar] = count;
    }
    return { frame: new Frame(new Map([[name, values]]), values.length), observed };
  }
}
