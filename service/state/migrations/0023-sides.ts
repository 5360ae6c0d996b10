import { type Migration, sql } from 'kysely';

/** What positions and trades have where a strategy uses sides, margin, orders or guards. */
export const sides: Migration = {
  async up(db) {
    await sql`
      alter table positions
        add column side text,
        add column margin double precision,
        add column liquidation_price double precision`.execute(db);
    await sql`
      alter table trades
        add column side text,
        add column margin double precision,
        add column return_on_margin double precision`.execute(db);
  },
};
