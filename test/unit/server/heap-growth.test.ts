import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { boundHeapGrowth } from '../../../server/heap-growth.js';
import { collectGarbage } from '../../support/collect-garbage.js';

const ROUNDS = 200;
const OBJECTS_A_ROUND = 20_000;
const OBJECTS_KEPT = 200_000;

/** The most heap in use, in MB, while objects are kept long enough to grow old before they are dropped. */
async function mostInUse(): Promise<number> {
  await collectGarbage();
  const kept: object[] = [];
  let most = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (let k = 0; k < OBJECTS_A_ROUND; k++) kept.push({ k, round: [round] });
    if (kept.length > OBJECTS_KEPT) kept.splice(0, OBJECTS_A_ROUND);
    most = Math.max(most, process.memoryUsage().heapUsed / 2 ** 20);
    await sleep(1);
  }
  return most;
}

test('with a bound, the heap stays near what is alive in it', async () => {
  const live = Array.from({ length: 400_000 }, (_, i) => ({ i, text: `kept ${i}` }));
  const free = await mostInUse();
  boundHeapGrowth();
  const bounded = await mostInUse();
  assert.ok(bounded < 0.75 * free, `${bounded.toFixed(0)} MB with the bound, ${free.toFixed(0)} MB without`);
  assert.equal(live.length, 400_000); // alive until here
});
