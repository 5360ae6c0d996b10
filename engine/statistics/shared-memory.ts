import { ColumnMemory } from '../series/column-memory.js';

let memory: ColumnMemory | null = null;

/**
 * One memory for the kernels of statistics in a thread, because a memory is hardly ever freed.
 */
export function sharedMemory(): ColumnMemory {
  memory ??= ColumnMemory.create(0);
  return memory;
}

/** Calls `use` with room for 32-bit integers in that memory, with unspecified content. */
export function withIndices<T>(length: number, use: (indices: Int32Array) => T): T {
  const room = sharedMemory().allocate(Math.ceil(length / 2));
  try {
    return use(new Int32Array(room.buffer, room.byteOffset, length));
  } finally {
    sharedMemory().free(room);
  }
}
