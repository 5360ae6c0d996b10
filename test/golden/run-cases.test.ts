import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { tableFromIPC } from 'apache-arrow';
import { assertRefused, jsonOf, runCliBatch } from '../support/cli.js';
import { casePath, queryParquet, tempFolder } from '../support/data-fixtures.js';
import * as foreign from '../support/foreign-words.js';

/** Reported situations of runs, as commands: the inputs in `cases/`, and the right answer. */

interface Result {
  readonly metrics: { readonly total_return: number; readonly ending_balance: number };
  readonly trade_count: number;
  readonly trades: readonly { readonly position_size: number }[];
  readonly diagnostics: { readonly limited: Readonly<Record<string, number>> };
  readonly warnings: readonly string[];
}

interface EndedResult {
  readonly trades: readonly Readonly<Record<string, unknown>>[];
  readonly warnings: readonly string[];
}

test('cap-units-price-0.001: a market in another unit has the same result, or the cap that binds is named', async (t) => {
  const folder = tempFolder(t);
  const [header, ...rows] = gunzipSync(readFileSync(casePath('cap-units-price-0.001', 'base.csv.gz')))
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
    ...['backtest', '--strategy', casePath('cap-units-price-0.001', 'cross.json'), '--bars', file],
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
  const cases = ['plain', 'stop', 'exits'].map((name) => casePath('unknown-keys-in-strategy', `${name}.json`));
  const [plain, stop, exits, ...others] = await runCliBatch([...cases, ...written.map(({ file }) => file)].map(run), {
    home: join(folder, 'home'),
  });
  assert.ok((jsonOf(plain!) as Result).trade_count > 0);
  assertRefused(stop!, /strategy: "stop_loss" is not a key here: .*"stop_loss_calculation".*; strategy: "take_profit"/);
  assertRefused(exits!, /strategy: "exits" is not a key here: the rules that sell are exit/);
  for (const [i, { word }] of written.entries()) assertRefused(others[i]!, new RegExp(`"${word}"`), word);
});

test('export-into-excel: times are written as a spreadsheet reads them', async (t) => {
  const folder = tempFolder(t);
  const to = (name: string, ...more: string[]) => [
    ...['backtest', '--strategy', casePath('export-into-excel', 's.json'), '--interval', '1h', '--no-record'],
    ...['--start', '2023-06-01', '--end', '2023-07-31', '--trades', join(folder, name), ...more],
  ];
  const names = ['utc.csv', 'plain.csv', 'plain.parquet', 'plain.arrow'];
  const runs = await runCliBatch(
    names.map((name) => to(name, ...(name.startsWith('plain') ? ['--plain-times'] : []))),
    { home: join(folder, 'home') },
  );
  for (const { code, stderr } of runs) assert.equal(code, 0, stderr);
  const [utc, plain] = names.slice(0, 2).map((name) => readFileSync(join(folder, name), 'utf8'));
  assert.match(plain!, /,2023-06-0\d \d\d:00:00,2023-06-0\d \d\d:00:00,/);
  assert.equal(plain, utc!.replaceAll(/(\d\d)T(\d\d:\d\d:\d\d)Z/g, '$1 $2'), 'the same times');
  const [row] = await queryParquet(
    join(folder, 'plain.parquet'),
    'typeof(entry_timestamp), epoch_ms(entry_timestamp)::DOUBLE',
  );
  const arrow = tableFromIPC(readFileSync(join(folder, 'plain.arrow')));
  const [, first = ''] = utc!.split('\n');
  const entry = Date.parse(/2023-[\d-]+T[\d:]+Z/.exec(first)![0]);
  assert.deepEqual(row, ['TIMESTAMP', entry]);
  assert.equal(
    String(arrow.schema.fields.find(({ name }) => name === 'entry_timestamp')?.type),
    'Timestamp<MILLISECOND>',
  );
  assert.equal(Number(arrow.getChild('entry_timestamp')?.get(0)), entry);
});

