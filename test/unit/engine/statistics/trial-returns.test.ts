import assert from 'node:assert/strict';
import test from 'node:test';
import { returnPeriods } from '../../../../engine/statistics/index.js';

test('days are periods of their own up to 256 days, and are joined evenly beyond', () => {
  const of = (days: number) => Object.values(returnPeriods(days));
  assert.deepEqual(of(0), [0, 1]);
  assert.deepEqual(of(1), [1, 1]);
  assert.deepEqual(of(256), [256, 1]);
  assert.deepEqual(of(257), [129, 2]);
  assert.deepEqual(of(2_900), [242, 12]);
  for (let days = 1; days < 5_000; days += 7) {
    const { count, daysEach } = returnPeriods(days);
    assert.ok(count <= 256 && count * daysEach >= days && (count - 1) * daysEach < days);
  }
});
