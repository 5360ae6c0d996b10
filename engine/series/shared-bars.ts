import type { AllocateColumns, BarSeries } from './bars.js';
import { ColumnMemory, columnBytes, type WebAssemblyMemory } from './column-memory.js';

/**
 * A series as it crosses threads: its buffer, which is shared and not copied, and the place of each
 * column in it.
 */
export interface SharedBars {
  readonly buffer: SharedArrayBuffer;
  /** The memory of the buffer, where other threads may work beside the bars, see `joinBars`. */
  readonly memory?: WebAssemblyMemory | undefined;
  readonly intervalMs: number;
  readonly barCount: number;
  /** Byte offsets by column. */
  readonly offsets: Readonly<Record<'time' | 'open' | 'high' | 'low' | 'close' | 'volume', number>>;
  readonly columnOffsets: Readonly<Record<string, number>>;
  readonly carried: readonly string[];
}

/**
 * Describes the series for another thread.
 * @throws Error when the columns are not all in one shared buffer, because they are ordinary arrays
 *   or belong to several series
 */
export function shareBars(bars: BarSeries): SharedBars {
  const { time, open, high, low, close, volume, columns, carried, intervalMs, barCount } = bars;
  const ofBar = { time, open, high, low, close, volume };
  const { buffer } = time;
  const owner = ColumnMemory.of(time);
  const isBeside = (column: Float64Array): boolean =>
    column.buffer === buffer || (owner !== undefined && ColumnMemory.of(column) === owner);
  if (!(buffer instanceof SharedArrayBuffer) || ![...Object.values(ofBar), ...Object.values(columns)].every(isBeside)) {
    throw new Error('the columns of the series are not all in one shared buffer');
  }
  const byteOffsets = (named: Readonly<Record<string, Float64Array>>) =>
    Object.fromEntries(Object.entries(named).map(([name, { byteOffset }]) => [name, byteOffset]));
  return {
    buffer,
    intervalMs,
    barCount,
    offsets: byteOffsets(ofBar) as SharedBars['offsets'],
    columnOffsets: byteOffsets(columns),
    carried,
  };
}

/** The series as this thread reads it: new arrays over the same buffer. */
export function viewBars({ buffer, intervalMs, barCount, offsets, columnOffsets, carried }: SharedBars): BarSeries {
  const view = (offset: number) => new Float64Array(buffer, offset, barCount);
  const { time, open, high, low, close, volume } = offsets;
  return {
    intervalMs,
    barCount,
    time: view(time),
    open: view(open),
    high: view(high),
    low: view(low),
    close: view(close),
    volume: view(volume),
    columns: Object.fromEntries(Object.entries(columnOffsets).map(([name, offset]) => [name, view(offset)])),
    carried,
  };
}

/**
 * The series where it lies, in reach of the kernels of this thread. All that the thread computes lies
 * beside it and is freed with it, so this is for a series whose memory ends with the work.
 */
export function joinBars(memory: WebAssemblyMemory, shared: SharedBars): BarSeries {
  ColumnMemory.join(memory);
  return viewBars({ ...shared, buffer: memory.buffer });
}

/**
 * Zeroed columns side by side in one SharedArrayBuffer, for series that come and go: the buffer is
 * freed once no thread refers to it. Kernels cannot reach it; `withinReach` copies it for them.
 */
export const sharedColumns: AllocateColumns = (columnCount, length) => {
  const bytes = columnBytes(length);
  const buffer = new SharedArrayBuffer(columnCount * bytes);
  weigh(buffer);
  return Array.from({ length: columnCount }, (_, k) => new Float64Array(buffer, k * bytes, length));
};

/** Weights of shared buffers, by the objects through which this thread refers to them. */
const weights = new WeakMap<ArrayBufferLike, ArrayBuffer>();

/**
 * Makes the garbage collector of this thread count a shared buffer. By itself it does not, and
 * gigabytes of dropped buffers would pile up (measured: 0.9 GB without this, 0.1 GB with it). An
 * ordinary buffer of the same size stands in for the weight. Nothing touches it, so it takes
 * address space but no memory.
 */
function weigh(buffer: SharedArrayBuffer): void {
  weights.set(buffer, new ArrayBuffer(buffer.byteLength));
}

let numbered = 0;
const numbers = new WeakMap<ArrayBufferLike, number>();

/** Number by which other threads recognize a buffer. It is unique within this thread. */
export function bufferNumber(buffer: ArrayBufferLike): number {
  const number = numbers.get(buffer) ?? ++numbered;
  numbers.set(buffer, number);
  return number;
}

/** By number, the object that carries the weight of a buffer. */
const weighed = new Map<number, WeakRef<ArrayBufferLike>>();
const collected = new FinalizationRegistry((number: number) => {
  if (weighed.get(number)?.deref() === undefined) weighed.delete(number);
});

/**
 * Weighs a buffer that a message brought. Each message brings another object for the same memory.
 * One of them carries the weight until it is collected: a weight for each had the collector run for
 * every other backtest.
 * @param number `bufferNumber` of the thread that sends
 */
export function weighReceived(buffer: ArrayBufferLike, number: number): void {
  if (!(buffer instanceof SharedArrayBuffer) || weighed.get(number)?.deref() !== undefined) return;
  weigh(buffer);
  weighed.set(number, new WeakRef(buffer));
  collected.register(buffer, number);
}