/** A reported file that is kept compressed, in a folder of the test. */
async function unpacked(folder: string, name: string, file: string): Promise<string> {
  const path = join(folder, file);
  await writeFile(path, gunzipSync(readFileSync(casePath(name, `${file}.gz`))));
  return path;
}

const dip = ['backtest', '--strategy', 'examples/dip.json', '--interval', '1h', '--no-record'];

test('amounts-account-in-btc: small amounts are printed with significant digits', async (t) => {
  const folder = tempFolder(t);
  const bars = await unpacked(folder, 'amounts-account-in-btc', 'ethbtc.csv');
  const [run] = await runCliBatch(
    [
      [
        ...['backtest', '--strategy', casePath('cap-units-price-0.001', 'cross.json'), '--bars', bars, '--no-record'],
        ...['--config', 'fee_pct=0.001', 'slippage_pct=0.0005', 'initial_balance=0.05', 'min_trade_amount=0.0001'],
      ],
    ],
    { home: join(folder, 'home') },
  );
  for (const figure of [
    ...[/total return +30\.31 %/, /balance +0\.05 -> 0\.0652 /, /expectancy +0\.000361\n/],
    ...[/average win +0\.00111\n/, /average loss +-0\.000384\n/, /fees paid +0\.00144 /],
  ]) {
    assert.match(run!.stdout, figure);
  }
});

test('annualized-six-days: figures of a year from six days carry a caution', async (t) => {
  const config = ['--config', 'fee_pct=0.0005', 'slippage_pct=0'];
  const [run] = await runCliBatch([[...dip, '--start', '2024-03-01', '--end', '2024-03-06', ...config]], {
    home: join(tempFolder(t), 'home'),
  });
  assert.match(run!.stdout, /balance +10,000\.00 -> 10,126\.14 /);
  assert.match(run!.stdout, /\ncaution: figures of a year \(growth, Sharpe.*\) come from 6 days here/);
});

test('bom-strategy: a byte order mark before JSON is dropped', async (t) => {
  const run = (strategy: string) => [
    ...['backtest', '--strategy', strategy, '--interval', '1h', '--start', '2025-01-01', '--no-record', '--json'],
  ];
  const [marked, plain] = await runCliBatch([run(casePath('bom-strategy', 'bom.json')), run('examples/dip.json')], {
    home: join(tempFolder(t), 'home'),
  });
  assert.deepEqual((jsonOf(marked!) as Result).trades, (jsonOf(plain!) as Result).trades);
});

test('bounds-ichimoku-and-bollinger: a refused setting names the formula that takes it', async (t) => {
  const runs = await runCliBatch(
    ['ichimoku', 'bb'].map((name) => [
      ...['backtest', '--strategy', casePath('bounds-ichimoku-and-bollinger', `${name}.json`), '--interval', '1h'],
      ...['--start', '2025-01-01', '--no-record'],
    ]),
    { home: join(tempFolder(t), 'home') },
  );
  const formulas = ['crosses_above(midpoint(20), midpoint(60))', 'crosses_below(close, bollinger_lower(20, 2.5))'];
  for (const [i, formula] of formulas.entries()) {
    assert.equal(runs[i]!.code, 2);
    assert.ok(runs[i]!.stderr.includes(`the signal "formula" takes it as "when": "${formula}"`), runs[i]!.stderr);
  }
});

test('lossless-sortino-last: a run without a loss ranks first, and its ratio says that it has none', async (t) => {
  const folder = tempFolder(t);
  const bars = await unpacked(folder, 'lossless-sortino-last', 'mono.csv');
  const [, run] = await runCliBatch(
    [
      ['data', 'import', bars, '--asset', 'MONO'],
      [
        ...['sweep', casePath('lossless-sortino-last', 'plan.json'), '--by', 'sortino_ratio'],
        ...['--min-trades', '30', '--json'],
      ],
    ],
    { home: join(folder, 'home') },
  );
  const { top } = JSON.parse(run!.stdout) as { top: { run_index: number; no_value?: Record<string, string> }[] };
  assert.deepEqual(
    top.map(({ run_index, no_value }) => [run_index, no_value?.sortino_ratio]),
    [
      [0, 'no loss'],
      [1, undefined],
    ],
  );
});

