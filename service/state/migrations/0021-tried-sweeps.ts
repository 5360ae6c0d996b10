import { type Migration, sql } from 'kysely';

/** What judged sweeps were worth on an asset, by which later ones are judged. */
export const triedSweeps: Migration = {
  async up(db) {
    await sql`
      create table tried_sweeps (
        org_id text not null,
        asset text not null,
        sweep text not null,
        plan text not null,
        tries integer not null,
        unrelated double precision not null,
        primary key (org_id, asset, sweep)
      )`.execute(db);
  },
};
