export { assessSweep, triedSweeps } from './assess-sweep.js';
export { btcReturns } from './btc-returns.js';
export { overWindow } from './dataset-window.js';
export {
  barsOfSweep,
  heldDataset,
  type LoadedDataset,
  loadDatasets,
  recordedDataset,
  type SweepBars,
} from './datasets.js';
export { loadAllFurther, sharedSeries } from './further.js';
export { cutHeldOut } from './held-out.js';
export { overAssets } from './over-assets.js';
export { prepareSweep, rankedBy } from './prepare-sweep.js';
export { recordAssessed, recordTries } from './record-tries.js';
export { commandFor, findDefinition, type RunDefinition, runDefinitions } from './run-definition.js';
export type { PlanToRun, SweepRunner } from './run-elsewhere.js';
export {
  missingRanges,
  outcomeRuns,
  requireSame,
  runSweep,
  type SweepOutcome,
  type SweepRecord,
} from './run-sweep.js';
export { searchPower } from './search-power.js';
export { sweepReport } from './sweep-report.js';
export type { SweepProgress } from './tally.js';
