export { hasEnded, ownName } from '../processes.js';
export type { ConnectionUse, Ears, QueueClient, QueuePool } from './backend.js';
export { dumpState } from './dump.js';
export { asStoreFailure, type Migrations } from './guarded-pool.js';
export type { StateOptions } from './open-state.js';
export { type OpenState, openTables } from './open-state.js';
export { restoreTables } from './restore-state.js';
export {
  afterCommit,
  apart,
  committedOnce,
  holdsTransaction,
  inUnitOfWork,
  isUuid,
  nextTurn,
  oneClaimAtATime,
  refuseInTransaction,
} from './unit-of-work.js';
