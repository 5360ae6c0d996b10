import { type Generated, sql } from 'kysely';
import type { Migrations } from '../../data/state/index.js';
import type { ExecutionConfig } from '../../engine/execution/index.js';
import type { Json, NullableJson } from '../state/json-columns.js';
import type { BacktestOutcome, BacktestStatus, RunContent } from './stored.js';

/** The stored part of an outcome other than its metrics and trades. */
type BacktestEvidence = Omit<BacktestOutcome<RunContent>, 'metrics' | 'trades'>;

export interface BacktestTable {
  id: string;
  user_id: string;
  org_id: string;
  strategy_id: string | null;
  strategy_name: string;
  session_id: string | null;
  asset: string;
  interval: string;
  base_asset: string;
  start_ms: number;
  end_ms: number;
  config: Json<ExecutionConfig>;
  request: Json<unknown>;
  warnings: Json<readonly string[]>;
  created_at_ms: number;
  status: BacktestStatus;
  completed_at_ms: number | null;
  execution_seconds: number | null;
  metrics: NullableJson<object>;
  evidence: NullableJson<BacktestEvidence>;
  error: string | null;
  archived_at_ms: number | null;
  attempts: Generated<number>;
  lease_runner: string | null;
  lease_until_ms: number | null;
  /** The turn of its last claim. */
  turn: number | null;
  is_shared: Generated<boolean>;
  is_awaited: Generated<boolean>;
  is_portfolio: Generated<boolean>;
}

interface BacktestTradeTable {
  backtest_id: string;
  /** From 0, in the order of closing. */
  index: number;
  trade: Json<object>;
}

export interface BacktestTables {
  backtests: BacktestTable;
  backtest_trades: BacktestTradeTable;
}

export const backtestMigrations: Migrations = {
  /**
   * Times are epoch ms. JSON that no query looks into is `json`, which keeps the text as written.
   * Trades have rows of their own, so a page of the history reads no trades. They refer to their run
   * without a constraint, since its check costs a fourth of the time to store them. That is safe: one
   * statement writes both, and nothing deletes either.
   */
  '0004-backtests': {
    async up(db) {
      await sql`
        create table backtests (
          id uuid primary key,
          user_id uuid not null,
          org_id uuid not null,
          strategy_id uuid,
          strategy_name text not null,
          session_id text,
          asset text not null,
          interval text not null,
          base_asset text not null,
          start_ms bigint not null,
          end_ms bigint not null,
          config json not null,
          request json not null,
          warnings json not null,
          created_at_ms bigint not null,
          status text not null,
          completed_at_ms bigint,
          execution_seconds double precision,
          metrics json,
          evidence json,
          error text,
          archived_at_ms bigint,
          attempts integer not null default 0,
          lease_runner text,
          lease_until_ms bigint
        )`.execute(db);
      await sql`create index backtests_of_user on backtests (user_id, created_at_ms desc, id)`.execute(db);
      await sql`
        create index backtests_to_run on backtests (created_at_ms, id)
        where status in ('queued', 'running')`.execute(db);
      await sql`
        create table backtest_trades (
          backtest_id uuid not null,
          index integer not null,
          trade json not null,
          primary key (backtest_id, index)
        )`.execute(db);
    },
  },
  /**
   * Queued backtests for which a caller waits go before the others of their organization. The index
   * holds them in the order of claims.
   */
  '0009-awaited-backtests': {
    async up(db) {
      await sql`alter table backtests add column is_awaited boolean not null default false`.execute(db);
      await sql`drop index backtests_to_run`.execute(db);
      await sql`
        create index backtests_to_run on backtests (org_id, is_awaited desc, created_at_ms, id)
        where status in ('queued', 'running')`.execute(db);
    },
  },
  /** The queue, the leases and the store treat a run of a portfolio like a run of one strategy. */
  '0024-portfolio-runs': {
    async up(db) {
      await sql`alter table backtests add column is_portfolio boolean not null default false`.execute(db);
      await sql`drop index backtests_of_user`.execute(db);
      await sql`create index backtests_of_user on backtests (user_id, is_portfolio, created_at_ms desc, id)`.execute(
        db,
      );
    },
  },
};
