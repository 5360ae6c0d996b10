import assert from 'node:assert/strict';
import test from 'node:test';
import { SIEVE_HEADS, Sieve } from '../../../../engine/sieve/index.js';
import { naiveScore } from '../../../reference/sieve.js';
import { seededRandom } from '../../../support/random.js';

const random = seededRandom(5);
const names = Array.from({ length: 60 }, (_, i) => `feature ${i}`);
const weights = Object.fromEntries(
  names.map((name) => [name, SIEVE_HEADS.map(() => Math.round((random() - 0.5) * 4_000))]),
);
const model = { name: 'made up', weights };

test('a score is that of the two regressions, and each head sums to 1', () => {
  const sieve = new Sieve(model);
  for (let run = 0; run < 200; run++) {
    const features = Array.from({ length: 1 + Math.floor(random() * 30) }, () => names[Math.floor(random() * 60)]!);
    const score = sieve.score([...features, 'a feature that the model does not know']);
    const expected = naiveScore(model, features);
    for (const head of SIEVE_HEADS) assert.ok(Math.abs(score[head] - expected[head]) < 1e-12, head);
    assert.ok(Math.abs(score.no_trades + score.losing + score.wash + score.winning - 1) < 1e-12);
    assert.deepEqual(sieve.score(features.toReversed()), score, 'in any order, to the last bit');
  }
});
