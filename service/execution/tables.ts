import type { LongPaperAccount, PaperAccount } from '../../engine/execution/index.js';
import type { NullableJson } from '../state/json-columns.js';
import type { AccountRecord, ExecutionState, LaneState, Order, PositionRecord, TradeRecord } from './stored.js';

type AccountTimes = 'created_at' | 'updated_at';

export interface AccountTable extends Omit<AccountRecord, AccountTimes | 'risk_params'> {
  risk_params: NullableJson<Readonly<Record<string, unknown>>>;
  created_at_ms: number;
  updated_at_ms: number;
}

export interface LaneTable {
  id: string;
  user_id: string;
  strategy_id: string | null;
  /** Null for the lane of a strategy, whose own row holds the state. */
  execution_state: NullableJson<ExecutionState>;
  account: NullableJson<PaperAccount | LongPaperAccount>;
  market: NullableJson<LaneState['market']>;
  booked: NullableJson<LaneState['booked']>;
}

type PositionTimes = 'created_at' | 'entry_timestamp' | 'exit_timestamp';

export interface PositionTable
  extends Omit<PositionRecord, PositionTimes | 'orders' | 'side' | 'margin' | 'liquidation_price'> {
  side: PositionRecord['side'] | null;
  margin: number | null;
  liquidation_price: number | null;
  base_asset: string;
  created_at_ms: number;
  entry_time_ms: number;
  exit_time_ms: number | null;
}

export interface OrderTable
  extends Omit<Order, 'order_id' | 'bars_left' | 'history' | 'stop_loss_price' | 'take_profit_price'> {
  user_id: string;
  org_id: string;
  stop_loss_price: number | null;
  take_profit_price: number | null;
  created_at_ms: number | null;
  activated_at_ms: number | null;
  filled_at_ms: number | null;
  cancelled_at_ms: number | null;
}

export interface TradeTable extends Omit<TradeRecord, 'closed_at' | 'side' | 'margin' | 'return_on_margin'> {
  side: TradeRecord['side'] | null;
  margin: number | null;
  return_on_margin: number | null;
  base_asset: string;
  closed_at_ms: number;
}

export interface ExecutionTables {
  accounts: AccountTable;
  lanes: LaneTable;
  positions: PositionTable;
  orders: OrderTable;
  trades: TradeTable;
}
