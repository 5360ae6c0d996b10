/**
 * Runs that are ranked in memory, right after a sweep, and runs that SQL ranks by their rows: the
 * same leader, counts and values, whatever figures are null, equal, or a ratio of a gain to no risk.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  bestFirst,
  hasTraded,
  mayLead,
  openSweepFolder,
  queryResults,
  RETURNS_COLUMN,
  readRuns,
  statedColumn,
  triedIn,
} from '../../data/sweeps/index.js';
import { type MetricName, metricNames } from '../../engine/metrics/index.js';
import { RunTable, type SweepDataset } from '../../engine/sweep/index.js';
import { seededRandom } from '../support/random.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const RUNS = 400;
const PERIODS = 3;
const datasetOn = (asset: string): SweepDataset => ({
  ...{ asset, timeframe: '1d', file: '', hash: `hash of ${asset}`, rows: 10, columns: [], added: {} },
  ...{ start_date: '2024-01-01', end_date: '2024-01-10' },
});
const datasets = ['AAA', 'BBB', 'CCC'].map(datasetOn);
const ranked: readonly MetricName[] = ['sharpe_ratio', 'max_drawdown', 'calmar_ratio', 'profit_factor', 'win_rate'];

test('runs are ranked in memory as SQL ranks their rows', async () => {
  const random = seededRandom(7);
  const pick = <T>(...values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const figureOf = (name: MetricName): number => {
    if (name === 'total_trades') return pick(0, 29, 30, 31);
    const some = pick(0, 0, 0.5, -0.5, random() - 0.5);
    return name === 'total_return' ? some : pick(some, some, Number.NaN); // which every run has
  };
  const runs = Array.from({ length: RUNS }, (_, run) => ({
    ...{ run, dataset: Math.floor((run * 2) / RUNS), hasTraded: random() < 0.8 }, // none on the last dataset
    configHash: Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')
      .repeat(2),
    returns: Float32Array.from({ length: PERIODS }, () => random()),
    figures: new Map(metricNames.map((name) => [name, figureOf(name)])),
  }));
  const metricOf = (run: (typeof runs)[number], name: MetricName): number => run.figures.get(name) ?? Number.NaN;
  const folder = openSweepFolder(join(temporaryFolder('run-table'), 'sweep'));
  await folder.writeRecord({ experiment_id: 'x', datasets });
  const text = (name: string, of: (run: (typeof runs)[number]) => string) => ({
    ...{ name, type: 'text' as const },
    values: runs.map(of),
  });
  const datasetOf = ({ dataset }: { readonly dataset: number }) => datasets[dataset] as SweepDataset;
  const columns = [
    text('experiment_id', () => 'x'),
    { name: 'run_index', type: 'integer' as const, values: runs.map(({ run }) => run) },
    text('config_hash', ({ configHash }) => configHash),
    text('status', ({ hasTraded }) => (hasTraded ? 'ok' : 'no_trades')),
    text('asset', (run) => datasetOf(run).asset),
    text('timeframe', (run) => datasetOf(run).timeframe),
    text('data_file_hash', (run) => datasetOf(run).hash),
    text('start_date', (run) => datasetOf(run).start_date),
    text('end_date', (run) => datasetOf(run).end_date),
    ...metricNames.map((name) => ({
      ...{ name, type: 'double' as const },
      values: Float64Array.from(runs, (run) => metricOf(run, name)),
    })),
    {
      ...{ name: RETURNS_COLUMN, type: 'bytes' as const },
      values: runs.map(({ hasTraded, returns }) => (hasTraded ? new Uint8Array(returns.buffer) : null)),
    },
  ];
  const order = columns.map(({ name }) => name);
  await folder.writePart(0, RUNS, { columns, shared: { rowOf: new Int32Array(RUNS), columns: [] }, order, dates: [] });

  for (const by of ranked) {
    for (const minTrades of [0, 30, 1_000]) {
      const { rows } = await queryResults(
        [folder.path],
        `SELECT run_index, ${statedColumn(by)}, total_trades, count(*) OVER own,
           count(*) FILTER (${mayLead({ by, minTrades })}) OVER own, count(*) FILTER (total_return > 0) OVER own
         FROM results WHERE ${hasTraded} WINDOW own AS (PARTITION BY asset)
         QUALIFY row_number() OVER (PARTITION BY asset ORDER BY ${bestFirst({ by, minTrades })}) = 1 ORDER BY asset`,
      );
      const kept = new RunTable(by, RUNS);
      for (const one of runs) if (one.hasTraded) kept.add(one, (name) => metricOf(one, name));
      const read = await readRuns(folder.path, { totalRuns: RUNS, datasets }, by);
      for (const table of [kept, read]) {
        const leaders = [...table.leaders(minTrades, { isJudged: false })].sort(([a], [b]) => a - b);
        const found = leaders.map(([, led]) => [
          led.run,
          led.value,
          led.trades,
          led.count,
          led.eligible,
          led.profitable,
        ]);
        assert.deepEqual(found, rows, `${by} ${minTrades}`);
      }
      assert.deepEqual(kept.trials(0), read.trials(0));
      assert.deepEqual(
        kept.trials(1).runs,
        runs.filter((run) => run.hasTraded && run.dataset === 1).map(({ run }) => run),
      );
    }
  }
  const table = await readRuns(folder.path, { totalRuns: RUNS, datasets }, 'sharpe_ratio');
  const tried = await triedIn(folder.path);
  for (const [place, { asset }] of datasets.entries()) {
    assert.deepEqual(
      table.tried((dataset) => dataset === place),
      tried.get(asset)?.toSorted() ?? [],
    );
  }
  const wanted = new Set(runs.filter(({ run }) => run % 7 === 0).map(({ configHash }) => configHash));
  const expected = runs
    .filter(({ configHash, hasTraded }) => hasTraded && wanted.has(configHash))
    .map(({ run }) => run);
  assert.deepEqual(table.find(wanted), expected);
  const { neighbours, mean } = table.plateau(expected);
  const [[count, average] = []] = (
    await queryResults(
      [folder.path],
      `SELECT count(*), avg(${statedColumn('sharpe_ratio')}) FROM results WHERE ${hasTraded} AND run_index IN (${expected.join(', ')})`,
    )
  ).rows;
  assert.equal(neighbours, count);
  assert.ok(Math.abs((mean ?? Number.NaN) - Number(average)) < 1e-12, `${mean} ${average}`);
});

test('rows without returns, which an older version wrote, are refused where a run traded', async () => {
  for (const status of ['ok', 'no_trades']) {
    const folder = openSweepFolder(join(temporaryFolder('older-rows'), 'sweep'));
    await folder.writeRecord({ experiment_id: 'x', datasets });
    const { asset, timeframe, hash, start_date, end_date } = datasets[0] as SweepDataset;
    const texts = { asset, timeframe, data_file_hash: hash, start_date, end_date, status, config_hash: '0'.repeat(16) };
    const columns = [
      ...Object.entries(texts).map(([name, value]) => ({ name, type: 'text' as const, values: [value] })),
      ...['run_index', ...metricNames].map((name) => ({ name, type: 'double' as const, values: Float64Array.of(0) })),
    ];
    const order = columns.map(({ name }) => name);
    await folder.writePart(0, 1, { columns, shared: { rowOf: new Int32Array(1), columns: [] }, order, dates: [] });
    const read = readRuns(folder.path, { totalRuns: 1, datasets }, 'sharpe_ratio');
    if (status === 'ok') await assert.rejects(read, /the rows of this sweep hold no returns/);
    else assert.equal((await read).hasTraded(0), false);
  }
});
