import { ColumnMemory } from '../series/column-memory.js';

let memory: ColumnMemory | null = null;

/**
 * One memory for the kernels of statistics in a thread, because a memory is hardly ever freed.
 */
export function sharedMemory(): ColumnMemory {
  memory ??= ColumnMemory.create(0);
  return memory;
}
