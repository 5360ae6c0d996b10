import { ColumnMemory, type WebAssemblyMemory } from '../series/column-memory.js';
import { binary } from './binary.js';

/** Byte offset of a column or mask in the memory of the kernels. */
type Offset = number;

/**
 * The WebAssembly kernels over one memory. Each computes, bit for bit, what the plain loop of the
 * same name computes. Lengths and windows are in bars.
 */
export interface Kernels {
  sum(x: Offset, length: number, window: number, out: Offset): void;
  sma(x: Offset, length: number, window: number, out: Offset): void;
  meanAndDeviation(x: Offset, length: number, window: number, dof: number, mean: Offset, deviation: Offset): void;
  /** [weighted mean, end point of the least-squares line] */
  weighted(x: Offset, length: number, window: number, mean: Offset, end: Offset): void;
  meanDistance(x: Offset, mean: Offset, length: number, window: number, out: Offset): void;
  sinceMax(x: Offset, length: number, window: number, out: Offset): void;
  rollingMax(x: Offset, length: number, window: number, out: Offset): void;
  rollingMin(x: Offset, length: number, window: number, out: Offset): void;
  smooth(x: Offset, length: number, alpha: number, window: number, out: Offset): void;
  atr(high: Offset, low: Offset, close: Offset, length: number, window: number, out: Offset): void;
  adx(
    high: Offset,
    low: Offset,
    close: Offset,
    length: number,
    window: number,
    plusDi: Offset,
    minusDi: Offset,
    adx: Offset,
  ): void;
  macd(
    x: Offset,
    length: number,
    fast: number,
    slow: number,
    sign: number,
    line: Offset,
    signal: Offset,
    histogram: Offset,
  ): void;
  add(a: Offset, b: Offset, length: number, out: Offset): void;
  subtract(a: Offset, b: Offset, length: number, out: Offset): void;
  multiply(a: Offset, b: Offset, length: number, out: Offset): void;
  divide(a: Offset, b: Offset, length: number, out: Offset): void;
  percent(a: Offset, b: Offset, length: number, out: Offset): void;
  position(x: Offset, bottom: Offset, top: Offset, scale: number, length: number, out: Offset): void;
  growth(x: Offset, before: Offset, scale: number, length: number, out: Offset): void;
  meanOfThree(a: Offset, b: Offset, c: Offset, length: number, out: Offset): void;
  moneyFlow(high: Offset, low: Offset, close: Offset, volume: Offset, length: number, out: Offset): void;
  total(x: Offset, length: number, out: Offset): void;
  /** Fills the bars `from` to `to` (exclusive). */
  fill(out: Offset, from: number, to: number, value: number): void;
  combine(wa: number, a: Offset, wb: number, b: Offset, length: number, out: Offset): void;
  /** cash + size close */
  mark(close: Offset, cash: number, size: number, length: number, out: Offset): void;
  /**
   * Writes `count` 32-bit indices of one resample; see `stationaryBootstrap`.
   * @returns the 64 bits of the state of the generator after it
   */
  drawBlocks(state: bigint, length: number, startChance: number, count: number, out: Offset): bigint;
  /**
   * Means of rows of single precision in resamples; see `Resamples`. Rows and resamples are
   * multiples of four.
   */
  resampleMeans(
    rows: Offset,
    rowCount: number,
    periodCount: number,
    weights: Offset,
    count: number,
    means: Offset,
  ): void;
  /** The same for eight rows by their running totals; the stretches are those of `Resamples`. */
  resampleStretches(
    totals: Offset,
    edges: Offset,
    ends: Offset,
    count: number,
    periodCount: number,
    means: Offset,
  ): void;
  /** Raises the maxima of `Maxima` by a trial whose values lie in the memory. The count is even. */
  raiseMaxima(
    values: Offset,
    count: number,
    shift: number,
    widening: number,
    means: Offset,
    scale: number,
    offset: number,
    superior: Offset,
    rest: Offset,
  ): void;
  /** Best row of every half of the data, among a few rows; see `rankSplits`. The rows are even. */
  splitBests(
    sums: Offset,
    squares: number,
    rowCount: number,
    halves: Offset,
    halfCount: number,
    best: Offset,
    partners: Offset,
  ): void;
  /** Ranks of those rows in the other half. */
  splitRanks(
    sums: Offset,
    squares: number,
    rowCount: number,
    halves: Offset,
    halfCount: number,
    partners: Offset,
    below: Offset,
    equal: Offset,
  ): void;
  /** Simulates and measures a whole run; see `FusedRuns`. */
  runFacts(input: Offset, facts: Offset, copyFiner: CopyFiner | null): void;
  /**
   * Bucket i is the bars bounds[i] .. bounds[i + 1] - 1, for every i below `count`. The bounds are
   * 32-bit integers.
   */
  bucketExtremes(high: Offset, low: Offset, bounds: Offset, count: number, highs: Offset, lows: Offset): void;
  bucketSums(x: Offset, bounds: Offset, count: number, sums: Offset): void;
  /**
   * Writes `words` words of 32 answers. A step is in bytes per word: 256 for a column, 0 for 32
   * copies of a constant.
   */
  greater(left: Offset, leftStep: number, right: Offset, rightStep: number, words: number, out: Offset): void;
  greaterOrEqual(left: Offset, leftStep: number, right: Offset, rightStep: number, words: number, out: Offset): void;
}

/**
 * Copies open, high and low of each finer bar of a bar to the room that the run names.
 * @returns how many finer bars; 0 where one is missing
 */
export type CopyFiner = (bar: number) => number;

interface Imports {
  readonly env: { readonly memory: WebAssemblyMemory; readonly copyFiner: CopyFiner };
}

declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: Imports) => { readonly exports: object };
};

/** With shorter columns, the plain loops finish before the kernels would be ready. */
export const KERNEL_BARS_MIN = 8_192;

let module: object | undefined;
const instances = new WeakMap<ColumnMemory, Kernels>();

/**
 * The kernels that can work on these columns in place; null if the columns do not all lie in one
 * memory, or if there are few bars.
 */
export const kernelsOver = (barCount: number, columns: readonly ArrayBufferView[]): Kernels | null =>
  barCount < KERNEL_BARS_MIN ? null : kernelsIn(columns);

/**
 * The same without the minimum of bars, for work that repeats often enough to pay for the kernels.
 */
export function kernelsIn(columns: readonly ArrayBufferView[]): Kernels | null {
  const memory = ColumnMemory.of(columns[0]);
  if (memory === undefined) return null;
  for (let i = 1; i < columns.length; i++) if (ColumnMemory.of(columns[i]) !== memory) return null;
  let kernels = instances.get(memory);
  if (kernels === undefined) {
    kernels = kernelsOf(memory.memory);
    instances.set(memory, kernels);
  }
  return kernels;
}

function kernelsOf(memory: WebAssemblyMemory): Kernels {
  module ??= new WebAssembly.Module(Uint8Array.from(atob(binary), (char) => char.charCodeAt(0)));
  let ofRun: CopyFiner | null = null;
  const env = { memory, copyFiner: (bar: number) => ofRun?.(bar) ?? 0 };
  const kernels = new WebAssembly.Instance(module, { env }).exports as Kernels;
  return {
    ...kernels,
    runFacts(input, facts, copyFiner) {
      ofRun = copyFiner;
      kernels.runFacts(input, facts, copyFiner);
    },
  };
}
