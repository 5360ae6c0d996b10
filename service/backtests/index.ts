export { runBulkBacktest } from './bulk.js';
export type { BulkOptions } from './bulk-items.js';
export { type QueuedBulkOptions, runBulkInQueue } from './bulk-queue.js';
export type { EndNotices } from './end-notices.js';
export {
  auditStoredBacktest,
  getBacktestManifest,
  renderBacktestReport,
  replayBacktest,
} from './evidence.js';
export { type BacktestDeps, execute, withEngine } from './execute.js';
export {
  getBacktest,
  getBacktestStatus,
  getBacktestTrades,
  listBacktests,
  readPage,
} from './read.js';
export { bothGiven, findStrategy, readOpening, readOrder, readWhole, readWindow } from './request.js';
export { keep, runSynchronousBacktest } from './run.js';
export { BacktestRunner } from './runner.js';
export { asObject, isPresent, presetNames, requiredFields, topLevelFields } from './settings.js';
export { Slot } from './slot.js';
export { SqlBacktestStore } from './store.js';
export * from './stored.js';
export { readText } from './strategy-json.js';
export { refuseQueuedOpening, requireRoom, submitBacktest } from './submit.js';
export { asSeen, failureSeen, withholdsRules } from './withheld-rules.js';
