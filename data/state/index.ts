export { hasEnded, ownName } from '../processes.js';
export * from './access/idempotency-keys.js';
export * from './access/usage-counts.js';
export { type ClaimedTurn, type ConversationRow, type MessageRow, SqlConversationStore } from './assistant/store.js';
export type { ConversationMode } from './assistant/tables.js';
export { VectorIndex } from './assistant/vector-index.js';
export type { ConnectionUse, QueueClient, QueuePool } from './backend.js';
export * from './backtests/records.js';
export { SqlBacktestStore } from './backtests/store.js';
export { type CryptoAssetRow, type Evaluation, SqlCryptoAssetStore } from './crypto-assets/store.js';
export {
  type RegulatoryStatus,
  regulatoryStatuses,
  type SecurityStatus,
  securityStatuses,
  type UpdateFailure,
} from './crypto-assets/tables.js';
export { type AssetUpdateRow, type ClaimedUpdate, SqlAssetUpdates } from './crypto-assets/updates.js';
export type * from './deployed/records.js';
export { SqlDeployedStore } from './deployed/store.js';
export { dumpState } from './dump.js';
export type * from './execution/records.js';
export { SqlExecutionStore } from './execution/store.js';
export { type CorpusPart, corpusParts } from './experiments/corpus-parts.js';
export { heldOutWithHome, SqlHeldOutDays } from './experiments/held-out.js';
export { type PartRange, type Scattered, SqlExperimentParts } from './experiments/parts.js';
export {
  type ExperimentProgress,
  type ExperimentRow,
  type ExperimentSummary,
  SqlExperimentStore,
  type Transition,
} from './experiments/store.js';
export { type ExperimentStatus, experimentStatuses, type StoredPlan } from './experiments/tables.js';
export { SqlTries } from './experiments/tries.js';
export { type ClaimedBlock, type RunBlock, SqlExperimentWork } from './experiments/work.js';
export { asStoreFailure } from './guarded-pool.js';
export type * from './identity/records.js';
export { SqlIdentityStore } from './identity/store.js';
export type { Ears } from './notices.js';
export type { StateOptions } from './open-state.js';
export type * from './payments/records.js';
export { SqlPaymentStore } from './payments/store.js';
export {
  type PromoCodeRow,
  type PromoGuessRow,
  type PromoRedemptionRow,
  SqlPromoCodeStore,
} from './promo-codes/store.js';
export { type PromoScope, promoScopes } from './promo-codes/tables.js';
export { serverSecret } from './server-secrets.js';
export { DATASETS_MAX, HISTORY_MAX, type SimulationRow, SimulationStore } from './simulations/store.js';
export { type StrategyFilter, type StrategyRow, StrategyStore } from './strategies/store.js';
export { type Database, openState, restoreState, type State } from './tables.js';
export {
  afterCommit,
  apart,
  committedOnce,
  holdsTransaction,
  inUnitOfWork,
  refuseInTransaction,
} from './unit-of-work.js';
export { isUuid } from './uuid.js';
export {
  ALL_EVENTS,
  enqueueWebhookEvent,
  type WebhookEvent,
  type WebhookEventType,
  webhookEventTypes,
} from './webhooks/events.js';
export { type Busy, type DeliveryAttempt, type DeliveryClaim, SqlWebhookOutbox } from './webhooks/outbox.js';
export { type DeliveryFilter, type DeliveryRow, SqlWebhookStore, type WebhookRow } from './webhooks/store.js';
export { type DeliveryStatus, deliveryStatuses } from './webhooks/tables.js';
export { countWork, type WorkCounts } from './work-counts.js';
