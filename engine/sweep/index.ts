export {
  ASSESSMENT_P_MAX,
  type AssessmentInput,
  type AssessmentTest,
  assessLeader,
  type LeaderAssessment,
  type LeaderFacts,
  leaderFacts,
  leaderPaths,
  luckQuestion,
} from './assess-leader.js';
export { ASSESSED_MAX, isAssessed } from './assessed-runs.js';
export type { AssessedLeader, Assessment, SearchPower, WalkForward, WalkForwardFold } from './assessment.js';
export { readSettingAxis, type SettingValue } from './axis.js';
export type { RuleChoice } from './choice-space.js';
export { datasetName } from './dataset-name.js';
export {
  type FoldWindow,
  type FurtherRead,
  type FurtherSeries,
  noFurther,
  type SweepDataset,
  type SweepDefinition,
  type SweepReading,
  type WalkForwardSettings,
} from './definition.js';
export { type SweepReads, type SweptAsset, sweepReads } from './further.js';
export {
  HELD_OUT_DAYS_MAX,
  type HeldOut,
  type HeldOutDays,
  heldOutAmong,
  heldOutCut,
  heldOutNotice,
  heldOutText,
  lastDays,
  type Opening,
  refuseHeldOut,
  refuseHeldOutBar,
  requestNames,
  type SameBars,
} from './held-out.js';
export { barsOfRun, HistoryKernels, tradedIn } from './history-kernels.js';
export { SweepKernel } from './kernel.js';
export {
  type AxisColumn,
  axisColumn,
  labelledRules,
  ruleGroups,
  ruleLabel,
  sideLabel,
} from './labels.js';
export { madeOf } from './made-of.js';
export { neighboursOf } from './neighbours.js';
export { planSweep, sampleIndices } from './plan.js';
export { planHash, planIdentity, triedIdentity } from './plan-hash.js';
export { Problems, type UnknownKeys } from './problems.js';
export { RandomSampler } from './random-search.js';
export {
  defaultRanking,
  isRankingMetric,
  MIN_TRADES,
  MIN_TRADES_MAX,
  notRankable,
  type Ranking,
  rankingMetrics,
} from './ranking-metrics.js';
export { readSweepOver, type SweepSeries } from './read-over.js';
export { readSweep } from './read-sweep.js';
export { writtenConfig } from './read-variants.js';
export { settingsOfRow } from './row-settings.js';
export { RunIdentity, ruleOf, rulesText, type SweepRun, singleIdentity } from './run.js';
export { firstTrials, type JudgedTrials, type Leader, RunTable, rankingFigures } from './run-table.js';
export type { Forecaster, PlanOptions, SweepPlan } from './sweep-plan.js';
export type { PlanSearch } from './tpe-plan.js';
export {
  countTries,
  type EarlierTries,
  isTry,
  joinSweeps,
  joinTries,
  NOTHING_EARLIER,
  TRIES_KEPT,
  type TriedSweep,
  unrelatedBefore,
} from './tries.js';
export { foldsOf, readWalkForward } from './walk-forward.js';
export { assessAcross, leadersFirst } from './whole-sweep.js';
export { WindowKernels } from './window-kernels.js';
