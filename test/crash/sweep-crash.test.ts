import assert from 'node:assert/strict';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ResultTable } from '../../data/sweeps/index.js';
import { runCli } from '../support/cli.js';
import { tempFolder } from '../support/data-fixtures.js';
import { seededRandom } from '../support/random.js';
import { fullSoak, runs } from '../support/scale.js';
import {
  comparableRows,
  exitOf,
  largestPart,
  rowIndices,
  rowsOnDisk,
  startCounted,
  startSweep,
  storeLongBars,
  untilRows,
} from '../support/sweep-process.js';
import { crossSweep, filter, trigger } from '../support/sweeps.js';

const THREADS = '2';

const windows = (slowMax: number, filterMax: number) => ({
  triggers: [
    trigger('sma_cross_up', {
      window_fast: { min: 3, max: runs(6, 28), step: 1 },
      window_slow: { min: 20, max: slowMax, step: 2 },
    }),
  ],
  filters: [filter('is_above_sma', { window: { min: 20, max: filterMax, step: 20 } })],
});
/** On the bundled hours of BTC. */
const plan = crossSweep({ datasets: [{ asset: 'BTC', timeframe: '1h' }], entry_signals: windows(50, 80) });
/** Heavy enough to be killed many times: the full soak takes a minute or more on an idle machine. */
const heavyPlan = fullSoak
  ? crossSweep({ datasets: [{ asset: 'LONG', timeframe: '1m' }], entry_signals: windows(150, 200) })
  : plan;

async function setUp(t: TestContext) {
  const folder = tempFolder(t);
  const planFile = join(folder, 'plan.json');
  await writeFile(planFile, JSON.stringify(plan));
  const sweep = (name: string, args: readonly string[], env = {}) => {
    const child = startSweep([...args, '--workers', THREADS, '--out', join(folder, name)], join(folder, 'home'), env);
    t.after(() => child.kill('SIGKILL'));
    return child;
  };
  return { folder, planFile, sweep };
}

const indices = ({ columns, rows }: ResultTable) => rows.map((row) => row[columns.indexOf('run_index')]);

test('a sweep killed repeatedly at announced moments has every row once, equal to an undisturbed one', async (t) => {
  const { folder, planFile, sweep } = await setUp(t);
  if (fullSoak) await storeLongBars(join(folder, 'home'));
  await writeFile(planFile, JSON.stringify(heavyPlan));
  const start = performance.now();
  assert.equal(await exitOf(sweep('calm', [planFile])), 0);
  const seconds = (performance.now() - start) / 1_000;
  const calm = await comparableRows(join(folder, 'calm'));
  const total = calm.rows.length;
  assert.deepEqual(
    indices(calm),
    Array.from({ length: total }, (_, i) => i),
  );

  const random = seededRandom(9);
  const moments = Array.from({ length: runs(2, 50) }, () => Math.floor(random() * total)).sort((a, b) => a - b);
  t.diagnostic(`${total} runs in ${seconds.toFixed(0)} s; to be killed when these have rows: ${moments.join(', ')}`);
  const killed = join(folder, 'killed');
  const runsFile = join(folder, 'runs');
  const counted = (plan: string) => {
    const child = startCounted(killed, plan, THREADS, join(folder, 'home'), runsFile);
    t.after(() => child.kill('SIGKILL'));
    return child;
  };
  let kills = 0;
  let chunk = 0;
  for (const moment of moments) {
    const isFirst = rowsOnDisk(killed) === 0 && kills === 0;
    const child = counted(isFirst ? planFile : '--resume');
    await untilRows(child, killed, Math.max(moment, 1));
    child.kill('SIGKILL');
    await exitOf(child);
    if (child.signalCode === 'SIGKILL') kills++;
    const rows = await rowIndices(killed);
    assert.equal(new Set(rows).size, rows.length, 'no run has two rows');
    assert.equal(rows.length, rowsOnDisk(killed));
    chunk = Math.max(chunk, largestPart(killed));
  }
  assert.ok(kills >= Math.floor(moments.length / 2), `${kills} processes were killed at work`);
  assert.equal(await exitOf(counted('--resume')), 0);
  assert.deepEqual(await comparableRows(killed), calm);

  const again = (await stat(runsFile)).size - total;
  t.diagnostic(`${kills} kills; ${again} runs were done again, chunks of up to ${chunk}`);
  assert.ok(again <= kills * Number(THREADS) * chunk, `${again} runs were done again`);
});

test('Ctrl-C leaves a sweep that can be resumed, and says how', async (t) => {
  const { folder, planFile, sweep } = await setUp(t);
  const out = join(folder, 'stopped');
  const child = sweep('stopped', [planFile]);
  await untilRows(child, out, 1);
  child.kill('SIGINT');
  assert.equal(await exitOf(child), 130);
  const done = rowsOnDisk(out);
  assert.ok(done > 0);
  const again = await runCli(['sweep', '--resume', '--out', out, '--json'], { home: join(folder, 'home') });
  assert.equal(again.code, 0, again.stderr);
  const outcome = JSON.parse(again.stdout) as { completed_runs: number; total_runs: number };
  assert.equal(outcome.completed_runs, outcome.total_runs);
  assert.ok(outcome.total_runs > done);
});

test('a sweep belongs to one process at a time, and its folder to one sweep', async (t) => {
  const { folder, planFile, sweep } = await setUp(t);
  const out = join(folder, 'shared');
  const child = sweep('shared', [planFile]);
  await untilRows(child, out, 1);
  child.kill('SIGSTOP'); // alive, and still running when the second one asks
  const home = join(folder, 'home');
  const second = await runCli(['sweep', '--resume', '--out', out], { home });
  assert.equal(second.code, 2);
  assert.match(second.stderr, /is running the same sweep/);
  const other = await runCli(['sweep', planFile, '--out', out], { home });
  assert.equal(other.code, 2);
  assert.match(other.stderr, /already has a sweep/);
});
