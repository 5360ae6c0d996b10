import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openBars } from '../../data/bars/index.js';
import { openSweepFolder } from '../../data/sweeps/index.js';
import type { TableColumn } from '../../data/tables/index.js';
import { metricNames } from '../../engine/metrics/index.js';
import { assessSweep, runSweep, type SweepProgress } from '../../research/sweep/index.js';
import type { ChunkResult, SweepSetup } from '../../workers/index.js';
import { jsonOf, runCli, runCliBatch } from '../support/cli.js';
import { tempFolder } from '../support/data-fixtures.js';
import { comparableRows, exitOf, rowsOnDisk, startSweep, untilRows } from '../support/sweep-process.js';
import { type ChunkOptions, runChunks, setupFor } from '../support/sweep-setup.js';
import { filter, planOf, trigger } from '../support/sweeps.js';
import { moduleUrl, root } from '../support/tree.js';

const range = (min: number, max: number, step = 1) => ({ min, max, step });
const searchOf = (datasets: readonly object[], tpe: object) => ({
  name: 'search',
  search_mode: 'tpe',
  tpe,
  datasets,
  entry_signals: {
    triggers: ['sma_cross_up', 'ema_cross_up'].map((name) =>
      trigger(name, { window_fast: range(3, 20), window_slow: range(10, 60) }),
    ),
    filters: [filter('is_above_sma', { window: range(10, 100, 5) }), filter('is_above_dema', { window: range(5, 60) })],
  },
  execution_config: {
    base: { fee_pct: 0.001, slippage_pct: 0.0005 },
    sweep_axes: [{ param: 'reward_factor', ...range(1, 4, 0.5) }],
  },
});

const sweep = searchOf(
  [
    { asset: 'ETH', timeframe: '1d' },
    { asset: 'BTC', timeframe: '1d' },
  ],
  { trials: 60, startup_trials: 40, batch: 10, metric: 'total_return' },
);

/** Runs and resumes sweeps in folders of this test. */
function setUp(t: TestContext) {
  const home = tempFolder(t);
  const services = { store: openBars({ home, sampleDir: join(root, 'sample') }), engineVersion: '0.0.0-test' };
  const stop = new Int32Array(new SharedArrayBuffer(4));
  return {
    home,
    run: (name: string, threads: number, stopAt = Infinity) => {
      Atomics.store(stop, 0, 0);
      const folder = join(home, name);
      const onProgress = ({ done }: SweepProgress) => {
        if (done >= stopAt) Atomics.store(stop, 0, 1);
      };
      return runSweep(
        {
          ...{ sweep, folder, threads, stop, onProgress },
          experimentId: 'exp_test',
          isResumed: rowsOnDisk(folder) > 0,
        },
        services,
      );
    },
  };
}

test('one, two and four threads give the same rows, even where a search stopped inside a batch', async (t) => {
  const { home, run } = setUp(t);
  const outcome = await run('one', 1);
  assert.deepEqual([outcome.done, outcome.total], [120, 120]);
  const one = await comparableRows(join(home, 'one'));
  await run('two', 2);
  assert.deepEqual(await comparableRows(join(home, 'two')), one);
  const stopped = await run('four', 1, 1);
  assert.ok(stopped.done > 0 && stopped.done < 40, `${stopped.done} runs, the first batch is not done`);
  const resumed = await run('four', 4);
  assert.equal(resumed.done, 120);
  assert.deepEqual(await comparableRows(join(home, 'four')), one);

  // A finished search that is opened again also knows its runs.
  const { prepared } = await run('four', 1);
  const honesty = await assessSweep(prepared, join(home, 'four'), 'total_return');
  const column = (name: string) => one.rows.map((row) => row[one.columns.indexOf(name)]);
  const traded = column('status').filter((status) => status === 'ok');
  assert.equal(honesty[0]!.trialCount + honesty[1]!.trialCount, traded.length, 'every trial counts');
  const rows = (type: 'integer' | 'text' | 'double', name: string, of: (i: number) => string | number) =>
    ({ name, type, values: Array.from({ length: 120 }, (_, i) => of(i)) }) as TableColumn;
  const columns = [
    rows('integer', 'run_index', (i) => i),
    rows('text', 'config_hash', (i) => (i === 50 ? 'another' : String(column('config_hash')[i]))),
    rows('text', 'status', (i) => String(column('status')[i])),
    rows('double', 'total_return', (i) => Number(column('total_return')[i])),
  ];
  const shared = { rowOf: new Int32Array(120), columns: [{ name: 'asset', type: 'text', values: ['BTC'] }] } as const;
  const order = [...columns.map(({ name }) => name), 'asset'];
  const changed = openSweepFolder(join(home, 'two'));
  await rm(changed.partPath(0, 120));
  await changed.writePart(0, 120, { columns, shared, order, dates: [] });
  await assert.rejects(run('two', 1), /run 50 in .* is not the run that the search proposes/);
});

