import { applicationKey, type Column, type NextBar, type OpenStream } from './column.js';

/** Columns of one bar over the cells of an array, so that a kernel can run over a single bar. */
const cellColumns = (row: Float64Array): Float64Array[] => Array.from(row, (_, i) => row.subarray(i, i + 1));

/** A kernel whose value reads only its own bar: it runs over columns of one bar. */
export const ofOneBar: OpenStream = (params, { run }) => {
  let inputs: Float64Array | undefined;
  let cells: Float64Array[] = [];
  const read = new Float64Array(16);
  return (row, outputs) => {
    if (inputs === undefined) {
      inputs = read.subarray(0, row.length);
      cells = cellColumns(inputs);
    }
    inputs.set(row);
    run(cells, params, cellColumns(outputs));
  };
};

/** A kernel whose value reads its own bar and the bar before. */
export const ofTwoBars: OpenStream = (params, { run }) => {
  let columns: Float64Array[] = [];
  let results: Float64Array[] = [];
  let isFirst = true;
  return (row, outputs) => {
    if (isFirst) {
      isFirst = false;
      columns = Array.from(row, (value) => Float64Array.of(value, value));
      results = Array.from(outputs, () => new Float64Array(2));
      const first = Array.from(outputs, () => new Float64Array(1));
      run(
        columns.map((column) => column.subarray(1)),
        params,
        first,
      );
      for (let k = 0; k < outputs.length; k++) outputs[k] = first[k][0];
      return;
    }
    for (let k = 0; k < columns.length; k++) {
      columns[k][0] = columns[k][1];
      columns[k][1] = row[k];
    }
    run(columns, params, results);
    for (let k = 0; k < outputs.length; k++) outputs[k] = results[k][1];
  };
};

/** The last `length` values of a column: `at(0)` is the newest. NaN before the first. */
export class Recent {
  readonly #values: Float64Array;
  #newest = -1;

  constructor(length: number) {
    this.#values = new Float64Array(Math.max(1, length)).fill(NaN);
  }

  add(value: number): void {
    this.#newest = this.#newest + 1 === this.#values.length ? 0 : this.#newest + 1;
    this.#values[this.#newest] = value;
  }

  at(ago: number): number {
    const place = this.#newest - ago;
    return this.#values[place < 0 ? place + this.#values.length : place];
  }
}

/**
 * A kernel whose value reads exactly the last `length` bars: it runs over them, so a bar costs the
 * window, as it does in the columns.
 */
export const ofWindow =
  (lengthOf: (params: readonly number[]) => number): OpenStream =>
  (params, { run }) => {
    const length = lengthOf(params);
    const room = 2 * length;
    let columns: Float64Array[] | undefined;
    let results: Float64Array[] = [];
    let end = 0;
    return (row, outputs) => {
      columns ??= Array.from(row, () => new Float64Array(room));
      if (end === room) {
        for (const column of columns) column.copyWithin(0, room - length + 1);
        end = length - 1;
      }
      for (let k = 0; k < columns.length; k++) columns[k][end] = row[k];
      end++;
      const from = Math.max(0, end - length);
      if (results.length === 0) results = Array.from(outputs, () => new Float64Array(length));
      const bars = end - from;
      run(
        columns.map((column) => column.subarray(from, end)),
        params,
        results.map((result) => result.subarray(0, bars)),
      );
      for (let k = 0; k < outputs.length; k++) outputs[k] = results[k][bars - 1];
    };
  };

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
