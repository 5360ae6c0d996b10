import type { ChunkTask, SweepSetup } from '../../workers/index.js';
import runChunk from '../../workers/sweep-task.js';

/** The real task, which counts the chunks that threads have begun. */
export default function countedChunk(task: ChunkTask): ReturnType<typeof runChunk> {
  Atomics.add((task.setup as SweepSetup & { readonly begun: Int32Array }).begun, 0, 1);
  return runChunk(task);
}