test('off-grid-4h-to-1d: bars off the grid are named where coarser ones are made of them', async (t) => {
  const [, run] = await runCliBatch(
    [
      ['data', 'import', casePath('off-grid-4h-to-1d', '4h-offset2.csv'), '--asset', 'OFF'],
      [
        ...['backtest', '--strategy', casePath('off-grid-4h-to-1d', 'c1d.json'), '--asset', 'OFF'],
        ...['--interval', '1d', '--no-record', '--json'],
      ],
    ],
    { home: join(tempFolder(t), 'home') },
  );
  const { data } = JSON.parse(run!.stdout) as { data: { quality: { kind: string; count: number; message: string }[] } };
  assert.deepEqual(
    data.quality.map(({ kind, count }) => [kind, count]),
    [['off-grid', 600]],
  );
  assert.match(data.quality[0]!.message, /^the 1d bars are made of 4h bars: 600 bars of 600 open off the 4h grid/);
});

test('rotation-weekday-warmup: the history of an allocation is counted in bars that exist', async (t) => {
  const folder = tempFolder(t);
  const name = 'rotation-weekday-warmup';
  const files = await Promise.all(['STK00', 'STK01', 'STK02'].map((asset) => unpacked(folder, name, `${asset}.csv`)));
  const weights = join(folder, 'w.csv');
  const runs = await runCliBatch(
    [
      ...files.map((file, i) => ['data', 'import', file, '--asset', `STK0${i}`]),
      [
        ...['portfolio', casePath(name, 'rot1.json'), '--start', '2015-01-01', '--end', '2015-06-01'],
        ...['--no-record', '--weights', weights],
      ],
      [
        'portfolio',
        casePath(name, 'rot1.json'),
        '--start',
        '2014-06-02',
        '--end',
        '2015-06-01',
        '--no-record',
        '--json',
      ],
      [
        'audit',
        '--portfolio',
        casePath(name, 'rot1.json'),
        '--start',
        '2015-01-01',
        '--end',
        '2015-06-01',
        '--cuts',
        '1',
      ],
    ],
    { home: join(folder, 'home') },
  );
  const [run, early, audit] = runs.slice(-3);
  assert.equal(run!.code, 0, run!.stderr);
  const [, start, first] = readFileSync(weights, 'utf8').split('\n');
  // Decided at the close of 2015-01-01, bought at the open of 2015-01-02: the table names closes.
  assert.match(start!, /^2015-01-02T00:00:00Z,1,0,0,0/);
  assert.match(first!, /^2015-01-03T00:00:00Z,[^,]+,0\.3/);
  // The 200th bar of the data opens on 2014-10-07.
  assert.match(
    (JSON.parse(early!.stdout) as Pick<Result, 'warnings'>).warnings.join('\n'),
    /allocation\.where has its first value at 2014-10-08T00:00:00Z, later than the start, .*: STK00, STK01, STK02/,
  );
  assert.match(
    audit!.stdout,
    /STK00: allocation\.where has its first value at 2015-01-02T00:00:00Z, from the start on/,
  );
});

