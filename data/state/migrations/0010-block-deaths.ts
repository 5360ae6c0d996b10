import { type Migration, sql } from 'kysely';

/**
 * How many runners began with a block and did not give it back: what ends every process must not be
 * tried for ever.
 */
export const blockDeaths: Migration = {
  async up(db) {
    await sql`alter table experiment_leases add column deaths integer not null default 0`.execute(db);
  },
};
