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
const files = {
  plain: await file('plain', plan(both, {})),
  other: await file('other', plan(both, { holdout: DAYS + 1 })),
  wrong: await file('wrong', plan(both, { holdout: 0 })),
  all: await file('all', plan(both, { holdout: 3_650 })),
  // Of its assets, only BNB holds nothing out yet.
  wider: await file('wider', plan([...both, 'BNB'], { holdout: DAYS })),
  // An asset that an axis alone brings in is guarded too.
  axis: await file('axis', {
    ...plan(['SOL', 'BNB'], {}),
    sweep_axes: [{ param: 'allocation.assets[1]', values: ['BNB', 'BTC'] }],
  }),
  // Days of its own, which differ from those of BTC.
  alone: await file('alone', plan(['SOL'], { holdout: 30 })),
  mixed: await file('mixed', plan(['BTC', 'SOL'], { holdout: DAYS })),
  walk: await file(
    'walk',
    plan(['XRP'], { holdout: DAYS, walk_forward: { mode: 'rolling', train_days: 300, test_days: 100 } }),
  ),
};
const leader = await file('leader', rotation(both));
const second = await file('second', rotation(both, 2));
const solo = await file('solo', rotation(['BTC', 'XRP']));

const sweepTo = (name: string) => ['--out', join(home, `${name}-rows`), '--workers', '1', '--json'];
const sweep = (name: keyof typeof files) => ['sweep', files[name], ...sweepTo(name)];
const commands = {
  wrong: sweep('wrong'),
  all: sweep('all'),
  held: ['sweep', held, ...sweepTo('held')],
  rows: ['results', 'SELECT DISTINCT asset, end_date FROM results', '--sweep', join(home, 'held-rows'), '--json'],
  list: ['holdout', 'list', '--json'],
  again: ['sweep', held, ...sweepTo('again')],
  resumed: ['sweep', '--resume', ...sweepTo('held')],
  plain: sweep('plain'),
  other: sweep('other'),
  axis: sweep('axis'),
  run: ['portfolio', leader, '--start', '2025-01-01', '--no-record'],
  wider: sweep('wider'),
  alone: sweep('alone'),
  mixed: sweep('mixed'),
  walk: sweep('walk'),
  lastList: ['holdout', 'list', '--json'],
  windowed: ['holdout', 'open', '--portfolio', leader, '--start', '2025-01-01'],
  besides: ['holdout', 'open', '--portfolio', leader, '--asset', 'BTC'],
  nothing: ['holdout', 'open', '--portfolio', await file('none', rotation(['ADA']))],
  unrunnable: ['holdout', 'open', '--portfolio', leader, '--config', 'fee_pct=7'],
} as const;
const done = await runCliBatch(Object.values(commands), { home });
const of = (name: keyof typeof commands): CliRun => done[Object.keys(commands).indexOf(name)] ?? assert.fail(name);
const listed = jsonOf(of('list')) as HeldOut[];
const { from, to } = listed[0] as HeldOut;
const dayBefore = new Date(Date.parse(from) - 1).toISOString().slice(0, 10);

test('a sweep of portfolios holds the last days of all its assets out, and ends before them', () => {
  const { warnings } = jsonOf(of('held')) as { warnings: string[] };
  assert.equal(
    warnings[0],
    `the days ${from} to ${to} of BTC, ETH are held out from now on: no run may touch them until barline holdout open`,
  );
  assert.deepEqual(jsonOf(of('rows')), [{ asset: 'BTC+ETH', end_date: dayBefore }]);
  assert.deepEqual(
    listed.map(({ asset, days, opening }) => [asset, days, opening]),
    both.map((asset) => [asset, DAYS, null]),
  );
  for (const name of ['again', 'resumed'] as const) {
    assert.equal(of(name).code, 0, of(name).stderr);
    assert.doesNotMatch(of(name).stdout, /from now on/);
  }
});

test('days that one asset holds out already are held out of the others too', () => {
  const { warnings } = jsonOf(of('wider')) as { warnings: string[] };
  assert.match(warnings[0] ?? '', new RegExp(`^the days ${from} to ${to} of BNB are held out from now on`));
});

