import type { AllocateColumns } from './bars.js';
import { columnBytes } from './column-memory.js';

/**
 * Zeroed columns side by side in one SharedArrayBuffer, for series that come and go: it is freed
 * when nothing refers to it any more, in any thread. Kernels do not reach it; `withinReach` takes a
 * copy to them.
 */
export const sharedColumns: AllocateColumns = (columnCount, length) => {
  const bytes = columnBytes(length);
  const buffer = new SharedArrayBuffer(columnCount * bytes);
  weigh(buffer);
  return Array.from({ length: columnCount }, (_, k) => new Float64Array(buffer, k * bytes, length));
};

const weights = new WeakMap<ArrayBufferLike, ArrayBuffer>();

/**
 * Lets the garbage collector of this thread count a shared buffer. It does not by itself, and so
 * would let gigabytes of dropped ones pile up (measured: 0.9 GB where 0.1 GB stays with this). An
 * ordinary buffer of the same size has its weight; nothing touches it, so that it takes addresses
 * and no memory.
 */
export function weigh(buffer: ArrayBufferLike): void {
  if (buffer instanceof SharedArrayBuffer && !weights.has(buffer)) {
    weights.set(buffer, new ArrayBuffer(buffer.byteLength));
  }
}
