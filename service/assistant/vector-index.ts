import { sql } from 'kysely';
import type { Database } from '../state/tables.js';

interface Held {
  readonly seeding: string;
  readonly vectors: readonly Float32Array[];
}

/**
 * Vectors are rounded to this many steps of a unit. A product of two values then has at most 22
 * binary digits behind the point, and the sum over two vectors of unit length is below 2, so even
 * sums of 32-bit floats are exact in every order: pgvector and this process rank alike.
 */
const STEPS = 2_048;
/** Seedings that are kept besides a new one: the previous version may still run. */
const OLDER_SEEDINGS_MAX = 1;
const ROWS_AT_ONCE = 200;

/**
 * Vectors of passages, found by nearness. A seeding is the vectors of one text of all passages; a
 * reader of a seeding gets all of it or nothing. pgvector ranks where the database has it, and this
 * process elsewhere, with the same answers. Every vector is compared: an approximate index would
 * save time only from tens of thousands on.
 *
 * The table holds plain arrays, so that a backup fits every database. What pgvector reads is a view
 * of it, which is made at the first lookup and belongs to no migration.
 */
export class VectorIndex {
  #hasExtension: boolean | null = null;
  #held: Held | null = null;

  /** @param usesExtension false: never ranks in the database */
  constructor(
    private readonly db: Database,
    private readonly usesExtension = true,
  ) {}

  /**
   * Places of the vectors nearest in direction, nearest first and then by place; none for an
   * unknown seeding.
   */
  async nearest(seeding: string, asked: Float32Array, max: number): Promise<readonly number[]> {
    const vector = rounded(asked);
    return (await this.#ranksThere()) ? this.#rankThere(seeding, vector, max) : this.#rankHere(seeding, vector, max);
  }

  /**
   * Adds the vectors of a seeding, all or nothing. Calls take turns.
   * @param clears whether all vectors of before are deleted; else a known seeding stays as it is
   */
  async seed(seeding: string, vectors: readonly Float32Array[], clears: boolean): Promise<void> {
    const texts = vectors.map((vector) => vectorText(rounded(vector)));
    const ranksThere = await this.#ranksThere();
    await this.db.transaction().execute(async (open) => {
      await sql`lock table passage_seedings in exclusive mode`.execute(open);
      const known = open.selectFrom('passage_seedings').select('id').orderBy('number', 'desc');
      const had = (await known.execute()).map(({ id }) => id);
      if (clears || !had.includes(seeding)) {
        const dropped = clears ? had : had.slice(OLDER_SEEDINGS_MAX);
        for (const id of dropped) await open.deleteFrom('passage_seedings').where('id', '=', id).execute();
        await insert(open, seeding, texts);
      }
      // Also for a known seeding: a process that began without pgvector may have added it.
      if (ranksThere) await sql`refresh materialized view passage_nearness`.execute(open);
    });
  }

  /** Whether pgvector ranks; what it needs is made at the first question. */
  async #ranksThere(): Promise<boolean> {
    if (!this.usesExtension) return false;
    this.#hasExtension ??= await preparePgvector(this.db);
    return this.#hasExtension;
  }

  async #rankThere(seeding: string, vector: Float32Array, max: number): Promise<number[]> {
    // The question stands in a query of its own, or it would be read again for every row.
    const { rows } = await sql<{ place: number }>`
      select place from passage_nearness where seeding_id = ${seeding}
      order by embedding <#> (select ${vectorText(vector)}::text::real[]::vector), place limit ${max}`.execute(this.db);
    return rows.map(({ place }) => place);
  }

  async #rankHere(seeding: string, vector: Float32Array, max: number): Promise<number[]> {
    const scores = (await this.#vectorsOf(seeding)).map((each, place) => ({ place, score: dot(each, vector) }));
    const nearest = scores.sort((a, b) => b.score - a.score || a.place - b.place);
    return nearest.slice(0, max).map(({ place }) => place);
  }

  async #vectorsOf(seeding: string): Promise<readonly Float32Array[]> {
    if (this.#held?.seeding !== seeding) {
      const { rows } = await sql<{ text: string }>`
        select array_to_json(embedding)::text as text from passage_vectors
        where seeding_id = ${seeding} order by place`.execute(this.db);
      const vectors = rows.map(({ text }) => Float32Array.from(JSON.parse(text) as number[]));
      if (vectors.length === 0) return vectors; // they may be seeded yet
      this.#held = { seeding, vectors };
    }
    return this.#held.vectors;
  }
}

async function insert(open: Database, seeding: string, texts: readonly string[]): Promise<void> {
  await open.insertInto('passage_seedings').values({ id: seeding }).execute();
  for (let from = 0; from < texts.length; from += ROWS_AT_ONCE) {
    const rows = texts.slice(from, from + ROWS_AT_ONCE).map((text, i) => ({
      ...{ seeding_id: seeding, place: from + i },
      embedding: sql<string>`${text}::text::real[]`,
    }));
    await open.insertInto('passage_vectors').values(rows).execute();
  }
}

/** Refusals of PostgreSQL that will be the same again: no right to make it, or no such file. */
const LASTING = ['42501', '58P01', '0A000'];
/** Another process has made it meanwhile. */
const MADE = ['23505', '42710', '42P07'];

/** @returns false where the database has no pgvector for us */
async function preparePgvector(db: Database): Promise<boolean> {
  const { rows } = await sql`select from pg_available_extensions where name = 'vector'`.execute(db);
  if (rows.length === 0) return false;
  const statements = [
    sql`create extension if not exists vector`,
    sql`create materialized view if not exists passage_nearness as
      select seeding_id, place, embedding::vector as embedding from passage_vectors`,
  ];
  for (const statement of statements) {
    try {
      await statement.execute(db);
    } catch (error) {
      const { code = '' } = error as { readonly code?: string };
      if (LASTING.includes(code)) return false;
      if (!MADE.includes(code)) throw error;
    }
  }
  return true;
}

/** At unit length, in steps. A vector of zeros, which points nowhere, stays one. */
function rounded(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (!Number.isFinite(length)) throw new Error('a vector has a value that is no number');
  return length === 0 ? vector : vector.map((value) => Math.round((value / length) * STEPS) / STEPS);
}

const vectorText = (vector: Float32Array): string => `{${vector.join(',')}}`;

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
