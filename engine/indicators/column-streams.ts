import { applicationKey, type Column, type NextBar } from './column.js';

/** One value per source column: a price, the volume, or a further column. */
type ReadSource = (name: string) => number;

interface Node {
  readonly next: NextBar;
  readonly inputs: readonly (() => number)[];
  readonly row: Float64Array;
  readonly outputs: Float64Array;
}

/** Whether a column, and every column that it is made of, can be computed one bar at a time. */
export const isStreamed = (column: Column): boolean =>
  column.kind === 'source' || (column.kernel.stream !== null && column.inputs.every(isStreamed));

/**
 * Columns one bar at a time, each kernel application once a bar however many columns read it. The
 * values equal a Frame's over all bars so far, bit for bit.
 */
export class ColumnStreams {
  readonly #nodes = new Map<string, Node>();
  readonly #sources = new Map<string, number>();

  /**
   * Adds a column, before the first bar.
   * @returns its value at the newest bar
   */
  add(column: Column): () => number {
    if (column.kind === 'source') {
      this.#sources.set(column.name, NaN);
      return () => this.#sources.get(column.name) ?? NaN;
    }
    const { outputs } = this.#node(column);
    const { output } = column;
    return () => outputs[output];
  }

  /** Takes the next bar. */
  push(read: ReadSource): void {
    for (const name of this.#sources.keys()) this.#sources.set(name, read(name));
    for (const { next, inputs, row, outputs } of this.#nodes.values()) {
      for (let k = 0; k < row.length; k++) row[k] = inputs[k]();
      next(row, outputs);
    }
  }

  /** The nodes are in the order of their making, so the inputs of a node come before it. */
  #node(column: Column & { readonly kind: 'kernel' }): Node {
    const key = applicationKey(column);
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const { kernel, inputs, params } = column;
    const readers = inputs.map((input) => this.add(input));
    if (kernel.stream === null) throw new Error(`${kernel.name} cannot be computed one bar at a time`);
    const row = new Float64Array(inputs.length);
    const node = {
      next: kernel.stream(params, kernel),
      inputs: readers,
      row,
      outputs: new Float64Array(kernel.outputCount),
    };
    this.#nodes.set(key, node);
    return node;
  }
}
