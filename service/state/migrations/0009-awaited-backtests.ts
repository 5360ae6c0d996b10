import { type Migration, sql } from 'kysely';

/**
 * Queued backtests for which a caller waits go before the others of their organization. The index
 * holds them in the order of claims.
 */
export const awaitedBacktests: Migration = {
  async up(db) {
    await sql`alter table backtests add column is_awaited boolean not null default false`.execute(db);
    await sql`drop index backtests_to_run`.execute(db);
    await sql`
      create index backtests_to_run on backtests (org_id, is_awaited desc, created_at_ms, id)
      where status in ('queued', 'running')`.execute(db);
  },
};
