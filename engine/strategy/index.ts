export {
  type Composition,
  parseStrategy,
  type Rule,
  type StrategyDefinition,
  unknownStrategyKeys,
} from './definition.js';
export { LiveRules } from './live-rules.js';
export {
  anyColumn,
  apiTimeframeMs,
  columnsRead,
  type DeniedSignal,
  generatedColumn,
  historyMs,
  type PlannedRule,
  planStrategy,
  type StrategyPlan,
  signalHistoryMs,
} from './plan.js';
export { evaluateRules, evaluateWithGaps, type RuleGaps, type RuleMasks, ruleMasks } from './rules.js';
