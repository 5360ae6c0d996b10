import { type Migration, sql } from 'kysely';

/**
 * Times are epoch ms. JSON that no query looks into is `json`, which keeps the text as written.
 * Trades have rows of their own, so a page of the history reads no trades. They refer to their run
 * without a constraint, since its check costs a fourth of the time to store them. That is safe: one
 * statement writes both, and nothing deletes either.
 */
export const backtests: Migration = {
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
};
