export { hasEnded, ownName } from '../processes.js';
export type { ConnectionUse, QueueClient, QueuePool } from './backend.js';
export { dumpState } from './dump.js';
export { asStoreFailure } from './guarded-pool.js';
export type { Migrations } from './migrate.js';
export type { Ears } from './notices.js';
export type { StateOptions } from './open-state.js';
export { type OpenState, openTables } from './open-state.js';
export { restoreTables } from './restore-state.js';
export { nextTurn, oneClaimAtATime } from './turns.js';
export {
  afterCommit,
  apart,
  committedOnce,
  holdsTransaction,
  inUnitOfWork,
  refuseInTransaction,
} from './unit-of-work.js';
export { isUuid } from './uuid.js';
