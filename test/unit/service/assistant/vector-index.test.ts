import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { VectorIndex } from '../../../../service/assistant/vector-index.js';
import type { State } from '../../../../service/state/index.js';
import { onEachStore } from '../../../support/backends.js';
import { seededRandom } from '../../../support/random.js';

const random = seededRandom(7);
const randomVector = (length: number): Float32Array => Float32Array.from({ length }, () => random() - 0.5);
const seedingOf = (count: number, length: number) => Array.from({ length: count }, () => randomVector(length));

const indexIn = ({ db }: State) => ({ index: new VectorIndex(db), db });

/** Whoever ranks. They share a store: each test works with its own seedings. */
onEachStore('vectors', indexIn, (check, checkBoth) => {
  check('the nearest in direction come first, equal ones by place', async ({ index }) => {
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

  checkBoth('the database and the process rank alike, to the last place', async ({ index, db }) => {
    const here = new VectorIndex(db, false);
    for (const [count, length] of [
      [100, 512],
      [300, 3],
      [20, 3_072],
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

  check('a known seeding stays, one older one is kept, and a refresh clears all', async ({ index, db }) => {
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
});
