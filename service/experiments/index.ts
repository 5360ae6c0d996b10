export { EXPERIMENT_RUNS_MAX } from '../identity/index.js';
export { type ExperimentDeps, Experiments, type ListExperimentsRequest } from './experiments.js';
export { PartKeeper, type PartKeeperDeps } from './keep-parts.js';
export { ExperimentReports, type ReportDeps } from './reports.js';
export { BlockRunner, type BlockRunnerDeps, folderOf } from './run-blocks.js';
