import { type Migration, sql } from 'kysely';

/**
 * Backtests that were submitted to the batch engine are shared in their organization. Of a
 * simulation nothing is kept but its line in the user's history; `place` is the order of the lines.
 * A synthetic dataset is the parameters it is made of, so that every process that shares the store
 * can make its bars. Times are epoch ms.
 */
export const simulations: Migration = {
  async up(db) {
    await sql`alter table backtests add column is_shared boolean not null default false`.execute(db);
    await sql`
      create table simulations (
        place bigint generated always as identity primary key,
        id uuid not null,
        org_id uuid not null,
        user_id uuid not null,
        kind text not null,
        status text not null,
        strategy_name text,
        asset text,
        timeframe text,
        dataset_file text,
        trade_count integer,
        metrics json,
        error text,
        created_at_ms bigint not null
      )`.execute(db);
    await sql`create index simulations_of_user on simulations (user_id, org_id, place desc)`.execute(db);
    await sql`
      create table synthetic_datasets (
        org_id uuid not null,
        file text not null,
        model json not null,
        created_at_ms bigint not null,
        primary key (org_id, file)
      )`.execute(db);
  },
};
