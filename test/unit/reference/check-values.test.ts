import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkValues, golden } from '../../support/check-values.js';

test('the stored bars are those of the integer generator', () => {
  const { seed, multiplier, modulus, bars } = golden.generator;
  const { open: O, high: H, low: L, close: C, volume: V } = golden.bars;
  let state = seed;
  const next = () => {
    state = (state * multiplier) % modulus;
    return state;
  };
  let previous = 10_000;
  for (let i = 0; i < bars; i++) {
    const close = previous + (next() % 401) - 200;
    const high = Math.max(previous, close) + (next() % 120);
    const low = Math.min(previous, close) - (next() % 120);
    const volume = 100 + (next() % 900);
    assert.deepEqual([O[i], H[i], L[i], C[i], V[i]], [previous / 100, high / 100, low / 100, close / 100, volume]);
    previous = close;
  }
  assert.deepEqual([O[0], H[0], L[0], C[0], V[0]], [100, 101.03, 98.45, 99.34, 543]);
  assert.deepEqual([O[119], H[119], L[119], C[119], V[119]], [72.19, 73.29, 70.58, 70.73, 917]);
});

for (const { series, params, first, value, naive } of checkValues) {
  test(`${series}(${params.join(', ')})`, () => {
    const line = naive();
    assert.equal(line.length, 120);
    assert.equal(
      line.findIndex((entry) => !Number.isNaN(entry)),
      first,
      'first defined bar',
    );
    assert.ok(!line.slice(first).some(Number.isNaN), 'no gap afterwards');
    const off = Math.abs(line[119] - value);
    assert.ok(off <= 1e-8 * Math.abs(value), `${line[119]} instead of ${value}`);
  });
}
