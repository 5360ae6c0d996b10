import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { HeldOut } from '../../../engine/sweep/index.js';
import { assertRefused, type CliRun, jsonOf, runCli, runCliBatch } from '../../support/cli.js';
import { fileOf } from '../../support/data-fixtures.js';
import { crossSweep, filter, trigger } from '../../support/sweeps.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const home = temporaryFolder('cli-holdout');
const DAYS = 90;

const plan = (more: object) =>
  crossSweep({
    datasets: [{ asset: 'BTC', timeframe: '1d' }],
    entry_signals: {
      triggers: [trigger('sma_cross_up', { window_fast: { values: [2, 3] }, window_slow: { values: [5] } })],
      filters: [filter('is_above_sma', { window: { values: [4] } })],
    },
    ...more,
  });
const planFile = (name: string, more: object) => fileOf(home, name, JSON.stringify(plan(more)));
const held = await planFile('held.json', { holdout: DAYS });
const all = await planFile('all.json', { holdout: 3_650 });
const rule = (name: string, params: object) => ({ name, signal_type: 'TRIGGER', timeframe: '1d', params });
const strategyFile = (name: string, slow: number) =>
  fileOf(
    home,
    `${name}.json`,
    JSON.stringify({
      name,
      asset: 'BTC',
      entry: [rule('sma_cross_up', { window_fast: 2, window_slow: slow })],
      exit: [],
    }),
  );
const leader = await strategyFile('leader', 5);
const second = await strategyFile('second', 8);
const sweepTo = (name: string) => ['--out', join(home, name), '--workers', '1'];
const run = (file: string, ...more: string[]) => ['backtest', '--strategy', file, '--interval', '1d', ...more];

const commands = {
  tooLong: ['sweep', all, ...sweepTo('all')],
  sweep: ['sweep', held, ...sweepTo('held'), '--json'],
  rows: ['results', 'SELECT DISTINCT end_date, data_file_rows FROM results', '--sweep', join(home, 'held'), '--json'],
  list: ['holdout', 'list'],
  json: ['holdout', 'list', '--json'],
  again: ['sweep', held, ...sweepTo('again'), '--json'],
  show: ['holdout', 'show', 'BTC'],
  nothing: ['holdout', 'open', '--strategy', leader, '--asset', 'ETH', '--interval', '1d'],
  windowed: ['holdout', 'open', '--strategy', leader, '--interval', '1d', '--start', '2020-01-01'],
  unrunnable: ['holdout', 'open', '--strategy', leader, '--interval', '1d', '--config', 'fee_pct=7'],
} as const;
const done = await runCliBatch(Object.values(commands), { home });
const of = (name: keyof typeof commands): CliRun => done[Object.keys(commands).indexOf(name)] ?? assert.fail(name);
const [days] = jsonOf(of('json')) as [HeldOut];
const dayBefore = new Date(Date.parse(days.from) - 1).toISOString().slice(0, 10);
const dayAfter = new Date(Date.parse(days.to) + 86_400_000).toISOString().slice(0, 10);

test('a sweep holds out the last days of its data, and ends before them', () => {
  const { warnings } = jsonOf(of('sweep')) as { warnings: string[] };
  assert.deepEqual(warnings, [
    `the days ${days.from} to ${days.to} of BTC are held out from now on: no run may touch them until barline holdout open`,
  ]);
  const ends = (jsonOf(of('rows')) as { end_date: string; data_file_rows: number }[]).map(({ end_date }) => end_date);
  assert.deepEqual(ends, [dayBefore]);
  assert.equal(Date.parse(days.to) - Date.parse(days.from), (DAYS - 1) * 86_400_000);
  assert.match(of('list').stdout, new RegExp(`^BTC +${days.from} +${days.to} +${DAYS} +\\d{4}-\\d\\d-\\d\\d +-$`, 'm'));
  assert.equal(of('again').code, 0, of('again').stderr);
});

test('what leaves no bars to search is refused before it runs', () => {
  assertRefused(of('tooLong'), /holdout must leave bars to search: the days .* of BTC are all of its bars/);
  assert.ok(!existsSync(join(home, 'all', 'sweep.json')));
});

test('an opening that cannot run opens nothing', () => {
  assert.match(of('show').stdout, /not opened: no run has traded them since/);
  assertRefused(of('nothing'), /no days of ETH are held out: a sweep holds them out by its field holdout/);
  assertRefused(of('windowed'), /start must not be given: the run trades the days/);
  assertRefused(of('unrunnable'), /fee_pct/);
});

const open = (file: string, ...more: string[]) => ['holdout', 'open', '--strategy', file, '--interval', '1d', ...more];

test('after a crash in an opening only the same run can be completed, once; then the days are free', async () => {
  const marker = join(home, 'holdouts', 'BTC', `${days.from}_${days.to}.opened.json`);
  assert.equal((await runCliBatch([open(leader)], { home }))[0]!.code, 0);
  // As a crash between the opening and its result leaves it.
  const opening = JSON.parse(await readFile(marker, 'utf8')) as object;
  await writeFile(marker, JSON.stringify({ ...opening, metrics: null }));

  const [refused, shown] = await runCliBatch([open(second), ['holdout', 'show', 'BTC']], { home });
  assertRefused(refused!, /were opened on 20\S+Z, and can be opened once/);
  assert.match(shown!.stdout, /without a result: only the same run can be completed/);

  const tries = ['tries', '--json'];
  const [before, completed, after, twice, list, free, swept] = await runCliBatch(
    [
      tries,
      open(leader, '--json'),
      tries,
      open(leader),
      ['holdout', 'show', 'BTC'],
      run(second, '--no-record'),
      ['sweep', held, ...sweepTo('later'), '--json'],
    ],
    { home },
  );
  assert.equal(completed!.code, 0, completed!.stderr);
  const result = jsonOf(completed!) as { window: { start: string; end: string }; holdout: HeldOut; metrics: object };
  assert.deepEqual(result.window, { start: `${days.from}T00:00:00Z`, end: `${dayAfter}T00:00:00Z` });
  assert.equal(result.holdout.from, days.from);
  const countOf = (said: CliRun) => (jsonOf(said) as { asset: string; tries: number }[])[0]!.tries;
  assert.ok(countOf(after!) >= countOf(before!), 'the opening counts among the tries');
  assertRefused(twice!, /can be opened once/);
  assert.match(list!.stdout, /total_return .*, sharpe_ratio .*, max_drawdown .*, total_trades \d+/);
  assert.equal(free!.code, 0, 'the days are seen now');
  const { warnings } = jsonOf(swept!) as { warnings: string[] };
  assert.match(
    warnings[0]!,
    /were opened on \d{4}-\d\d-\d\d: the sweep ends before them, but they test nothing any more/,
  );
});

test('of openings at the same time one wins', async () => {
  const own = temporaryFolder('cli-holdout-race');
  await runCliBatch([['sweep', held, '--out', join(own, 'held'), '--workers', '1']], { home: own });
  const both = await Promise.all([leader, second].map((file) => runCli(open(file), { home: own })));
  assert.deepEqual(both.map(({ code }) => code).sort(), [0, 2], both.map(({ stderr }) => stderr).join());
});
