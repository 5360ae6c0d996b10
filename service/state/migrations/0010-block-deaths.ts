import { type Migration, sql } from 'kysely';

/**
 * How many runners began a block and did not give it back, so that a run that kills every process
 * is not retried for ever.
 */
export const blockDeaths: Migration = {
  async up(db) {
    await sql`alter table experiment_leases add column deaths integer not null default 0`.execute(db);
  },
};
