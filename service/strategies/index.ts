export type { ExecutionState, StrategyDetail, StrategyListItem, StrategyStatus } from './records.js';
export { overlayConfig } from './stored-config.js';
export {
  type CreateStrategyRequest,
  Strategies,
  type StrategiesOptions,
  type UpdateStrategyRequest,
} from './strategies.js';
