import assert from 'node:assert/strict';
import test from 'node:test';
import { runSweepChunks, type SweepThreads, startThreads } from '../../../workers/index.js';
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
