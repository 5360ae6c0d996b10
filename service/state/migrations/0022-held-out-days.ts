import { type Migration, sql } from 'kysely';

/** Days of an asset that no run of an organization may touch until they are opened, once. */
export const heldOutDays: Migration = {
  async up(db) {
    await sql`
      create table held_out_days (
        org_id text not null,
        asset text not null,
        from_date text not null,
        to_date text not null,
        days integer not null,
        declared_at text not null,
        opened_at text,
        opened_for text,
        metrics text,
        primary key (org_id, asset, from_date, to_date)
      )`.execute(db);
  },
};
