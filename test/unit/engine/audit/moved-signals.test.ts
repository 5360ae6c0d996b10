import assert from 'node:assert/strict';
import { test } from 'node:test';
import { laterColumn, laterMask, rotatedColumn, rotatedMask } from '../../../../engine/audit/index.js';
import { createMask, getBit, setBit } from '../../../../engine/series/index.js';

const maskOf = (...bars: readonly number[]) => {
  const mask = createMask(70);
  for (const bar of bars) setBit(mask, bar);
  return mask;
};
const barsOf = (mask: ReturnType<typeof createMask>) =>
  Array.from({ length: 70 }, (_, bar) => bar).filter((bar) => getBit(mask, bar));

test('later signals come one bar later, and the last is lost', () => {
  assert.deepEqual(barsOf(laterMask(maskOf(0, 31, 69), 70)), [1, 32]);
  assert.deepEqual([...laterColumn(Float64Array.of(1, 2, 3))], [NaN, 1, 2]);
  assert.deepEqual([...laterColumn(new Float64Array())], []);
});

test('rotated signals keep their number and their rows; bars of history stay', () => {
  const mask = maskOf(3, 10, 11, 69);
  assert.deepEqual(barsOf(rotatedMask(mask, 70, 10, 2)), [3, 11, 12, 13]);
  assert.deepEqual(barsOf(rotatedMask(mask, 70, 10, 60)), barsOf(mask), 'a whole turn changes nothing');
  assert.deepEqual(barsOf(rotatedMask(mask, 70, 10, 1_202)), [3, 11, 12, 13]);
  assert.deepEqual([...rotatedColumn(Float64Array.of(9, 1, 2, 3), 1, 1)], [9, 3, 1, 2]);
});
