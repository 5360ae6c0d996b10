export {
  allRules,
  type Composition,
  GROUPS_MAX,
  parseStrategy,
  placedRules,
  type Rule,
  type RuleListKey,
  type RuleReach,
  reachKeys,
  readReach,
  ruleLists,
  type StrategyDefinition,
  strategyKeys,
  unknownStrategyKeys,
} from './definition.js';
export { historyMs, neededHistoryMs, signalHistoryMs } from './history.js';
export { LiveRules } from './live-rules.js';
export {
  type AssetRead,
  anyColumn,
  apiTimeframeMs,
  assetsRead,
  barsNeeded,
  columnsRead,
  type DeniedSignal,
  generatedColumn,
  type PlannedRule,
  plannedRules,
  planStrategy,
  type StrategyPlan,
} from './plan.js';
export {
  evaluateRules,
  evaluateWithGaps,
  firstValues,
  type OtherBars,
  type RuleGaps,
  type RuleMasks,
  ruleMasks,
  type SideMasks,
  silentAfterMs,
} from './rules.js';
