import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { tempFolder } from '../support/data-fixtures.js';
import { residentMb, noResidentMemory as skip } from '../support/resident-memory.js';
import { soak } from '../support/scale.js';
import { rowsOnDisk } from '../support/sweep-process.js';
import { crossSweep, filter, trigger } from '../support/sweeps.js';
import { root } from '../support/tree.js';

const SLOW_WINDOWS = 150;
const RUNS = 20 * SLOW_WINDOWS * 10 * 2;
const RESIDENT_MB_MAX = 500;
const GROWTH_MB_MAX = 2; // per 1,000 runs
/** Before that the heaps of the threads still grow to their size. */
const WARM_RUNS = 20_000;

const plan = crossSweep({
  datasets: [{ asset: 'BTC', timeframe: '4h' }],
  entry_signals: {
    triggers: [
      trigger('sma_cross_up', {
        window_fast: { min: 3, max: 22, step: 1 },
        window_slow: { min: 25, max: 24 + SLOW_WINDOWS, step: 1 },
      }),
    ],
    filters: [filter('is_above_sma', { window: { min: 20, max: 200, step: 20 } })],
  },
});

const command = join(root, 'dist', 'cli', 'main.js');

test(`a sweep of ${RUNS} runs stays within ${RESIDENT_MB_MAX} MB and hardly grows`, {
  skip: skip || (soak ? false : 'a soak runs it'),
}, async (t) => {
  const folder = tempFolder(t);
  const planFile = join(folder, 'plan.json');
  const out = join(folder, 'out');
  await writeFile(planFile, JSON.stringify(plan));
  assert.ok(existsSync(command), 'needs the compiled code (npm run build): a loader takes memory of its own');
  const child = spawn(process.execPath, [command, 'sweep', planFile, '--workers', '2', '--out', out], {
    stdio: 'ignore',
    env: { ...process.env, NODE_OPTIONS: '', BARLINE_HOME: join(folder, 'home') },
  });
  t.after(() => child.kill('SIGKILL'));
  const samples: { readonly runs: number; readonly mb: number }[] = [];
  while (child.exitCode === null && child.signalCode === null) {
    const done = rowsOnDisk(out);
    const mb = residentMb(child.pid!);
    if (mb > 0) samples.push({ runs: done, mb });
    await sleep(20);
  }
  assert.equal(child.exitCode, 0);
  assert.equal(rowsOnDisk(out), RUNS);
  const largest = Math.max(...samples.map(({ mb }) => mb));
  const warm = samples.filter(({ runs }) => runs >= WARM_RUNS && runs < RUNS);
  assert.ok(warm.length > 10, `${warm.length} samples after warm-up`);
  const growth = slope(warm) * 1_000;
  t.diagnostic(`${largest.toFixed(0)} MB at most, ${growth.toFixed(2)} MB more per 1,000 runs after warm-up`);
  assert.ok(largest <= RESIDENT_MB_MAX, `${largest} MB`);
  assert.ok(growth <= GROWTH_MB_MAX, `${growth} MB per 1,000 runs`);
});

/** Slope of the least-squares line through the samples, MB per run. */
function slope(samples: readonly { readonly runs: number; readonly mb: number }[]): number {
  const mean = (of: (sample: { runs: number; mb: number }) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [centre, mb] = [mean((one) => one.runs), mean((one) => one.mb)];
  const rise = samples.reduce((sum, one) => sum + (one.runs - centre) * (one.mb - mb), 0);
  return rise / samples.reduce((sum, one) => sum + (one.runs - centre) ** 2, 0);
}
