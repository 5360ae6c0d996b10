import { type Migration, sql } from 'kysely';

/** Promo codes that were tried by a user, an organization or an address in a window of time. */
export const promoGuesses: Migration = {
  async up(db) {
    await sql`
      create table promo_guesses (
        guesser text primary key,
        guesses integer not null,
        ends_at_ms bigint not null
      )`.execute(db);
  },
};
