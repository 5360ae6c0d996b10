import { sql } from 'kysely';
import type { Migrations } from '../../data/state/index.js';
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

export const executionMigrations: Migrations = {
  /**
   * Paper trading. Times are epoch ms. `base_asset` is the name by which rows of an asset are found,
   * however a strategy spells it. JSON that no query looks into is `json`, which keeps the text as
   * written.
   */
  '0003-execution': {
    // Long because it is one list of statements, in the order in which they refer to each other.
    async up(db) {
      await sql`
        create table accounts (
          id uuid primary key,
          user_id uuid not null,
          org_id uuid not null,
          account_type text not null,
          name text,
          cash_balance double precision not null,
          account_value double precision not null,
          min_balance_threshold double precision not null,
          min_trade_amount double precision not null,
          max_open_positions bigint not null,
          max_trades_per_day bigint not null,
          max_risk_per_trade double precision not null,
          risk_params json,
          active boolean not null,
          created_at_ms bigint not null,
          updated_at_ms bigint not null
        )`.execute(db);
      await sql`create index accounts_of_user on accounts (user_id, created_at_ms desc, id)`.execute(db);
      // The lane of a saved strategy has its state in the strategy's row, where the owner may change
      // it; other lanes keep theirs here.
      await sql`
        create table lanes (
          id uuid primary key,
          user_id uuid not null,
          strategy_id uuid unique references strategies on delete cascade,
          execution_state json,
          account json,
          market json,
          booked json
        )`.execute(db);
      await sql`
        create table positions (
          id uuid primary key,
          user_id uuid not null,
          org_id uuid not null,
          account_id uuid not null references accounts,
          strategy_id uuid,
          asset text not null,
          base_asset text not null,
          exchange text,
          entry_price double precision not null,
          exit_price double precision,
          position_size double precision not null,
          cost double precision not null,
          value_at_close double precision,
          open boolean not null,
          exit_reason text,
          stop_loss_price double precision,
          take_profit_price double precision,
          created_at_ms bigint not null,
          entry_time_ms bigint not null,
          exit_time_ms bigint
        )`.execute(db);
      await sql`create index positions_of_user on positions (user_id, entry_time_ms desc, id)`.execute(db);
      await sql`create index open_positions_of_strategy on positions (strategy_id) where open`.execute(db);
      await sql`
        create table orders (
          id uuid primary key,
          user_id uuid not null,
          org_id uuid not null,
          position_id uuid not null,
          asset text not null,
          side text not null,
          order_type text not null,
          status text not null,
          price double precision not null,
          position_size double precision not null,
          stop_loss_price double precision,
          take_profit_price double precision,
          created_at_ms bigint,
          activated_at_ms bigint,
          filled_at_ms bigint,
          cancelled_at_ms bigint
        )`.execute(db);
      await sql`create index orders_of_position on orders (position_id)`.execute(db);
      await sql`
        create table trades (
          id uuid primary key,
          user_id uuid not null,
          org_id uuid not null,
          account_id uuid not null references accounts,
          position_id uuid not null,
          strategy_id uuid,
          strategy_name text,
          outcome text not null,
          profit_loss double precision not null,
          profit_loss_pct double precision not null,
          asset text not null,
          base_asset text not null,
          exchange text,
          entry_price double precision not null,
          exit_price double precision not null,
          position_size double precision not null,
          beginning_balance double precision not null,
          ending_balance double precision not null,
          closed_at_ms bigint not null
        )`.execute(db);
      await sql`create index trades_of_user on trades (user_id, closed_at_ms desc, id)`.execute(db);
      await sql`create index trades_of_strategy on trades (strategy_id, closed_at_ms desc, id)`.execute(db);
    },
  },
  /** What positions and trades have where a strategy uses sides, margin, orders or guards. */
  '0023-sides': {
    async up(db) {
      await sql`
        alter table positions
          add column side text,
          add column margin double precision,
          add column liquidation_price double precision`.execute(db);
      await sql`
        alter table trades
          add column side text,
          add column margin double precision,
          add column return_on_margin double precision`.execute(db);
    },
  },
};
