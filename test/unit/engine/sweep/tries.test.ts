import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { countTries, joinTries, TRIES_KEPT } from '../../../../engine/sweep/index.js';

const hashOf = (n: number) => createHash('sha256').update(String(n)).digest('hex').slice(0, 16);
const hashes = (from: number, to: number) => Array.from({ length: to - from }, (_, k) => hashOf(from + k));

test('few tries are counted exactly, each once', () => {
  assert.equal(countTries(joinTries()), 0);
  assert.equal(countTries(joinTries(hashes(0, 100), hashes(50, 120))), 120);
  assert.equal(countTries(joinTries(hashes(0, TRIES_KEPT - 1))), TRIES_KEPT - 1);
});

test('many tries are counted to a few percent, in bounded room and in any order', () => {
  for (const count of [5_000, 60_000]) {
    const all = hashes(0, count);
    const joined = joinTries(all);
    assert.equal(joined.length, TRIES_KEPT);
    assert.ok(Math.abs(countTries(joined) / count - 1) < 0.06, `${countTries(joined)} of ${count}`);
    const third = Math.floor(count / 3);
    const parts = [all.slice(third), all.slice(0, 2 * third)].map((part) => joinTries(part));
    assert.deepEqual(joinTries(...parts, joined), joined);
  }
});

test('what is no identity counts for nothing', () => {
  assert.deepEqual(joinTries(['', 'x', 'ABCDEF0123456789', `${hashOf(1)}0`, hashOf(1).slice(1)]), []);
});
