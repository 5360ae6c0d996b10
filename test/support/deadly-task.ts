import type { ChunkTask, SweepSetup } from '../../workers/index.js';
import runChunk from '../../workers/sweep-task.js';

/** How a chunk that holds a certain run ends its thread, and how often. */
export interface Deadly {
  readonly run: number;
  readonly way: 'exit' | 'memory';
  /** Deaths left, shared by all threads. */
  readonly left: Int32Array;
}

/** The real task, except that one run ends its thread. */
export default function deadlyChunk(task: ChunkTask): ReturnType<typeof runChunk> {
  const { deadly } = task.setup as SweepSetup & { readonly deadly: Deadly };
  const isInside = task.failure === undefined && deadly.run >= task.from && deadly.run < task.to;
  if (isInside && Atomics.sub(deadly.left, 0, 1) > 0) {
    if (deadly.way === 'exit') process.exit(9);
    const hoard: object[] = [];
    for (;;) hoard.push(new Array(100_000).fill({ ...task }));
  }
  return runChunk(task);
}
