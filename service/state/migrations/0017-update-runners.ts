import { type Migration, sql } from 'kysely';

/**
 * The holder of an update's lease is named so that others on its machine can tell whether it still
 * runs. An earlier version wrote a UUID, which this one takes for the name of another machine.
 */
export const updateRunners: Migration = {
  async up(db) {
    await sql`alter table crypto_asset_updates alter column lease_runner type text`.execute(db);
  },
};
