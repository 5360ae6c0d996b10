import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { assertRefused, jsonOf, runCliBatch } from '../support/cli.js';
import { tempFolder } from '../support/data-fixtures.js';
import * as foreign from '../support/foreign-words.js';
import { goldenPath } from '../support/tree.js';

/** Reported situations of runs, as commands: the inputs in `cases/`, and the right answer. */

const fileOf = (name: string, file: string) => goldenPath(join('cases', name, file));

interface Result {
  readonly metrics: { readonly total_return: number; readonly ending_balance: number };
  readonly trade_count: number;
  readonly trades: readonly { readonly position_size: number }[];
  readonly diagnostics: { readonly limited: Readonly<Record<string, number>> };
  readonly warnings: readonly string[];
}

test('cap-units-price-0.001: a market in another unit has the same result, or the cap that binds is named', async (t) => {
  const folder = tempFolder(t);
  const [header, ...rows] = gunzipSync(readFileSync(fileOf('cap-units-price-0.001', 'base.csv.gz')))
    .toString('utf8')
    .trim()
    .split('\n');
  const inUnit = (unit: number) =>
    rows.map((row) => {
      const [time, ...cells] = row.split(',');
      const [volume, ...prices] = cells.map(Number).toReversed() as [number, ...number[]];
      return [time, ...prices.toReversed().map((price) => price * unit), volume / unit].join(',');
    });
  const files = await Promise.all(
    [1, 1e-5].map(async (unit) => {
      const file = join(folder, `unit-${unit}.csv`);
      await writeFile(file, [header, ...inUnit(unit)].join('\n'));
      return file;
    }),
  );
  const run = (file: string, ...settings: string[]) => [
    ...['backtest', '--strategy', fileOf('cap-units-price-0.001', 'cross.json'), '--bars', file],
    ...['--config', 'fee_pct=0.001', 'slippage_pct=0.0005', ...settings, '--no-record', '--json'],
  ];
  const [base, capped, free] = (
    await runCliBatch([run(files[0]!), run(files[1]!), run(files[1]!, 'max_units_per_trade=1e12')], {
      home: join(folder, 'home'),
    })
  ).map((one) => jsonOf(one) as Result);
  assert.equal(base!.metrics.ending_balance.toFixed(2), '13031.13');
  assert.equal(base!.trade_count, 42);
  assert.deepEqual(
    base!.warnings.filter((warning) => warning.startsWith('max_units')),
    [],
  );
  assert.ok(Math.abs(free!.metrics.total_return - base!.metrics.total_return) < 1e-6);
  assert.equal(free!.trade_count, 42);
  // The published cap stays, and says that it bound.
  assert.equal(capped!.metrics.ending_balance.toFixed(2), '11146.42');
  assert.ok(capped!.trades.every(({ position_size }) => position_size === 1_000_000));
  assert.equal(capped!.diagnostics.limited.max_units_per_trade, 42);
  assert.match(capped!.warnings.join('\n'), /max_units_per_trade of 1000000 made 42 of 42 entries smaller/);
});

test('unknown-keys-in-strategy: no key is ignored in silence', async (t) => {
  const folder = tempFolder(t);
  const written = await Promise.all(
    [...foreign.definitions(12, 5)].map(async ({ word, definition }, i) => {
      const file = join(folder, `${i}.json`);
      await writeFile(file, JSON.stringify(definition));
      return { word, file };
    }),
  );
  const run = (file: string) => [
    ...['backtest', '--strategy', file, '--interval', '1h', '--start', '2025-01-01', '--no-record', '--json'],
  ];
  const cases = ['plain', 'stop', 'exits'].map((name) => fileOf('unknown-keys-in-strategy', `${name}.json`));
  const [plain, stop, exits, ...others] = await runCliBatch([...cases, ...written.map(({ file }) => file)].map(run), {
    home: join(folder, 'home'),
  });
  assert.ok((jsonOf(plain!) as Result).trade_count > 0);
  assertRefused(stop!, /strategy: "stop_loss" is not a key here: .*"stop_loss_calculation".*; strategy: "take_profit"/);
  assertRefused(exits!, /strategy: "exits" is not a key here: the rules that sell are exit/);
  for (const [i, { word }] of written.entries()) assertRefused(others[i]!, new RegExp(`"${word}"`), word);
});