test('ended-asset-held-for-ever: an asset whose bars have ended is sold at its last close and not picked', async (t) => {
  const folder = tempFolder(t);
  const name = 'ended-asset-held-for-ever';
  const files = await Promise.all(['LUN', 'BBB', 'CCC'].map((asset) => unpacked(folder, name, `${asset}.csv`)));
  const zero = join(folder, 'zero.json');
  const definition = JSON.parse(readFileSync(casePath(name, 'rotation.json'), 'utf8')) as object;
  await writeFile(zero, JSON.stringify({ ...definition, ended_price: 'zero' }));
  const portfolios = [casePath(name, 'rotation.json'), casePath(name, 'rotation-where.json'), zero];
  const imports = files.map((file) => ['data', 'import', file, '--asset', file.slice(-7, -4)]);
  const runs = await runCliBatch(
    [...imports, ...portfolios.map((file) => ['portfolio', file, '--no-record', '--json'])],
    { home: join(folder, 'home') },
  );
  const [plain, where, written] = runs.slice(imports.length).map((run) => jsonOf(run) as EndedResult);
  for (const run of [plain!, where!]) {
    const [ended, next] = run.trades;
    assert.deepEqual(
      [ended!.exit_reason, ended!.exit_price, ended!.exit_timestamp, next!.asset, next!.entry_timestamp],
      ['ENDED', 321.669685, '2024-03-04T00:00:00Z', 'BBB', '2024-03-04T00:00:00Z'],
    );
    assert.equal(run.trades.length, 2);
    assert.match(run.warnings.join('\n'), /no bars after 2024-03-01T00:00:00Z: LUN has ended .* \(ENDED\)/);
  }
  assert.equal(written!.trades[0]!.exit_price, 0);
});

test('parquet-equity-naive: times of exported Parquet are times in UTC', async (t) => {
  const folder = tempFolder(t);
  const file = join(folder, 'e.parquet');
  const [run] = await runCliBatch([[...dip, '--start', '2025-01-01', '--equity', file]], {
    home: join(folder, 'home'),
  });
  assert.equal(run!.code, 0, run!.stderr);
  assert.deepEqual(await queryParquet(file, 'DISTINCT typeof(timestamp)'), [['TIMESTAMP WITH TIME ZONE']]);
});

test('sweep-needs-filter: one trigger and one parameter are a sweep', async (t) => {
  const runs = await runCliBatch(
    ['plan', 'plan-min-filters-0'].map((name) => ['sweep', casePath('sweep-needs-filter', `${name}.json`), '--json']),
    { home: join(tempFolder(t), 'home') },
  );
  for (const run of runs) {
    assert.equal(run.code, 0, run.stderr);
    assert.equal((JSON.parse(run.stdout) as { completed_runs: number }).completed_runs, 5);
  }
});

test('account-below-zero-borrow: what a position pays for being held ends at its margin', async (t) => {
  const [run] = await runCliBatch([['simulate', casePath('account-below-zero-borrow', 'neg-min.json')]], {
    home: join(tempFolder(t), 'home'),
  });
  const { min } = JSON.parse(run!.stdout) as { min: { equity: number[]; trades: object[] } };
  assert.deepEqual(min.equity, [10_000, 9996, 9992, 9988, 9984, 9980, 0, 0, 0]);
  const [{ exit_reason, profit_loss, borrow_paid }] = min.trades as [Record<string, unknown>];
  assert.deepEqual([exit_reason, profit_loss, borrow_paid], ['LIQUIDATION', -10_000, 20]);
});

test('setting-without-effect-fixed-stop: a setting that the others leave unread is named', async (t) => {
  const run = (...settings: string[]) => [
    ...['backtest', '--strategy', casePath('setting-without-effect-fixed-stop', 's.json'), '--interval', '1h'],
    ...['--start', '2023-06-01', '--end', '2023-07-31', '--no-record', '--json'],
    ...['--config', 'fee_pct=0.001', 'slippage_pct=0', 'borrow_rate=0.01', ...settings],
  ];
  const runs = await runCliBatch(
    [
      run('fixed_stop_pct=0.01'),
      run('fixed_stop_pct=0.01', 'stop_loss_calculation=fixed'),
      run('position_sizing=equity_share', 'max_risk_per_trade=0.02'),
    ],
    { home: join(tempFolder(t), 'home') },
  );
  const named = runs.map((one) =>
    (jsonOf(one) as Result).warnings.filter((warning) => warning.startsWith('settings-without-effect')),
  );
  assert.deepEqual(named, [
    ['settings-without-effect: fixed_stop_pct acts only with stop_loss_calculation fixed'],
    [],
    ['settings-without-effect: max_risk_per_trade acts only with position_sizing risk'],
  ]);
});

