import type { LongPaperAccount, PaperAccount } from '../../engine/execution/index.js';
import type { PaperPortfolio } from '../../engine/portfolio/index.js';
import type { Json } from '../state/json-columns.js';
import type { DeployedEvent, DeployedEventType } from './stored.js';

export interface DeployedStrategyTable {
  id: string;
  definition_hash: string;
  created_at_ms: number;
  start_ms: number | null;
  /** Open time of the last evaluated bar. */
  last_bar_ms: number | null;
  /** Number of evaluated bars. */
  bars: number;
  /** By the system clock. */
  ticked_at_ms: number | null;
  account: Json<PaperAccount | LongPaperAccount | PaperPortfolio>;
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
  /** `bar` counts from 0; `time_ms` is the close of the bar. */
  deployed_equity: { strategy_id: string; bar: number; time_ms: number; value: number };
  /** `index` counts from 0, in the order of closing. */
  deployed_trades: { strategy_id: string; index: number; trade: Json<object> };
  deployed_events: { id: number; strategy_id: string; type: DeployedEventType; event: Json<DeployedEvent> };
  deployed_counters: { name: string; value: number };
}
