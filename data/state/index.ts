export * from './backtest-store.js';
export { SqlBacktestStore } from './backtests.js';
export { SqlIdempotencyStore } from './idempotency-keys.js';
export { SqlIdentityStore } from './identities.js';
export type * from './identity-store.js';
export { type Database, openState, type State, type StateOptions } from './open-state.js';
export { serverSecret } from './server-secrets.js';
export { type StrategyFilter, type StrategyRow, StrategyStore } from './strategies.js';
export { SqlUsageStore } from './usage-counts.js';
