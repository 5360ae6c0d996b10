import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { sql } from 'kysely';
import { VectorIndex } from '../../../../service/assistant/vector-index.js';
import type { Database } from '../../../../service/state/index.js';
import type { Declare } from '../../../support/backends.js';
import { seededRandom } from '../../../support/random.js';

const random = seededRandom(7);
const randomVector = (length: number): Float32Array => Float32Array.from({ length }, () => random() - 0.5);
const seedingOf = (count: number, length: number) => Array.from({ length: count }, () => randomVector(length));

/** What an index of vectors must do, whoever ranks. Each test works with its own seedings. */
export function vectorIndexContract(name: string, open: () => Promise<Database>, alike: Declare): void {
  type Check = (title: string, run: (index: VectorIndex, db: Database) => Promise<void>) => void;
  const declared =
    (declare: Declare): Check =>
    (title, run) =>
      declare(`vectors, ${name}: ${title}`, async () => {
        const db = await open();
        await run(new VectorIndex(db), db);
      });
  const [check, checkBoth] = [declared(alike), declared(test)];

  test(`vectors, ${name}: pgvector ranks where the database offers it`, async (t) => {
    const db = await open();
    const offered = await sql`select from pg_available_extensions where name = 'vector'`.execute(db);
    if (offered.rows.length === 0) {
      t.skip('the database offers no pgvector');
      return;
    }
    const seeding = randomUUID();
    const index = new VectorIndex(db);
    await index.seed(seeding, seedingOf(3, 4), false);
    assert.equal((await index.nearest(seeding, randomVector(4), 9)).length, 3);
    const ranked = await sql`select from passage_nearness where seeding_id = ${seeding}`.execute(db);
    assert.equal(ranked.rows.length, 3, 'pgvector has its view of the vectors');
  });

  check('the nearest in direction come first, equal ones by place', async (index) => {
    const seeding = randomUUID();
    const vectors = [
      [0, 3],
      [1, 1],
      [2, 2],
      [-1, 0],
      [5, 0.01],
    ].map((values) => Float32Array.from(values));
    await index.seed(seeding, vectors, false);
    assert.deepEqual(await index.nearest(seeding, Float32Array.from([1, 0]), 9), [4, 1, 2, 0, 3]);
    assert.deepEqual(await index.nearest(seeding, Float32Array.from([0, 0.1]), 1), [0]);
    assert.deepEqual(await index.nearest(randomUUID(), Float32Array.from([1, 0]), 9), []);
    await assert.rejects(index.nearest(seeding, Float32Array.from([1, NaN]), 1), /no number/);
  });

  checkBoth('the database and the process rank alike, to the last place', async (index, db) => {
    const here = new VectorIndex(db, false);
    for (const [count, length] of [
      [300, 512],
      [300, 3],
      [60, 3_072],
    ] as const) {
      const seeding = randomUUID();
      await index.seed(seeding, seedingOf(count, length), false);
      for (let i = 0; i < 5; i++) {
        const asked = randomVector(length);
        const places = await index.nearest(seeding, asked, count);
        assert.equal(new Set(places).size, count);
        assert.deepEqual(await here.nearest(seeding, asked, count), places);
      }
    }
  });

  check('a known seeding stays, one older one is kept, and a refresh clears all', async (index, db) => {
    const ids = Array.from({ length: 4 }, () => randomUUID());
    const sizes = async () => {
      const fresh = new VectorIndex(db); // remembers nothing
      return Promise.all(ids.map(async (id) => (await fresh.nearest(id, randomVector(4), 99)).length));
    };
    for (const [i, id] of ids.entries()) await index.seed(id, seedingOf(5 + i, 4), false);
    assert.deepEqual(await sizes(), [0, 0, 7, 8]);
    await index.seed(ids[3] ?? '', seedingOf(2, 4), false);
    assert.deepEqual(await sizes(), [0, 0, 7, 8]);
    await index.seed(ids[3] ?? '', seedingOf(2, 4), true);
    assert.deepEqual(await sizes(), [0, 0, 0, 2]);
  });

  checkBoth('readers during refreshes see all vectors of one seeding, and calls take turns', async (index, db) => {
    const seeding = randomUUID();
    const [before, after] = [seedingOf(250, 8), seedingOf(400, 8)];
    await index.seed(seeding, before, true);
    let isOver = false;
    const seen = new Set<number>();
    const read = async () => {
      while (!isOver) seen.add((await new VectorIndex(db).nearest(seeding, randomVector(8), 1_000)).length);
    };
    const readers = [read(), read(), read()];
    for (let i = 0; i < 4; i++) {
      await Promise.all([index.seed(seeding, after, true), index.seed(seeding, before, true)]);
    }
    isOver = true;
    await Promise.all(readers);
    assert.ok(
      [...seen].every((count) => count === before.length || count === after.length),
      [...seen].join(),
    );
  });
}
