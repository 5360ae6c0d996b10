export type {
  Balances,
  ExecutionStore,
  Lane,
  LaneMarket,
  LaneState,
  LaneUpdate,
  Listing,
  Owner,
  Page,
  PositionFilter,
  StoredStrategy,
  TradeFilter,
} from '../../data/state/index.js';
