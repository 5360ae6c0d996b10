export { EXPERIMENT_RUNS_MAX } from '../identity/index.js';
export { type ExperimentDeps, Experiments } from './experiments.js';
export { PartKeeper } from './keep-parts.js';
export { openPortfolioPlanner } from './plan.js';
export { ExperimentReports } from './reports.js';
export {
  BlockRunner,
  type BlockRunnerDeps,
  folderOf,
  startPortfolioThreads,
} from './run-blocks.js';
