import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Honesty } from '../../../engine/index.js';
import { assertRefused, jsonOf, runCliBatch } from '../../support/cli.js';
import { fileOf } from '../../support/data-fixtures.js';
import { crossSweep, filter, trigger } from '../../support/sweeps.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const home = temporaryFolder('cli-walk');

const plan = (walk_forward: object) =>
  JSON.stringify(
    crossSweep({
      datasets: [{ asset: 'BTC', timeframe: '1d' }],
      entry_signals: {
        triggers: [trigger('sma_cross_up', { window_fast: { values: [3, 5] }, window_slow: { values: [10, 20] } })],
        filters: [filter('is_above_sma', { window: { values: [20] } })],
      },
      execution_config: { base: { fee_pct: 0.001, slippage_pct: 0.0005 } },
      walk_forward,
    }),
  );

test('a sweep walks forward over bundled bars, with output for programs and for people', async () => {
  const file = await fileOf(
    home,
    'walk.json',
    plan({ mode: 'anchored', train_days: 730, test_days: 365, embargo_days: 7, metric: 'total_return' }),
  );
  const folder = join(home, 'walk');
  const [made, human] = await runCliBatch(
    [
      ['sweep', file, '--out', folder, '--workers', '1', '--json'],
      ['sweep', '--resume', '--out', folder, '--workers', '1'],
    ],
    { home },
  );
  const json = jsonOf(made) as {
    readonly total_runs: number;
    readonly completed_runs: number;
    readonly honesty: readonly Honesty[];
  };
  const { folds, ...all } = json.honesty[0].walkForward!;
  assert.deepEqual([json.total_runs, json.completed_runs], [4 * folds.length, 4 * folds.length]);
  assert.deepEqual(
    folds.map(({ trainFrom }) => trainFrom),
    folds.map(() => folds[0].trainFrom),
  );
  assert.deepEqual(folds[0].testFrom, dayAfter(folds[0].trainTo, 8));
  assert.equal(folds[1].testFrom, dayAfter(folds[0].testTo, 1));

  // Resuming a finished sweep runs nothing and prints the same.
  assert.equal(human.code, 0, human.stderr);
  const { stdout } = human;
  assert.match(
    stdout,
    /^BTC 1d, walk forward: the best of 4 runs of each training window by total_return, on the bars/m,
  );
  assert.match(stdout, /^train +test +run +in sample +out of sample +return +market +drawdown +trades$/m);
  for (const { trainFrom, trainTo, testFrom, testTo, run, outOfSample, trainTrades } of folds) {
    const mark = trainTrades < 30 ? '\\*' : '';
    const windows = `${trainFrom} to ${trainTo}  ${testFrom} to ${testTo} +${run}${mark} .* ${outOfSample!.toFixed(3)} `;
    assert.match(stdout, new RegExp(`^${windows.replaceAll('.', '\\.').replace('\\.*', '.*')}`, 'm'));
  }
  const { trainFrom, trainTo } = folds.at(-1)!;
  assert.match(stdout, new RegExp(`^BTC 1d: Newest training window, ${trainFrom} to ${trainTo}: `, 'm'));
  const growth = `${(100 * all.totalReturn).toFixed(1)} %`;
  const words = stdout.replace(/\s+/g, ' ');
  assert.ok(words.includes(`all test windows in a row return ${growth} with a Sharpe`), stdout);
  assert.ok(words.includes(`of ${folds.length} folds made a profit`), stdout);
});

const dayAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);

test('windows that do not fit the data are refused in one line', async () => {
  const long = await fileOf(home, 'long.json', plan({ mode: 'rolling', train_days: 9_000, test_days: 90 }));
  const [run] = await runCliBatch([['sweep', long, '--out', join(home, 'long')]], { home });
  assertRefused(
    run,
    /BTC 1d: walk_forward needs 9090 whole days \(train_days 9000, embargo_days 0, test_days 90\), the data has \d+$/m,
  );
});
