import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertRefused, jsonOf, runCliBatch } from '../support/cli.js';
import { casePath, tempFolder } from '../support/data-fixtures.js';

/** Reported situations of portfolios, as commands: the inputs in `cases/`, and the right answer. */

const fileOf = (name: string) => casePath(name, 'p.json');

interface Member {
  readonly strategy: { readonly execution_config: object };
  readonly [key: string]: unknown;
}
const readCase = (name: string) =>
  JSON.parse(readFileSync(fileOf(name), 'utf8')) as { readonly members: readonly Member[] };

test('portfolio-floor-cuts-last-position: the reserve and the settings that do not act are named', async (t) => {
  const folder = tempFolder(t);
  const portfolio = readCase('portfolio-floor-cuts-last-position');
  const write = async (name: string, content: object) => {
    const file = join(folder, `${name}.json`);
    await writeFile(file, JSON.stringify(content));
    return file;
  };
  const inSettings = await write('settings', { ...portfolio, execution_config: { min_balance_threshold: 0 } });
  const guarded = await write('guarded', {
    ...portfolio,
    members: portfolio.members.map(({ strategy, ...member }) => ({
      ...member,
      strategy: { ...strategy, execution_config: { ...strategy.execution_config, guard_daily_loss: 0.1 } },
    })),
  });
  const given = (file: string, ...more: string[]) => [
    ...['portfolio', file, '--start', '2024-01-01', '--end', '2024-03-31', '--no-record', ...more],
  ];
  const weights = join(folder, 'w.csv');
  const [text, json, free, freeByOption, named, refused] = await runCliBatch(
    [
      given(fileOf('portfolio-floor-cuts-last-position')),
      given(fileOf('portfolio-floor-cuts-last-position'), '--json'),
      given(inSettings, '--weights', weights),
      given(fileOf('portfolio-floor-cuts-last-position'), '--config', 'min_balance_threshold=0'),
      given(guarded),
      given(fileOf('portfolio-floor-cuts-last-position'), '--config', 'guard_daily_loss=0.1'),
    ],
    { home: join(folder, 'home') },
  );
  assert.match(text!.stdout, /^entries made smaller: min_balance_threshold, which keeps cash back 1 \(ETH\)$/m);
  assert.match(text!.stdout, /ETH: min_balance_threshold 0 of a member is not read: the account has one, 0\.1/);
  const { members } = jsonOf(json!) as { members: { limited: object }[] };
  assert.deepEqual(
    members.map(({ limited }) => limited),
    [{}, { min_balance_threshold: 1 }],
  );
  for (const run of [free!, freeByOption!]) {
    assert.equal(run.code, 0, run.stderr);
    assert.doesNotMatch(run.stdout, /made smaller: min|is not read/);
  }
  const held = readFileSync(weights, 'utf8').split('\n')[2]!.split(',').slice(1).map(Number);
  assert.ok(Math.abs(held[0]!) < 0.01 && Math.abs(held[2]! - 0.5) < 0.02, String(held));
  assert.match(named!.stdout, /BTC: guard_daily_loss 0\.1 of a member is not read: the account has one, none/);
  assertRefused(refused!, /execution_config\.guard_daily_loss is a guard of the whole account/);
});

test('short-weights: a weight below 0 is refused, and the refusal names what sells short', async (t) => {
  const [run] = await runCliBatch([['portfolio', fileOf('short-weights'), '--start', '2024-01-01']], {
    home: join(tempFolder(t), 'home'),
  });
  assertRefused(
    run!,
    /allocation\.weights\[1\] must be .*long only: what sells short is a member with short_entry.*was -1/,
  );
});

test('contributions: a deposit a month, with both returns, and the same in a sweep', async (t) => {
  const folder = tempFolder(t);
  const plan = join(folder, 'plan.json');
  const portfolio = JSON.parse(readFileSync(fileOf('contributions'), 'utf8')) as object;
  const axes = [{ param: 'contributions.amount', values: [100, 300] }];
  await writeFile(plan, JSON.stringify({ name: 'deposits', portfolio, start: '2024-01-01', sweep_axes: axes }));
  const [run, text, sweep] = await runCliBatch(
    [
      ['portfolio', fileOf('contributions'), '--start', '2024-01-01', '--no-record', '--json'],
      ['portfolio', fileOf('contributions'), '--start', '2024-01-01', '--end', '2024-06-30', '--no-record'],
      ['sweep', plan, '--json', '--min-trades', '0'],
    ],
    { home: join(folder, 'home') },
  );
  const { contributions, metrics, times } = jsonOf(run!) as {
    contributions: Record<string, number>;
    metrics: Record<string, number>;
    times: number;
  };
  assert.equal(contributions.paid_in, 100 * contributions.payments!);
  assert.ok(contributions.payments! >= Math.floor(times / 31) - 1);
  assert.equal(contributions.time_weighted_return, metrics.total_return);
  assert.ok(Math.abs(contributions.ending_value! - 1000 - contributions.paid_in! - contributions.profit!) < 1e-6);
  assert.match(text!.stdout, /^5 payments: 500\.00 in, 0\.00 out; the account ends at [\d,.]+, a profit of /m);
  assert.match(text!.stdout, /^time-weighted return .* %, money-weighted .* % a year$/m);
  const { top } = jsonOf(sweep!) as { top: { allocation?: unknown; total_return: number; run_index: number }[] };
  assert.equal(top.find(({ run_index }) => run_index === 0)?.total_return, metrics.total_return);
});
