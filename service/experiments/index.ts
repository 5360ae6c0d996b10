export { EXPERIMENT_RUNS_MAX } from '../identity/index.js';
export { corpusParts } from './corpus-parts.js';
export { type ExperimentDeps, Experiments } from './experiments.js';
export { heldOutWithHome, SqlHeldOutDays } from './held-out.js';
export { PartKeeper } from './keep-parts.js';
export { experimentMethods } from './methods.js';
export { SqlExperimentParts } from './parts.js';
export { openPortfolioPlanner } from './plan.js';
export { ExperimentReports } from './reports.js';
export {
  BlockRunner,
  type BlockRunnerDeps,
  folderOf,
  startPortfolioThreads,
} from './run-blocks.js';
export { SqlExperimentStore } from './store.js';
export { SqlTries } from './tries.js';
export { SqlExperimentWork } from './work.js';
