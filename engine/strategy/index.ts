export {
  type Composition,
  GROUPS_MAX,
  parseStrategy,
  type Rule,
  type RuleListKey,
  type RuleReach,
  reachKeys,
  readReach,
  rulesOf,
  type StrategyDefinition,
  unknownStrategyKeys,
} from './definition.js';
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
  historyMs,
  type PlannedRule,
  plannedRules,
  planStrategy,
  type StrategyPlan,
  signalHistoryMs,
} from './plan.js';
export {
  evaluateRules,
  evaluateWithGaps,
  type OtherBars,
  type RuleGaps,
  type RuleMasks,
  ruleMasks,
  type SideMasks,
} from './rules.js';
