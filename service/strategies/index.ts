export type { ExecutionState, StrategyDetail, StrategyListItem, StrategyStatus } from './records.js';
export {
  Strategies,
  type WrittenStrategy,
} from './strategies.js';
