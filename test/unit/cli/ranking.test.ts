import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Assessment } from '../../../engine/sweep/index.js';
import { assertRefused, type CliRun, jsonOf, runCliBatch } from '../../support/cli.js';
import { fileOf } from '../../support/data-fixtures.js';
import { crossSweep, filter, trigger } from '../../support/sweeps.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const home = temporaryFolder('cli-ranking');

/** At such costs every run loses. Some trade often, some seldom, and some cannot trade. */
const sweep = (more: object = {}) =>
  crossSweep({
    datasets: [{ asset: 'BTC', timeframe: '1d' }],
    entry_signals: {
      triggers: [trigger('sma_cross_up', { window_fast: { values: [2, 3] }, window_slow: { values: [5, 8] } })],
      filters: [
        filter('is_above_sma', { window: { values: [4] } }),
        filter('rsi_oversold', { threshold: { values: [1, 42, 46] } }),
      ],
    },
    execution_config: { base: { fee_pct: 0.02, slippage_pct: 0.001 } },
    ...more,
  });
const folder = join(home, 'losers');
const plan = await fileOf(home, 'losers.json', JSON.stringify(sweep()));

const resume = ['sweep', '--resume', '--out', folder, '--workers', '1'];
const ranked = [...resume, '--top', '100', '--json'];
const list = ['results', '--sweep', folder];

/** All that the tests ask of this sweep. The commands run in one process, in this order. */
const commands = {
  first: ['sweep', plan, '--out', folder, '--workers', '1', '--json'],
  rows: ['results', 'SELECT * FROM results', '--sweep', folder, '--json'],
  usual: ranked,
  lower: [...ranked, '--min-trades', '16'],
  higher: [...ranked, '--min-trades', '900'],
  listed: [...list, '--by', 'total_fees', '--top', '5', '--json'],
  both: [...list, 'SELECT 1', '--by', 'total_fees'],
};
const done = await runCliBatch(Object.values(commands), { home });
const runOf = (name: string): CliRun => done[Object.keys(commands).indexOf(name)] ?? assert.fail(name);
assert.equal(runOf('first').code, 0, runOf('first').stderr);

type Row = Readonly<Record<string, number>>;
interface Printed {
  readonly top: readonly Row[];
  readonly honesty: readonly Assessment[];
  readonly ranking: object;
}

const printed = (name: string) => jsonOf(runOf(name)) as Printed;
const runsOf = (rows: readonly Row[]) => rows.map(({ run_index }) => run_index);
const rows = jsonOf(runOf('rows')) as Row[];
const traded = rows.filter(({ status }) => String(status) === 'ok');

/** The order by definition: enough trades first, then the metric, then the number of the run. */
const expected = (metric: string, sign: 1 | -1, minTrades: number) => {
  const few = ({ total_trades }: Row) => (total_trades! < minTrades ? 1 : 0);
  return runsOf(
    traded.toSorted((a, b) => few(a) - few(b) || sign * (a[metric]! - b[metric]!) || a.run_index! - b.run_index!),
  );
};

test('a leader needs 30 trades or the number of --min-trades, unless no run has as many', async () => {
  const [usual, lower, higher] = [printed('usual'), printed('lower'), printed('higher')];
  const leaders = [usual, lower, higher].map(({ top }) => top[0]!);
  assert.deepEqual(
    runsOf(leaders),
    [30, 16, 900].map((least) => expected('sharpe_ratio', -1, least)[0]),
  );
  assert.ok(leaders[0]!.total_trades! >= 30 && leaders[1]!.total_trades! < 30);
  for (const [i, { honesty, ranking }] of [usual, lower, higher].entries()) {
    const least = [30, 16, 900][i]!;
    const eligible = traded.filter(({ total_trades }) => total_trades! >= least).length;
    const [{ leader, minTrades, eligibleTrials, trialCount }] = honesty as [Assessment];
    assert.equal(leader.run, leaders[i]!.run_index);
    assert.deepEqual([minTrades, eligibleTrials, trialCount], [least, eligible, traded.length]);
    assert.deepEqual(ranking, { by: 'sharpe_ratio', min_trades: least });
  }
});

test('results ranks the runs of sweeps by the same rule', () => {
  assert.deepEqual(runsOf(jsonOf(runOf('listed')) as Row[]), expected('total_fees', 1, 30).slice(0, 5));
  assertRefused(runOf('both'), /give either a query or --by/);
});
