import type { AllocateColumns } from './bars.js';
import { columnBytes } from './column-memory.js';

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
