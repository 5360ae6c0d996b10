import { type Migration, sql } from 'kysely';

/**
 * Vectors of the passages that the assistant looks up, in place of copies of the passages. The id
 * of a seeding is a hash of their texts. Arrays, since not every database has a type for vectors.
 */
export const passageVectors: Migration = {
  async up(db) {
    await sql`drop table passages`.execute(db);
    await sql`drop table passage_seedings`.execute(db);
    await sql`
      create table passage_seedings (
        id uuid primary key,
        number bigint generated always as identity
      )`.execute(db);
    await sql`
      create table passage_vectors (
        seeding_id uuid not null references passage_seedings on delete cascade,
        place integer not null,
        embedding real[] not null,
        primary key (seeding_id, place)
      )`.execute(db);
  },
};
