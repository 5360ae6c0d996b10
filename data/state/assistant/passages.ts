import { sql } from 'kysely';
import type { Database } from '../open-state.js';

/** A passage of the documentation with its vector. */
export interface StoredPassage {
  readonly source: string;
  readonly title: string;
  readonly text: string;
  /** Little-endian 32-bit floats. */
  readonly vector: Uint8Array;
}

const ROWS_AT_ONCE = 200;

/** The passages that the assistant looks up. Readers see all of one seeding or all of another. */
export class SqlPassageStore {
  constructor(private readonly db: Database) {}

  /** Id of the seeding that the passages are of; null before the first. */
  async seeding(): Promise<string | null> {
    const row = await this.db.selectFrom('passage_seedings').select('id').executeTakeFirst();
    return row?.id ?? null;
  }

  /** All passages, in their order, with the seeding that they are of. */
  async all(): Promise<{ readonly id: string | null; readonly passages: StoredPassage[] }> {
    const rows = await this.db
      .selectFrom('passages')
      .innerJoin('passage_seedings', 'passage_seedings.id', 'passages.seeding_id')
      .select(['passage_seedings.id', 'source', 'title', 'text', 'vector'])
      .orderBy('place')
      .execute();
    return { id: rows[0]?.id ?? null, passages: rows };
  }

  /**
   * Clears the passages and adds others. Calls take turns.
   * @param unlessSeeded leaves the passages alone if there are some
   */
  async seed(id: string, passages: readonly StoredPassage[], unlessSeeded: boolean): Promise<void> {
    await this.db.transaction().execute(async (open) => {
      await sql`lock table passage_seedings in exclusive mode`.execute(open);
      const had = await open.selectFrom('passage_seedings').select('id').executeTakeFirst();
      if (unlessSeeded && had !== undefined) return;
      await open.deleteFrom('passages').execute();
      await open.deleteFrom('passage_seedings').execute();
      await open.insertInto('passage_seedings').values({ id }).execute();
      for (let from = 0; from < passages.length; from += ROWS_AT_ONCE) {
        const rows = passages.slice(from, from + ROWS_AT_ONCE);
        await open
          .insertInto('passages')
          .values(rows.map((passage, i) => ({ ...passage, seeding_id: id, place: from + i })))
          .execute();
      }
    });
  }
}
