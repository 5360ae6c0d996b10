import assert from 'node:assert/strict';
import test from 'node:test';
import { NAMES_MAX, WindowCounter } from '../../../../service/access/window-counter.js';
import { collectGarbage } from '../../../support/collect-garbage.js';
import { runs } from '../../../support/scale.js';

test('a window begins with the first event of its name and ends by itself', () => {
  const counter = new WindowCounter(1_000);
  assert.deepEqual(counter.count('a', 0), { count: 1, endsAtMs: 1_000 });
  assert.deepEqual(counter.count('b', 500), { count: 1, endsAtMs: 1_500 });
  assert.deepEqual(counter.count('a', 999), { count: 2, endsAtMs: 1_000 });
  assert.deepEqual(counter.count('a', 1_000), { count: 1, endsAtMs: 2_000 });
  assert.deepEqual(counter.count('b', 1_499), { count: 2, endsAtMs: 1_500 });
  counter.count('c', 10_000);
  assert.equal(counter.size, 1);
});

test('names beyond the bound share counters, so no caller resets its own by naming others', () => {
  const counter = new WindowCounter(1_000, 10, 4);
  for (let i = 0; i < 5; i++) counter.count('early', 0);
  for (let i = 0; i < 10_000; i++) counter.count(`other ${i}`, 1);
  assert.ok(counter.size <= 14, `${counter.size} counters`);
  assert.equal(counter.count('early', 2).count, 6);
  const late = counter.count('late', 2).count;
  assert.ok(late > 1_000, 'it shares a counter with about 2,500 others');
  assert.equal(counter.count('late', 3).count, late + 1);
  assert.equal(counter.count('late', 1_500).count, 1); // every window has ended
});

/** Each kept name would take some 200 bytes. */
const NAMES = runs(250_000, 1_000_000, 1_000_000);

test('names without end take no more memory than the bound', async () => {
  const counter = new WindowCounter(60_000);
  await collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < NAMES; i++)
    counter.count(`2a00:${(i >> 16).toString(16)}:${(i & 65_535).toString(16)}::/64`, i / 1_000);
  await collectGarbage();
  const grownMb = (process.memoryUsage().heapUsed - before) / 2 ** 20;
  assert.ok(grownMb < 20, `the heap grew by ${grownMb.toFixed(1)} MB`);
  assert.ok(counter.size > NAMES_MAX);
});
