export { runBulkBacktest } from './bulk.js';
export type { BulkOptions } from './bulk-items.js';
export { type QueuedBulkOptions, runBulkInQueue } from './bulk-queue.js';
export {
  auditStoredBacktest,
  getBacktestManifest,
  renderBacktestReport,
  replayBacktest,
} from './evidence.js';
export { type BacktestDeps, type EndNotices, execute, withEngine } from './execute.js';
export {
  getBacktest,
  getBacktestStatus,
  getBacktestTrades,
  listBacktests,
  readPage,
} from './read.js';
export { bothGiven, findStrategy, readOpening, readOrder, readWhole, readWindow } from './request.js';
export { keep, refuseQueuedOpening, requireRoom, runSynchronousBacktest, submitBacktest } from './run.js';
export { BacktestRunner } from './runner.js';
export {
  asObject,
  asSeen,
  failureSeen,
  isPresent,
  presetNames,
  requiredFields,
  topLevelFields,
  withholdsRules,
} from './settings.js';
export { Slot } from './slot.js';
export { SqlBacktestStore } from './store.js';
export * from './stored.js';
export { readText } from './strategy-json.js';
