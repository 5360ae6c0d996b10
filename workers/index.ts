export { type RowContext, resultColumns, writeRows } from './result-rows.js';
export { runSweepChunks, type SweepPoolOptions } from './sweep-pool.js';
export {
  type ChunkResult,
  type ChunkTask,
  type RunRange,
  type RunStatus,
  runStatuses,
  type SweepSetup,
} from './sweep-protocol.js';
export { type SweepThreads, startThreads, type ThreadOptions } from './sweep-threads.js';
