export { BackgroundThread } from './background-thread.js';
export { type BacktestPoolOptions, openBacktestPool } from './backtest-pool.js';
export { ThreadFailure } from './backtest-protocol.js';
export {
  type AuditOptions,
  type BacktestEngine,
  type ComputedBacktest,
  inThisThread,
} from './compute-backtest.js';
export { openFairThreads } from './fair-threads.js';
export { loadOwnSignals } from './own-signals.js';
export { openPlanner, type Planner, type PlannerOptions } from './planner.js';
export { resultColumns } from './result-rows.js';
export { hashPlan, makePlan } from './sweep-plans.js';
export { RUN_ATTEMPTS_MAX, readyThreads, runSweepChunks, type SweepPoolOptions } from './sweep-pool.js';
export {
  type ChunkResult,
  type ChunkTask,
  type DatasetToPlan,
  type PlanResult,
  type PlanTask,
  type RunRange,
  rowError,
  runStatuses,
  type SweepSetup,
} from './sweep-protocol.js';
export { BACKGROUND_NICE, type SweepThreads, startThreads, type ThreadOptions } from './sweep-threads.js';
export type { ThreadUse } from './thread-pool.js';
export { ThreadChoice } from './threads-worth.js';
export { openTrialThreads } from './trial-threads.js';
