export type { RuleChoice } from './choice-space.js';
export type {
  RandomSignals,
  Selection,
  SweepDataset,
  SweepDefinition,
  SweepReading,
  TpeSettings,
} from './definition.js';
export { type RunOutcome, type RunTrace, SweepKernel } from './kernel.js';
export { neighboursOf } from './neighbours.js';
export { type PlanOptions, planSweep, type SweepPlan, sampleIndices } from './plan.js';
export { readSweep } from './read-sweep.js';
export { searchMetrics } from './read-tpe.js';
export { RunIdentity, ruleOf, rulesText, type Sha256, type SweepRule, type SweepRun } from './run.js';
export type { PlanSearch } from './tpe-plan.js';
export { assessTrust, dailyReturns, type Trust, type TrustInput } from './trust.js';
