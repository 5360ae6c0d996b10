import { setFlagsFromString } from 'node:v8';

/**
 * How far the heap of a thread may grow over what the last full collection left, in percent, before
 * the next one.
 */
const HEAP_GROWTH_PERCENT = 100;

/**
 * Keeps the heaps of this process and its threads near the size of their live objects. By default
 * V8 lets a heap grow up to four times as large between two full collections, so the memory of a
 * service swings by more than a hundred megabytes and looks like a leak while it rises.
 */
export function boundHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
}
