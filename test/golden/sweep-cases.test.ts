import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertRefused, jsonOf, runCliBatch } from '../support/cli.js';
import { casePath, tempFolder } from '../support/data-fixtures.js';

/** Reported situations of sweeps, as commands: the plans in `cases/`, and the right answer. */

const planOf = (name: string) => casePath(name, 'plan.json');
const partOf = (name: string) => JSON.parse(readFileSync(planOf(name), 'utf8')) as Record<string, unknown>;

interface Row extends Readonly<Record<string, unknown>> {
  readonly run_index: number;
  readonly sharpe_ratio: number;
  readonly total_return: number;
  readonly definition: { readonly strategy: object; readonly interval: string; readonly start: string };
}
interface Printed {
  readonly made_of: readonly string[];
  readonly warnings: readonly string[];
  readonly top: readonly Row[];
}

test('limit-axis: an axis gives every run what the base lacks, and a configuration that lacks it is refused', async (t) => {
  const folder = tempFolder(t);
  const short = join(folder, 'short.json');
  const plan = partOf('limit-axis');
  const sweep_axes = [
    { param: 'entry_offset_pct', values: [0.001, null] },
    { param: 'reward_factor', values: [2, 3] },
  ];
  const config = { base: { entry_order: 'limit' }, sweep_axes };
  await writeFile(short, JSON.stringify({ ...plan, execution_config: config }));
  const [leader, none, silent] = ['leader.json', 'none.json', 'silent.json'].map((name) => join(folder, name));
  const never = { name: 'formula', signal_type: 'TRIGGER', params: { when: 'close < 0' } };
  await writeFile(silent!, JSON.stringify({ ...plan, entry_signals: { triggers: [never] } }));
  const [ran, lacking, again, idle] = await runCliBatch(
    [
      ['sweep', planOf('limit-axis'), '--save-leader', leader!, '--json'],
      ['sweep', short, '--json'],
      ['backtest', '--strategy', leader!, '--interval', '1d', '--no-record', '--json'],
      ['sweep', silent!, '--save-leader', none!, '--json'],
    ],
    { home: join(folder, 'home') },
  );
  const { top } = jsonOf(ran!) as Printed;
  assert.deepEqual(new Set(top.map(({ entry_offset_pct }) => entry_offset_pct)), new Set([0.001, 0.002]));
  assertRefused(
    lacking!,
    /sweep_axes with entry_offset_pct null and reward_factor 2: entry_offset_pct must be a number/,
  );
  // Where no run traded there is no leader to write, which is said beside the JSON.
  assert.deepEqual([idle!.code, (JSON.parse(idle!.stdout) as Printed).top, existsSync(none!)], [0, [], false]);
  assert.match(idle!.stderr, /no run traded, so no leader is written to .*none\.json/);
  // The saved leader is the run: equal in every bit, with its costs.
  const { metrics } = jsonOf(again!) as { readonly metrics: Readonly<Record<string, unknown>> };
  for (const name of ['sharpe_ratio', 'total_return', 'max_drawdown', 'total_trades'])
    assert.equal(metrics[name], top[0]![name], name);
  const saved = JSON.parse(readFileSync(leader!, 'utf8')) as { readonly execution_config: Record<string, unknown> };
  assert.deepEqual(saved, top[0]!.definition.strategy);
  const { fee_pct, entry_order, entry_offset_pct } = saved.execution_config;
  assert.deepEqual([typeof fee_pct, entry_order, entry_offset_pct], ['number', 'limit', top[0]!.entry_offset_pct]);
});

test('sweep-two-filters-one-used, random-filters: a sweep says what its runs are made of', async (t) => {
  const [one, random, words] = await runCliBatch(
    [
      ['sweep', planOf('sweep-two-filters-one-used'), '--json'],
      ['sweep', planOf('random-filters'), '--json'],
      ['sweep', planOf('random-filters')],
    ],
    { home: join(tempFolder(t), 'home') },
  );
  const listed = jsonOf(one!) as Printed;
  const made = 'entry_signals: its trigger, 1 of 2 filters in each run; max_filters 2 adds both';
  assert.equal(listed.made_of[0], made);
  assert.ok(listed.warnings.includes(made));
  // What varies is in each row, a setting too.
  assert.ok(listed.top.every((row) => 'trailing_distance' in row && 'formula_lvl' in row));
  const { made_of, warnings } = jsonOf(random!) as Printed;
  assert.match(made_of[0]!, /draws a trigger from the listed one, 1 to 2 filters from all \d+ filters of the registry/);
  assert.match(made_of[1]!, /half of the runs have none/);
  assert.ok(warnings.some((text) => text.startsWith('entry_signals: min_filters and max_filters are for search_mode')));
  const said = words!.stderr.split('\n').findIndex((line) => line.includes('entry_signals: each run draws'));
  assert.ok(said !== -1 && said < words!.stderr.split('\n').findIndex((line) => line.includes('what it can find')));
});