test('the example search from the command line, killed and resumed, equals an undisturbed one', async (t) => {
  const home = tempFolder(t);
  const [calm, killed] = [join(home, 'calm'), join(home, 'killed')];
  const plan = join('examples', 'sweeps', 'search.json');
  const [run] = await runCliBatch([['sweep', plan, '--workers', '2', '--out', calm, '--top', '3', '--json']], { home });
  const { total_runs, completed_runs, plan_hash, top, honesty } = jsonOf(run) as Record<string, unknown>;
  assert.deepEqual([total_runs, completed_runs], [160, 160]);
  assert.equal((top as unknown[]).length, 3);
  assert.equal((honesty as { plateau: { neighbours: number } }[]).length, 1);

  const child = startSweep([plan, '--workers', '2', '--out', killed], home);
  t.after(() => child.kill('SIGKILL'));
  await untilRows(child, killed, 41); // past the startup trials
  child.kill('SIGKILL');
  await exitOf(child);
  assert.equal(child.signalCode, 'SIGKILL', 'it was at work');
  assert.ok(rowsOnDisk(killed) < 160);
  const resumed = await runCli(['sweep', '--resume', '--workers', '1', '--out', killed, '--json'], { home });
  assert.equal((jsonOf(resumed) as Record<string, unknown>).plan_hash, plan_hash);
  assert.deepEqual(await comparableRows(killed), await comparableRows(calm));
});

test('threads that die in the middle of a search change nothing: their runs run again, then by halves', async () => {
  const json = searchOf([{ asset: 'BTC', timeframe: '1h' }], { trials: 24, startup_trials: 8, batch: 8 });
  const setup = setupFor(json, 300);
  const all = async (more: object, options: Partial<ChunkOptions> = {}) => {
    const plan = planOf(json);
    const search = plan.search!;
    const hashes: string[] = [];
    const metrics: number[][] = [];
    function* batches() {
      for (let batch = search.propose(); batch !== null; batch = search.propose()) {
        assert.equal(hashes.length, batch.from, 'the batch before is done, and nothing beyond');
        yield [batch];
        search.tell(Float64Array.from({ length: batch.to - batch.from }, (_, k) => (batch.from + k * 7) % 5));
      }
    }
    const onChunk = async ({ from, count, ...chunk }: ChunkResult) => {
      for (let k = 0; k < count; k++) {
        hashes[from + k] = chunk.configHashes[k]!;
        metrics[from + k] = [...chunk.metrics.subarray(k * metricNames.length, (k + 1) * metricNames.length)];
      }
    };
    const placesOf = ({ from, to }: { from: number; to: number }) => search.places(from, to);
    await runChunks({
      ...{ setup: { ...setup, ...more }, threads: 2, batches: batches(), placesOf, onChunk },
      ...options,
    });
    return { hashes, metrics };
  };
  const calm = await all({});
  assert.equal(new Set(calm.hashes).size, 24);
  const left = new Int32Array(new SharedArrayBuffer(4)).fill(3);
  const task = moduleUrl('test/support/deadly-task');
  const torn = await all({ deadly: { run: 13, way: 'exit', left } } as Partial<SweepSetup>, { task });
  assert.ok(Atomics.load(left, 0) <= 0, 'three threads died');
  assert.deepEqual(torn, calm);
});
