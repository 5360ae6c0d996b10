export type {
  ExecutionStore,
  Lane,
  LaneState,
  LaneUpdate,
  Owner,
  Page,
  StoredStrategy,
} from '../../data/state/index.js';
