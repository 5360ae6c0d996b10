import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import test from 'node:test';
import { readyThreads, runSweepChunks, type SweepThreads, startThreads } from '../../../workers/index.js';
import { collectGarbage } from '../../support/collect-garbage.js';
import { setupFor } from '../../support/sweep-setup.js';
import { crossSweep, filter, trigger } from '../../support/sweeps.js';

const sweep = crossSweep({
  entry_signals: {
    triggers: [trigger('sma_cross_up', { window_fast: { values: [5, 10] }, window_slow: { values: [20] } })],
    filters: [filter('is_above_sma', { window: { values: [50] } })],
  },
}) as { readonly datasets: readonly unknown[] };

const SWEEPS = 5;

/** Runs a sweep; the answer goes with its setup, so it tells whether something still holds that. */
async function runOnce(threads: SweepThreads, experimentId: string): Promise<WeakRef<object>> {
  const setup = setupFor(sweep, 500);
  const named = { ...setup, rows: { ...setup.rows, experimentId } };
  await runSweepChunks({ setup: named, threads, batches: [[{ from: 0, to: 2 }]], onChunk: async () => {} });
  return new WeakRef(named);
}

test('threads that outlive a sweep keep neither its setup nor its bars', async () => {
  const threads = startThreads({ threads: 1 });
  try {
    const setups: WeakRef<object>[] = [];
    for (let k = 0; k < SWEEPS; k++) setups.push(await runOnce(threads, `sweep ${k}`));
    await collectGarbage();
    const held = setups.filter((setup) => setup.deref() !== undefined).length;
    assert.ok(held <= 1, `${held} of ${SWEEPS} sweeps are still in memory; only the last may be`);
  } finally {
    await threads.end();
  }
});

test('several threads are ready before the first chunk, have written nothing, and run it as any other', async () => {
  const setup = setupFor(sweep, 500);
  const threads = startThreads({ threads: 2, threadsAtOnce: 1 });
  try {
    assert.equal(threads.use().threads, 1);
    await readyThreads(setup, threads, 2);
    assert.equal(threads.use().threads, 2);
    assert.deepEqual(readdirSync(setup.rows.folder), []);
    const { count } = await threads.run({ setup, from: 0, to: 2 });
    assert.equal(count, 2);
    assert.deepEqual(readdirSync(setup.rows.folder), ['part-000000000000-000000000002.parquet']);
  } finally {
    await threads.end();
  }
});
