export { type Database, openState, type State, type StateOptions } from './open-state.js';
export type { StateSchema, StrategyTable } from './schema.js';
export { type StrategyFilter, type StrategyRow, StrategyStore } from './strategies.js';