test('maker-rebate: a maker fee below 0 is credited', async (t) => {
  const [run] = await runCliBatch([['simulate', casePath('maker-rebate', 'm.json')]], {
    home: join(tempFolder(t), 'home'),
  });
  const { a } = JSON.parse(run!.stdout) as { a: { trades: Record<string, number>[] } };
  const [{ entry_price, position_size, entry_fee }] = a.trades as [Record<string, number>];
  // 1 % of 10,000 at risk over a stop 2 % below 99; 0.01 % of the notional of 5,000 is credited.
  assert.equal(entry_price, 99);
  assert.ok(Math.abs(position_size! * 99 - 5000) < 1e-9);
  assert.ok(Math.abs(entry_fee! + 0.5) < 1e-12);
});

test('sweep-window-1d: a sweep runs over the dates of its dataset, and a date that is none is refused', async (t) => {
  const plan = (name: string) => ['sweep', casePath('sweep-window-1d', `${name}.json`), '--min-trades', '1'];
  const [run, bad, rows] = await runCliBatch(
    [
      [...plan('plan'), '--json'],
      plan('plan-bad-date'),
      ['results', 'SELECT DISTINCT start_date, end_date, data_file_rows FROM results', '--json'],
    ],
    { home: join(tempFolder(t), 'home') },
  );
  assert.equal((jsonOf(run!) as { completed_runs: number }).completed_runs, 2);
  assertRefused(bad!, /datasets\[0\]: start_date must be a date such as 2024-01-31 .*, was "2023-13-01"/);
  assert.deepEqual(JSON.parse(rows!.stdout), [
    { start_date: '2023-01-01', end_date: '2023-12-31', data_file_rows: 365 },
  ]);
});

test('entry-bar-stops-uncounted-long: stops in the bar of a stop entry count among the ambiguous exits', async (t) => {
  const run = (...settings: string[]) => [
    ...['backtest', '--strategy', casePath('entry-bar-stops-uncounted-long', 'brk.json'), '--interval', '1h'],
    ...['--start', '2023-01-02', '--end', '2023-12-30', '--no-record', '--json', '--config', 'fee_pct=0'],
    ...['slippage_pct=0', 'stop_loss_calculation=fixed', 'fixed_stop_pct=0.004', 'target_calculation=fixed'],
    ...['fixed_target_pct=0.01', 'position_sizing=equity_share', 'trade_share=0.1', 'max_open_positions=1'],
    ...['entry_order=stop', 'entry_offset_pct=0.003', 'entry_valid_bars=3'],
    ...['cooldown_config={"1h":{"short_loss_limit":0,"long_loss_limit":0}}', ...settings],
  ];
  const [hours, told] = (
    await runCliBatch([run(), run('detail_interval=5m')], { home: join(tempFolder(t), 'home') })
  ).map((one) => jsonOf(one) as Result);
  assert.equal(hours!.metrics.ending_balance.toFixed(2), '8542.50');
  assert.equal(told!.metrics.ending_balance.toFixed(2), '10543.38');
  const warning = hours!.warnings.find((line) => line.includes('inside a bar'));
  const [, count, low, high] =
    /^(\d+) of 1129 trades .*, the account returns (\S+) % to (\S+) %, the run -14\.6 %/.exec(warning ?? '') ?? [];
  // The finer bars decide 363 of 1,045 exits otherwise; those of a bar that closes beyond the stop are certain.
  assert.ok(Number(count) > 81 + 100, warning);
  const truth = 100 * told!.metrics.total_return;
  assert.ok(Number(low) < truth && truth < Number(high), warning);
});
