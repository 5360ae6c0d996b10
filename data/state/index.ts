export type { QueueClient, QueuePool } from './backend.js';
export * from './backtest-store.js';
export { SqlBacktestStore } from './backtests.js';
export { type CorpusPart, corpusParts } from './corpus-parts.js';
export { SqlDeployedStore } from './deployed.js';
export type * from './deployed-store.js';
export type * from './execution-records.js';
export type * from './execution-store.js';
export { SqlExecutionStore } from './executions.js';
export { type PartRange, type Scattered, SqlExperimentParts } from './experiment-parts.js';
export { type ExperimentStatus, experimentStatuses, type StoredPlan } from './experiment-tables.js';
export { type ClaimedBlock, type RunBlock, SqlExperimentWork } from './experiment-work.js';
export {
  type ExperimentProgress,
  type ExperimentRow,
  type ExperimentSummary,
  SqlExperimentStore,
  type Transition,
} from './experiments.js';
export {
  type IdempotencyAttempt,
  type IdempotencyClaim,
  type IdempotencyScope,
  SqlIdempotencyStore,
} from './idempotency-keys.js';
export { SqlIdentityStore } from './identities.js';
export type * from './identity-store.js';
export type { Ears } from './notices.js';
export { type Database, openState, type State, type StateOptions } from './open-state.js';
export { serverSecret } from './server-secrets.js';
export { DATASETS_MAX, HISTORY_MAX, type SimulationRow, SimulationStore } from './simulations.js';
export { type StrategyFilter, type StrategyRow, StrategyStore } from './strategies.js';
export { type CountedUnit, SqlUsageStore, type UsageCount } from './usage-counts.js';
export { isUuid } from './uuid.js';
export {
  ALL_EVENTS,
  enqueueWebhookEvent,
  type WebhookEvent,
  type WebhookEventType,
  webhookEventTypes,
} from './webhook-events.js';
export { type Busy, type DeliveryAttempt, type DeliveryClaim, SqlWebhookOutbox } from './webhook-outbox.js';
export { type DeliveryStatus, deliveryStatuses } from './webhook-tables.js';
export { type DeliveryFilter, type DeliveryRow, SqlWebhookStore, type WebhookRow } from './webhooks.js';
