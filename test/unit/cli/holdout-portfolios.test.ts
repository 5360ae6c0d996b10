import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { HeldOut } from '../../../engine/sweep/index.js';
import { assertRefused, type CliRun, jsonOf, runCliBatch } from '../../support/cli.js';
import { fileOf } from '../../support/data-fixtures.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const home = temporaryFolder('cli-holdout-portfolios');
const DAYS = 90;

const rotation = (assets: readonly string[], top = 1) => ({
  interval: '1d',
  allocation: { assets, every: '1M', rank_by: 'roc(close, 30)', top },
});
const plan = (assets: readonly string[], more: object) => ({
  portfolio: rotation(assets),
  start: '2023-01-01',
  sweep_axes: [{ param: 'allocation.every', values: ['1w', '1M'] }],
  ...more,
});
const file = (name: string, json: object) => fileOf(home, `${name}.json`, JSON.stringify(json));
const both = ['BTC', 'ETH'];
const held = await file('held', plan(both, { holdout: DAYS }));
// An asset that an axis alone brings in is guarded too.
const axis = await file('axis', {
  ...plan(['SOL', 'BNB'], {}),
  sweep_axes: [{ param: 'allocation.assets[1]', values: ['BNB', 'BTC'] }],
});
const leader = await file('leader', rotation(both));
const second = await file('second', rotation(both, 2));

const sweep = (path: string, name: string, own = home) => [
  ...['sweep', path, '--out', join(own, `${name}-rows`), '--workers', '1', '--json'],
];
const open = (portfolio: string) => ['holdout', 'open', '--portfolio', portfolio, '--json'];
const run = (portfolio: string) => ['portfolio', portfolio, '--start', '2025-01-01', '--no-record'];

test('a sweep of portfolios holds the last days of all its assets out, and ends before them', async () => {
  const [swept, rows, list, guarded, traded] = (await runCliBatch(
    [
      sweep(held, 'held'),
      ['results', 'SELECT DISTINCT asset, end_date FROM results', '--sweep', join(home, 'held-rows'), '--json'],
      ['holdout', 'list', '--json'],
      sweep(axis, 'axis'),
      run(leader),
    ],
    { home },
  )) as [CliRun, CliRun, CliRun, CliRun, CliRun];
  const listed = jsonOf(list) as HeldOut[];
  const [{ from, to }] = listed as [HeldOut];
  const { warnings } = jsonOf(swept) as { warnings: string[] };
  assert.match(warnings[0] ?? '', new RegExp(`^the days ${from} to ${to} of BTC, ETH are held out from now on`));
  const dayBefore = new Date(Date.parse(from) - 1).toISOString().slice(0, 10);
  assert.deepEqual(jsonOf(rows), [{ asset: 'BTC+ETH', end_date: dayBefore }]);
  assert.deepEqual(
    listed.map(({ asset, days, opening }) => [asset, days, opening]),
    both.map((asset) => [asset, DAYS, null]),
  );
  for (const refused of [guarded, traded]) assertRefused(refused, /are held out|holdout must be/);
});

test('the days are opened once, for one portfolio; after a crash in between only that one is completed', async () => {
  const [unrunnable, first] = await runCliBatch([[...open(leader), '--config', 'fee_pct=7'], open(leader)], { home });
  assertRefused(unrunnable!, /fee_pct/);
  const { window, holdout } = jsonOf(first!) as { window: object; holdout: HeldOut[] };
  const [{ from, to }] = holdout as [HeldOut];
  const end = new Date(Date.parse(to) + 86_400_000).toISOString().slice(0, 10);
  assert.deepEqual(window, { start: `${from}T00:00:00Z`, end: `${end}T00:00:00Z` });

  // As a crash between the two writes of the result leaves them.
  const marker = join(home, 'holdouts', 'ETH', `${from}_${to}.opened.json`);
  const opening = JSON.parse(await readFile(marker, 'utf8')) as object;
  await writeFile(marker, JSON.stringify({ ...opening, metrics: null }));
  const [refused, completed, twice, free] = await runCliBatch([open(second), open(leader), open(leader), run(second)], {
    home,
  });
  for (const one of [refused!, twice!]) assertRefused(one, /were opened on 20\S+, and can be opened once/);
  assert.equal(completed!.code, 0, completed!.stderr);
  assert.equal(free!.code, 0, 'the days are seen now');
});

test('assets that hold out different days share no sweep and no opening', async () => {
  const own = temporaryFolder('cli-holdout-portfolios-apart');
  const earlier = await file('earlier', plan(['BTC'], { holdout: DAYS, end: '2025-03-31' }));
  const later = await file('later', plan(['ETH'], { holdout: DAYS }));
  const [first, then, together, opened] = await runCliBatch(
    [sweep(earlier, 'earlier', own), sweep(later, 'later', own), sweep(held, 'together', own), open(leader)],
    { home: own },
  );
  assert.deepEqual([first!.code, then!.code], [0, 0], first!.stderr + then!.stderr);
  for (const refused of [together!, opened!]) assertRefused(refused, /the days .* of BTC and the days .* of ETH/);
});
