export type { ExecutionState, StrategyDetail, StrategyListItem, StrategyStatus } from './records.js';
export {
  type CreateStrategyRequest,
  Strategies,
  type StrategiesOptions,
  type UpdateStrategyRequest,
  type WrittenStrategy,
} from './strategies.js';