test('a walk forward ends before the held-out days too', () => {
  const { honesty } = jsonOf(of('walk')) as { honesty: { walkForward: { folds: { testTo: string }[] } }[] };
  const ends = honesty[0]?.walkForward.folds.map(({ testTo }) => testTo) ?? [];
  assert.ok(ends.length > 3 && ends.every((end) => end <= dayBefore), ends.join());
});

test('an opening that cannot run opens nothing', () => {
  assertRefused(of('windowed'), /start must not be given: the run trades the days .* of BTC, ETH/);
  assertRefused(of('besides'), /asset must be left out with a portfolio/);
  assertRefused(of('nothing'), /ADA/);
  assertRefused(of('unrunnable'), /fee_pct/);
  assert.ok((jsonOf(of('lastList')) as HeldOut[]).every(({ opening }) => opening === null));
});

test('the days are opened once, for one portfolio; after a crash in between only that one is completed', async () => {
  const open = (portfolio: string) => ['holdout', 'open', '--portfolio', portfolio, '--json'];
  const tries = ['tries', '--json'];
  const [before, first, after] = await runCliBatch([tries, open(leader), tries], { home });
  assert.equal(first!.code, 0, first!.stderr);
  const { window, holdout } = jsonOf(first!) as { window: object; holdout: HeldOut[] };
  const end = new Date(Date.parse(to) + 86_400_000).toISOString().slice(0, 10);
  assert.deepEqual(window, { start: `${from}T00:00:00Z`, end: `${end}T00:00:00Z` });
  assert.deepEqual(
    holdout.map(({ asset }) => asset),
    both,
  );
  const countOf = (said: CliRun) =>
    (jsonOf(said) as { asset: string; tries: number }[]).find(({ asset }) => asset === 'ETH')?.tries ?? 0;
  assert.equal(countOf(after!), countOf(before!) + 1, 'the opening counts among the tries');

  // As a crash between the two writes of the result leaves them.
  const marker = join(home, 'holdouts', 'ETH', `${from}_${to}.opened.json`);
  const opening = JSON.parse(await readFile(marker, 'utf8')) as object;
  await writeFile(marker, JSON.stringify({ ...opening, metrics: null }));
  const [refused, completed, twice, other, shown, free] = await runCliBatch(
    [
      open(second),
      open(leader),
      open(leader),
      open(solo),
      ['holdout', 'show', 'ETH'],
      ['portfolio', second, '--start', '2025-01-01', '--no-record'],
    ],
    { home },
  );
  assertRefused(refused!, /were opened on 20\S+Z, and can be opened once/);
  assert.equal(completed!.code, 0, completed!.stderr);
  assertRefused(twice!, /the days .* of BTC were opened on .*, and can be opened once/);
  assertRefused(other!, /of BTC were opened on/);
  assert.match(shown!.stdout, /total_return .*, sharpe_ratio .*, max_drawdown/);
  assert.equal(free!.code, 0, 'the days are seen now');
});

test('assets that hold out different days share no sweep and no opening', async () => {
  const own = temporaryFolder('cli-holdout-portfolios-apart');
  const earlier = await file('earlier', plan(['BTC'], { holdout: DAYS, end: '2025-03-31' }));
  const later = await file('later', plan(['ETH'], { holdout: DAYS }));
  const to = (name: string) => ['--out', join(own, name), '--workers', '1'];
  const [first, then, together, open] = await runCliBatch(
    [
      ['sweep', earlier, ...to('earlier')],
      ['sweep', later, ...to('later')],
      ['sweep', held, ...to('together')],
      ['holdout', 'open', '--portfolio', leader],
    ],
    { home: own },
  );
  assert.deepEqual([first!.code, then!.code], [0, 0], first!.stderr + then!.stderr);
  const apart = new RegExp(
    `the days 2025-01-01 to 2025-03-31 of BTC and the days ${from} to \\d{4}-\\d\\d-\\d\\d of ETH`,
  );
  for (const refused of [together!, open!]) assertRefused(refused, apart);
  assertRefused(together!, /holdout must be of the same days of every asset/);
});
