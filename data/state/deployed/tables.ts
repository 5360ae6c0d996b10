import type { ColumnType } from 'kysely';
import type { PaperAccount } from '../../../engine/index.js';
import type { DeployedEvent, DeployedEventType } from './port.js';

type Json<T> = ColumnType<T, string, string>;

export interface DeployedStrategyTable {
  id: string;
  definition_hash: string;
  created_at_ms: number;
  start_ms: number | null;
  /** Open time of the newest bar that was evaluated. */
  last_bar_ms: number | null;
  /** Bars evaluated so far. */
  bars: number;
  /** By the clock on the wall. */
  ticked_at_ms: number | null;
  account: Json<PaperAccount>;
  account_value: number;
  last_price: number | null;
  total_trades: number;
  highest_step: number;
  lowest_step: number;
  error: string | null;
}

/** Tables of deployed strategies, as the migrations leave them. */
export interface DeployedTables {
  deployed_strategies: DeployedStrategyTable;
  /** `bar` counts from 0, `time_ms` is its close. */
  deployed_equity: { strategy_id: string; bar: number; time_ms: number; value: number };
  /** In the order they were closed, from 0. */
  deployed_trades: { strategy_id: string; index: number; trade: Json<object> };
  deployed_events: { id: number; strategy_id: string; type: DeployedEventType; event: Json<DeployedEvent> };
  deployed_counters: { name: string; value: number };
}
