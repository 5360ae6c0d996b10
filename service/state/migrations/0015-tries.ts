import { type Migration, sql } from 'kysely';

/** Identities of the configurations that an organization ever tried on an asset. */
export const tries: Migration = {
  async up(db) {
    await sql`
      create table tries (
        org_id uuid not null,
        asset text not null,
        hash char(16) not null,
        primary key (org_id, asset, hash)
      )`.execute(db);
  },
};
