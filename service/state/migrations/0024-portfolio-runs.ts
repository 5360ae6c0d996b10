import { type Migration, sql } from 'kysely';

/** The queue, the leases and the store treat a run of a portfolio like a run of one strategy. */
export const portfolioRuns: Migration = {
  async up(db) {
    await sql`alter table backtests add column is_portfolio boolean not null default false`.execute(db);
    await sql`drop index backtests_of_user`.execute(db);
    await sql`create index backtests_of_user on backtests (user_id, is_portfolio, created_at_ms desc, id)`.execute(db);
  },
};
