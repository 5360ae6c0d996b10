import { sql } from 'kysely';
import type { Migrations } from '../../data/state/index.js';
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

export const deployedMigrations: Migrations = {
  /**
   * Times are epoch ms. Each bar of a strategy is evaluated once: its results are written together
   * with `last_bar_ms`, and only if that is still the bar before. Events take their ids from a
   * counter whose row stays locked until the transaction ends, so the ids are gapless and in commit
   * order. A reader that has read up to an id has missed nothing before it.
   */
  '0007-deployed': {
    async up(db) {
      await sql`
        create table deployed_strategies (
          id text primary key,
          definition_hash text not null,
          created_at_ms bigint not null,
          start_ms bigint,
          last_bar_ms bigint,
          bars integer not null,
          ticked_at_ms bigint,
          account json not null,
          account_value double precision not null,
          last_price double precision,
          total_trades integer not null,
          highest_step integer not null,
          lowest_step integer not null,
          error text
        )`.execute(db);
      await sql`
        create table deployed_equity (
          strategy_id text not null references deployed_strategies on delete cascade,
          bar integer not null,
          time_ms bigint not null,
          value double precision not null,
          primary key (strategy_id, bar)
        )`.execute(db);
      await sql`
        create table deployed_trades (
          strategy_id text not null references deployed_strategies on delete cascade,
          index integer not null,
          trade json not null,
          primary key (strategy_id, index)
        )`.execute(db);
      await sql`
        create table deployed_events (
          id bigint primary key,
          strategy_id text not null references deployed_strategies on delete cascade,
          type text not null,
          event json not null
        )`.execute(db);
      await sql`create index deployed_events_of_strategy on deployed_events (strategy_id, id desc)`.execute(db);
      await sql`create table deployed_counters (name text primary key, value bigint not null)`.execute(db);
      await sql`insert into deployed_counters (name, value) values ('events', 0)`.execute(db);
    },
  },
};
