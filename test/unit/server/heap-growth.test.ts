import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { boundHeapGrowth } from '../../../server/heap-growth.js';
import { collectGarbage } from '../../support/collect-garbage.js';

const ROUNDS = 200;
const OBJECTS_A_ROUND = 20_000;
const OBJECTS_KEPT = 200_000;

const heapMb = (): number => process.memoryUsage().heapUsed / 2 ** 20;

/**
 * The most heap in use, in MB, while objects are kept long enough to grow old before they are
 * dropped.
 */
async function mostInUse(): Promise<{ readonly most: number; readonly alive: number }> {
  await collectGarbage();
  const kept: object[] = [];
  let most = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (let k = 0; k < OBJECTS_A_ROUND; k++) kept.push({ k, round: [round] });
    if (kept.length > OBJECTS_KEPT) kept.splice(0, OBJECTS_A_ROUND);
    most = Math.max(most, heapMb());
    await sleep(1);
  }
  await collectGarbage();
  const alive = heapMb();
  assert.ok(kept.length <= OBJECTS_KEPT); // alive until here
  return { most, alive };
}

/**
 * Node 20 and 22 reach five times what is alive without the bound; Node 24 stays below by itself.
 */
test('with a bound, the heap stays near what is alive in it', async () => {
  const live = Array.from({ length: 400_000 }, (_, i) => ({ i, text: `kept ${i}` }));
  boundHeapGrowth();
  const { most, alive } = await mostInUse();
  assert.ok(most < 3.5 * alive, `at most ${most.toFixed(0)} MB, ${alive.toFixed(0)} MB alive`);
  assert.equal(live.length, 400_000); // alive until here
});
