import assert from 'node:assert/strict';
import test from 'node:test';
import { addRepeatedly } from '../../engine/formulas/add-repeatedly.js';
import { seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';

function addOneByOne(sum: number, term: number, count: number): number {
  let total = sum;
  for (let i = 0; i < count; i++) total += term;
  return total;
}

test('adding many times at once gives the bits of adding one by one', () => {
  const random = seededRandom(1);
  for (let round = 0; round < runs(500, 300_000); round++) {
    const sum = random() < 0.1 ? 0 : random() * 2 ** Math.floor(random() * 40 - 20);
    const isTie = random() < 0.2;
    const grid = 2 ** (Math.floor(Math.log2(sum || 1)) - 52);
    const term = isTie
      ? (Math.floor(random() * 2_000) + 0.5) * grid
      : random() ** 8 * 2 ** Math.floor(random() * 60 - 50);
    const count = Math.floor(random() ** 3 * 5_000);
    assert.equal(addRepeatedly(sum, term, count), addOneByOne(sum, term, count), `${sum} + ${count} times ${term}`);
  }
});

test('the smallest and the largest sums and the edges of powers of two give the same bits', () => {
  for (const sum of [0, Number.MIN_VALUE, 2 ** -1022, 1 - 2 ** -53, 1, 2 ** 52, 1e308]) {
    for (const term of [0, Number.MIN_VALUE, 2 ** -1023, 2 ** -54, 2 ** -53, 3 * 2 ** -53, 0.1, 1, 2 ** 51, 1e305]) {
      for (const count of [0, 1, 2, 3, 1_000]) {
        assert.equal(addRepeatedly(sum, term, count), addOneByOne(sum, term, count), `${sum} + ${count} times ${term}`);
      }
    }
  }
});

test('billions of additions in two parts give the same as in one', () => {
  const random = seededRandom(2);
  for (let round = 0; round < runs(150, 30_000); round++) {
    const sum = 2 ** Math.floor(random() * 30 - 15) * (1 + random());
    const term = sum * random() * 2 ** -Math.floor(random() * 45);
    const [first, second] = [1, 2].map(() => Math.floor(random() * 2 ** 33));
    const whole = addRepeatedly(sum, term, first + second);
    assert.equal(addRepeatedly(addRepeatedly(sum, term, first), term, second), whole);
    assert.ok(Math.abs(whole / (sum + (first + second) * term) - 1) < 1e-3 || term < sum * 2 ** -40);
  }
});
