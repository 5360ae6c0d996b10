import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { withDuckDb } from '../../data/duckdb.js';
import { loadBars } from '../../library/data.js';
import { assertRefused, jsonOf, runCliBatch } from '../support/cli.js';
import { casePath, parquetOf, tempFolder } from '../support/data-fixtures.js';
import { commandArgs } from '../support/tree.js';

/** Reported situations of data, as commands: the inputs in `cases/`, and the right answer. */

const homeOf = (t: TestContext) => join(tempFolder(t), 'home');

interface Listed {
  readonly asset: string;
  readonly bars: number;
}
const held = (run: { readonly stdout: string }, names: readonly string[]) =>
  (JSON.parse(run.stdout) as Listed[])
    .filter(({ asset }) => names.includes(asset))
    .map(({ asset, bars }) => [asset, bars]);

test('quote-dropped-append: a market in another currency is an asset of its own', async (t) => {
  const usdt = casePath('quote-dropped-append', 'usdt.csv');
  const eur = casePath('quote-dropped-append', 'eur.csv');
  const [first, second, settled, listed, again] = await runCliBatch(
    [
      ['data', 'import', usdt, '--asset', 'XYZ/USDT'],
      ['data', 'import', eur, '--asset', 'XYZ/EUR', '--append'],
      ['data', 'import', eur, '--asset', 'XYZ/USDT:USDT', '--append'],
      ['data', 'list', '--json'],
      ['data', 'import', usdt, '--asset', 'XYZ-USD', '--append'],
    ],
    { home: homeOf(t) },
  );
  assert.match(first!.stdout, /^added XYZ 1h: 12 bars/);
  assert.match(second!.stdout, /^added XYZ-EUR 1h: 36 bars/);
  assert.match(settled!.stdout, /^added XYZ-USDT-USDT 1h: 36 bars/);
  assert.deepEqual(held(listed!, ['XYZ', 'XYZ-EUR', 'XYZ-USDT-USDT']), [
    ['XYZ', 12],
    ['XYZ-EUR', 36],
    ['XYZ-USDT-USDT', 36],
  ]);
  assert.match(again!.stdout, /^unchanged XYZ 1h/);
});

test('quote-dropped-append: a run on a market that is not held takes no other', async (t) => {
  await assert.rejects(loadBars({ asset: 'BTC/EUR', interval: '1h', home: homeOf(t) }), {
    code: 'NOT_FOUND',
    message: /^no bars of BTC-EUR: BTC is another market; bars imported as BTC-EUR before/,
  });
});

test('two-symbols-csv: rows of several symbols are no single series', async (t) => {
  const file = casePath('two-symbols-csv', 'two-sym-back-to-back.csv');
  const home = homeOf(t);
  const parquet = join(tempFolder(t), 'two.parquet');
  await withDuckDb((connection) =>
    connection.run(`COPY (SELECT * FROM read_csv('${file}')) TO '${parquet}' (FORMAT parquet)`),
  );
  const [refused, refusedParquet, one, fromParquet, each, both, none, unnamed, listed] = await runCliBatch(
    [
      ['data', 'import', file, '--asset', 'ABC'],
      ['data', 'import', parquet, '--asset', 'ABC'],
      ['data', 'import', file, '--asset', 'ABC', '--symbol', 'ETHUSDT'],
      ['data', 'import', parquet, '--asset', 'DEF', '--symbol', 'ETHUSDT', '--json'],
      ['data', 'import', file, '--asset-column', 'Symbol'],
      ['data', 'import', file, '--asset-column', 'symbol', '--asset', 'ABC'],
      ['data', 'import', file, '--asset', 'ABC', '--symbol', 'XRP'],
      ['data', 'import', file, '--asset-column', 'coin'],
      ['data', 'list', '--json'],
    ],
    { home },
  );
  const rule =
    /has rows of 2 symbols, which are no single series: BTCUSDT, ETHUSDT; .*--symbol NAME .*--asset-column NAME/;
  assertRefused(refused!, rule);
  assertRefused(refusedParquet!, rule);
  assert.match(one!.stdout, /^added ABC 1h: 48 bars/);
  const { entry } = jsonOf(fromParquet!) as { entry: Listed & { contentHash: string } };
  assert.equal(entry.bars, 48);
  assert.match(each!.stdout, /^added BTCUSDT 1h: 48 bars.*\n(.*\n)*added ETHUSDT 1h: 48 bars/);
  assertRefused(both!, /asset must be left out with asset-column/);
  assertRefused(none!, /no row has the symbol "XRP", found BTCUSDT, ETHUSDT/);
  assertRefused(unnamed!, /no column "coin" of symbols, found "/);
  assert.deepEqual(held(listed!, ['ABC', 'DEF', 'BTCUSDT', 'ETHUSDT']), [
    ['ABC', 48],
    ['BTCUSDT', 48],
    ['DEF', 48],
    ['ETHUSDT', 48],
  ]);
  await assert.rejects(loadBars({ file }), { code: 'INVALID_DATA', message: rule });
  const [eth, same] = [
    await loadBars({ file, symbol: 'ETHUSDT' }),
    await loadBars({ file: parquet, symbol: 'ETHUSDT' }),
  ];
  assert.equal(eth.barCount, 48);
  assert.equal(same.contentHash, eth.contentHash);
});

test('files of different symbols are no single series either', async (t) => {
  const folder = tempFolder(t);
  const lines = (await readFile(casePath('two-symbols-csv', 'two-sym-back-to-back.csv'), 'utf8')).trim().split('\n');
  const [header, ...rows] = lines;
  const files = [rows.slice(0, 48), rows.slice(48)].map((part) => [header, ...part].join('\n'));
  const [a, b, whole] = ['a.csv', 'b.csv', 'c.csv'].map((name) => join(folder, name)) as [string, string, string];
  await writeFile(a, files[0]!);
  await writeFile(b, files[1]!);
  await copyFile(a, whole);
  const [refused, single, taken] = await runCliBatch(
    [
      ['data', 'import', a, b, '--asset', 'ABC'],
      ['data', 'import', whole, '--asset', 'ONE'],
      ['data', 'import', a, b, '--asset', 'ABC', '--symbol', 'ETHUSDT'],
    ],
    { home: join(folder, 'home') },
  );
  assertRefused(refused!, /a\.csv, b\.csv: has rows of 2 symbols/);
  assert.match(single!.stdout, /^added ONE 1h: 48 bars/);
  assert.match(taken!.stdout, /^added ABC 1h: 48 bars/);
});

test('rsi-after-one-blank: RSI comes back after a blank cell', async (t) => {
  const [run] = await runCliBatch(
    [
      [
        ...['signals', 'evaluate', '--bars', casePath('rsi-after-one-blank', 'col.csv')],
        ...['--requests', casePath('rsi-after-one-blank', 'requests.json'), '--json'],
      ],
    ],
    { home: homeOf(t) },
  );
  const answers = JSON.parse(run!.stdout) as { bars: number[] }[];
  assert.deepEqual(
    answers.map(({ bars }) => [bars.length, bars.at(-1)]),
    [
      [386, 399],
      [386, 399],
      [387, 399],
    ],
  );
});

const importOf = (asset: string, file: string, ...more: string[]) => [
  'data',
  'import',
  file,
  '--asset',
  asset,
  ...more,
];

/** The bars that a home holds of an asset, as rows: open, high, low, close, volume. */
async function storedRows(asset: string, interval: string, home: string): Promise<number[][]> {
  const { open, high, low, close, volume } = await loadBars({ asset, interval, home });
  return [...open].map((price, i) => [price, high[i]!, low[i]!, close[i]!, volume[i]!]);
}

/** The series of 48 hours that several of the reported files hold, each in a layout of its own. */
const hours = {
  text: '48 bars, 2024-12-31T12:00:00Z to 2025-01-02T11:00:00Z\n',
  ends: [
    [100, 100.1, 99.85, 99.9, 27.2582],
    [96.83, 96.92, 96.29, 96.39, 12.1154],
  ],
};
const endsOf = (rows: readonly number[][]) => [rows[0], rows.at(-1)];

test('advice-duplicate-column: the advice of each refusal leads on, to the bars of one ticker', async (t) => {
  const file = casePath('advice-duplicate-column', 'yf-two.csv');
  const home = homeOf(t);
  const second = ['open=9', 'high=5', 'low=7', 'close=3', 'volume=11'].flatMap((place) => ['--column', place]);
  const first = ['open=8', 'high=4', 'low=6', 'close=2', 'volume=10'].flatMap((place) => ['--column', place]);
  const runs = await runCliBatch(
    [
      ...[0, 2, 4, 6, 8, 10].map((length) => importOf('ETH', file, ...second.slice(0, length))),
      importOf('BTC', file, ...first),
      importOf('BTC', file, '--column', 'open=Open'),
    ],
    { home },
  );
  for (const [i, name] of ['open=9', 'high=5', 'low=7', 'close=3', 'volume=11'].entries()) {
    assertRefused(runs[i]!, new RegExp(`line 1: duplicate column .*; data import --column ${name} takes that at this`));
  }
  assertRefused(runs[7]!, /--column open=9 takes that at this position, from 1 on/);
  assert.match(runs[5]!.stdout, /^added ETH 1d: 60 bars, 2024-01-01T00:00:00Z to 2024-02-29T00:00:00Z\n/);
  assert.match(runs[6]!.stdout, /^added BTC 1d: 60 bars, 2024-01-01T00:00:00Z to 2024-02-29T00:00:00Z\n/);
  const [eth, btc] = [await storedRows('ETH', '1d', home), await storedRows('BTC', '1d', home)];
  assert.deepEqual(eth[0], [2100, 2104.551, 2093.585, 2101.8665, 421_813_000]);
  assert.deepEqual(btc[0], [42_000, 42_091.02, 41_871.7, 42_037.33, 4_218_130_000]);
});

test('advice-interval-daily-dst: days of a clock with summer time are refused without a flag that stores 23 h', async (t) => {
  const file = casePath('advice-interval-daily-dst', 'daily-ny.csv');
  const folder = tempFolder(t);
  const dated = join(folder, 'dated.csv');
  const [header, ...rows] = (await readFile(file, 'utf8')).trim().split('\n');
  const dates = rows.map((row) => row.replace(/^\d+/, (time) => new Date(Number(time)).toISOString().slice(0, 10)));
  await writeFile(dated, [header, ...dates].join('\n'));
  const [refused, followed] = await runCliBatch([importOf('N', file), importOf('N', dated)], {
    home: join(folder, 'home'),
  });
  assertRefused(refused!, /line 72: bars must be at least 1d apart .*2024-03-11T04:00:00Z is 23h after the one before/);
  assert.match(refused!.stderr, /a clock that is put forward in spring.*; write the date of each day without a time/);
  assert.doesNotMatch(refused!.stderr, /--interval/);
  // What the refusal asks for is read.
  assert.match(followed!.stdout, /^added N 1d: 300 bars, 2024-01-01T00:00:00Z to 2024-10-26T00:00:00Z\n/);
});

test('column-ignored-no-header: --column names a position where no header names columns', async (t) => {
  const bare = casePath('column-ignored-no-header', 'XBTUSD_60.csv');
  const headed = casePath('column-ignored-no-header', 'kraken-api.csv');
  const home = homeOf(t);
  const [name, outside, place, unknown] = await runCliBatch(
    [
      importOf('X', bare, '--column', 'close=NOPE'),
      importOf('X', bare, '--column', 'close=8'),
      importOf('X', bare, '--column', 'volume=7'),
      importOf('Y', headed, '--column', 'close=NOPE'),
    ],
    { home },
  );
  const rule = /line 1: the file has no header, so data import --column close=NUMBER takes a position 1\.\.7, was "/;
  assertRefused(name!, rule);
  assertRefused(outside!, rule);
  assert.match(place!.stdout, /^added X 1h: 45 bars/);
  assert.deepEqual((await storedRows('X', '1h', home))[0], [100, 100.1, 99.85, 99.9, 27]);
  assertRefused(unknown!, /line 1: no column "NOPE" for close, found "time", "open"/);
});

test('dates-month-names-and-volume-suffix: names of months and K, M, B of volumes are read', async (t) => {
  const home = homeOf(t);
  const columns = ['--sort', '--column', 'close=Price', '--column', 'volume=Vol.'];
  const [old, recent] = await runCliBatch(
    [
      importOf('BTC', casePath('dates-month-names-and-volume-suffix', 'investing-old.csv'), ...columns),
      importOf(
        'BTC',
        casePath('dates-month-names-and-volume-suffix', 'investing-new.csv'),
        ...[...columns, '--dates', 'MM/DD/YYYY'],
      ),
    ],
    { home },
  );
  assert.match(old!.stdout, /^added BTC 1d: 60 bars, 2024-01-01T00:00:00Z to 2024-02-29T00:00:00Z\n/);
  assert.match(recent!.stdout, /^unchanged BTC 1d: 60 bars/);
  const rows = await storedRows('BTC', '1d', home);
  assert.deepEqual(rows.at(-1), [41_102, 41_291, 41_066.3, 41_287.7, 20_580]);
  assert.deepEqual(rows.at(-2), [41_294.8, 41_310.3, 41_072.3, 41_102, 1240]);
});

const layouts: readonly (readonly [name: string, what: string, file: string, further: string, ...more: string[]])[] = [
  // What an API adds to its bars stays beside them.
  ['json-bars', 'the answer of an API is read', 'alpaca.json', '  further columns: n, vw\n'],
  ['json-bars', 'lists of time and prices are read', 'ccxt.json', ''],
  ['separator-pipe', 'a | separates columns', 'pipe.txt', ''],
  ['time-column-stored-twice', 'a named time is no further column', 'bitfinex-hdr.csv', '', '--column', 'time=MTS'],
  ['unit-changes-inside-file', 'each time is read in its own unit', 'vision-concat.csv', ''],
];
for (const [name, what, file, further, ...more] of layouts) {
  test(`${name}: ${what} (${file})`, async (t) => {
    const home = homeOf(t);
    const [run] = await runCliBatch([importOf('T', casePath(name, file), ...more)], { home });
    assert.equal(run!.stdout, `added T 1h: ${hours.text}${further}`);
    assert.deepEqual(endsOf(await storedRows('T', '1h', home)), hours.ends);
  });
}

test('library-epoch-seconds: times in another unit are refused with the unit and the remedy', async () => {
  const start = Date.UTC(2024, 0, 1);
  const rowsOf = <T>(time: (ms: number) => T) =>
    [0, 1, 2].map((i) => ({ time: time(start + i * 3_600_000), open: 10, high: 11, low: 9, close: 10 }));
  const iso = (ms: number) => new Date(ms).toISOString();
  for (const rows of [
    rowsOf((ms) => ms),
    rowsOf((ms) => new Date(ms)),
    rowsOf(iso),
    rowsOf((ms) => iso(ms).slice(0, 19)),
  ]) {
    const bars = await loadBars({ rows });
    assert.deepEqual([bars.time[0], bars.intervalMs, bars.barCount], [start, 3_600_000, 3]);
  }
  const [row] = rowsOf((ms) => ms);
  const { time, ...prices } = row!;
  const seconds = { time: [start / 1000, start / 1000 + 3600], open: [1, 1], high: [1, 1], low: [1, 1], close: [1, 1] };
  const refused: [unknown, RegExp][] = [
    [
      { rows: rowsOf((ms) => ms / 1000) },
      /^bar 0: time must be epoch ms, .* looks like epoch seconds: multiply by 1000/,
    ],
    [{ rows: rowsOf((ms) => ms * 1000) }, /^bar 0: .* looks like epoch microseconds: divide by 1000/],
    [{ rows: rowsOf((ms) => BigInt(ms) * 1_000_000n) }, /^bar 0: .* as a bigint: use Number\(time\), in ms/],
    [{ rows: rowsOf(String) }, /^bar 0: .* as a string: use Number\(time\), in ms/],
    [{ rows: [{ timestamp: time, ...prices }] }, /^bar 0: time is required, the row has timestamp: name it time/],
    [{ rows: [[time, 10, 11, 9, 10, 1]] }, /^bar 0: a row must be an object, was a list; rows\.map\(/],
    [{ columns: seconds }, /^bar 0: .* looks like epoch seconds: multiply by 1000/],
  ];
  for (const [options, message] of refused) {
    await assert.rejects(loadBars(options as Parameters<typeof loadBars>[0]), { code: 'INVALID_DATA', message });
  }
});

test('local-time-spring: --timezone reads times of a clock over its change', async (t) => {
  const file = casePath('local-time-spring', 'dst-spring.csv');
  const [zoned, utc] = await runCliBatch(
    [importOf('NY', file, '--timezone', 'America/New_York'), importOf('UTC', file)],
    { home: homeOf(t) },
  );
  assert.equal(zoned!.stdout, 'added NY 1h: 48 bars, 2024-03-09T12:00:00Z to 2024-03-11T11:00:00Z\n');
  // Without it a time is UTC, as documented, and the hour that the clock leaves out is a gap.
  assert.match(utc!.stdout, /^added UTC 1h: 48 bars, 2024-03-09T07:00:00Z .*\n {2}1 bar missing, 2024-03-10T02:00/);
});

test('mt5-volume-zero: ticks stand in for a volume that is 0 in every row', async (t) => {
  const home = homeOf(t);
  const [run] = await runCliBatch([importOf('BTC', casePath('mt5-volume-zero', 'BTCUSD_H1.csv'))], { home });
  assert.match(
    run!.stdout,
    /^added BTC 1h: 48 bars.*\n {2}the volume is 0 in every row, so the ticks of each bar stand/,
  );
  assert.doesNotMatch(run!.stdout, /without volume/);
  const rows = await storedRows('BTC', '1h', home);
  assert.deepEqual(endsOf(rows), [
    [100, 100.1, 99.85, 99.9, 272],
    [96.83, 96.92, 96.29, 96.39, 121],
  ]);
});

test('turnover-taken-for-volume-htx: the ratio to the other column decides which is the volume', async (t) => {
  const home = homeOf(t);
  const folder = tempFolder(t);
  const file = (name: string) => casePath('turnover-taken-for-volume-htx', name);
  const text = await readFile(file('htx.csv'), 'utf8');
  const [idle, strange] = [join(folder, 'idle.csv'), join(folder, 'strange.csv')];
  const cellsIn = (line: string) => line.split(',');
  const lines = text.trim().split('\n');
  const changed = (change: (cells: string[], i: number) => string[]) =>
    [lines[0], ...lines.slice(1).map((line, i) => change(cellsIn(line), i).join(','))].join('\n');
  await writeFile(
    idle,
    changed((cells, i) => (i < 5 ? [...cells.slice(0, 5), '0', '0', '0'] : cells)),
  );
  await writeFile(
    strange,
    changed((cells) => [...cells.slice(0, 5), '7', ...cells.slice(6)]),
  );
  const time = ['--column', 'time=id'];
  const [json, csv, zeros, named, neither] = await runCliBatch(
    [
      importOf('H', file('htx.json'), '--sort', ...time),
      importOf('H2', file('htx.csv'), ...time),
      importOf('H3', idle, ...time),
      importOf('H4', file('htx.csv'), ...time, '--column', 'volume=vol'),
      importOf('H5', strange, ...time),
    ],
    { home },
  );
  for (const run of [json!, csv!, zeros!]) assert.match(run.stdout, /the volume is "amount": "vol" divided by it lies/);
  assert.doesNotMatch(named!.stdout, /the volume is/);
  assert.match(neither!.stdout, /the volume is "vol" by its name, its ratio to "amount" does not tell/);
  for (const asset of ['H', 'H2']) assert.equal((await storedRows(asset, '1h', home))[0]![4], 47.4103);
  assert.deepEqual(
    (await storedRows('H3', '1h', home)).slice(4, 6).map((row) => row[4]),
    [0, 11.2445],
  );
  assert.equal((await storedRows('H4', '1h', home))[0]![4], 4746.7192);
});

test('clock-change-advice-berlin: an hour that comes twice names the zones whose clocks repeat it', async (t) => {
  const file = casePath('clock-change-advice-berlin', 'berlin.csv');
  const folder = tempFolder(t);
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  const [newest, twice] = [join(folder, 'newest.csv'), join(folder, 'twice.csv')];
  await writeFile(newest, [lines[0], ...lines.slice(1).reverse()].join('\n'));
  await writeFile(twice, [...lines, ...lines.slice(-3)].join('\n'));
  const zone = ['--timezone', 'Europe/Berlin'];
  const [refused, read, reversed, repeated] = await runCliBatch(
    [
      importOf('B', file),
      importOf('B', file, ...zone),
      importOf('B', newest, '--sort', ...zone),
      importOf('C', twice, '--sort'),
    ],
    { home: join(folder, 'home') },
  );
  assertRefused(
    refused!,
    /line 15: timestamp .* is a duplicate .*; clocks .* data import --timezone Europe\/Berlin reads/,
  );
  assert.match(read!.stdout, /^added B 1h: 48 bars, 2024-10-26T12:00:00Z to 2024-10-28T11:00:00Z\n$/);
  assert.match(reversed!.stdout, /^unchanged B 1h: 48 bars/);
  assertRefused(repeated!, /--dedupe leaves repeated rows out/); // no clock repeats the other hours
});

test('unquoted-dates-with-commas: rows with more cells than the header are named as such', async (t) => {
  const [run] = await runCliBatch([importOf('I', casePath('unquoted-dates-with-commas', 'invraw.csv'), '--sort')], {
    home: homeOf(t),
  });
  assertRefused(
    run!,
    /line 2: row has 8 cells, 1 more than the header, which has 7; "Feb 17, 2025", which is one date/,
  );
});

test('json-of-several-symbols-alpaca: one list of several is read, or each', async (t) => {
  const folder = tempFolder(t);
  const home = join(folder, 'home');
  const file = casePath('json-of-several-symbols-alpaca', 'alpaca.json');
  const { bars } = JSON.parse(await readFile(file, 'utf8')) as { bars: Record<string, Record<string, unknown>[]> };
  const listed = join(folder, 'listed.json');
  const columns = join(folder, 'columns.json');
  await writeFile(listed, JSON.stringify(Object.entries(bars).map(([symbol, candles]) => ({ symbol, candles }))));
  const transposed = Object.entries(bars).map(([symbol, rows]) => [
    symbol,
    Object.fromEntries(['t', 'o', 'h', 'l', 'c', 'v', 'n', 'vw'].map((key) => [key, rows.map((row) => row[key])])),
  ]);
  await writeFile(columns, JSON.stringify(Object.fromEntries(transposed)));
  const [one, each, fromList, fromColumns, none, absent, unnamed] = await runCliBatch(
    [
      importOf('ONE', file, '--symbol', 'ETH/USD'),
      ['data', 'import', file, '--asset-column', 'symbol'],
      ['data', 'import', listed, '--asset-column', 'symbol'],
      ['data', 'import', columns, '--asset-column', 'symbol'],
      importOf('X', file),
      importOf('X', file, '--symbol', 'XRP'),
      ['data', 'import', file, '--asset-column', 'coin'],
    ],
    { home },
  );
  assert.match(one!.stdout, /^added ONE 1h: 48 bars/);
  assert.match(each!.stdout, /^added BTC 1h: 48 bars.*\n(.*\n)*added ETH 1h: 48 bars/);
  for (const run of [fromList!, fromColumns!]) assert.match(run.stdout, /^unchanged BTC .*\n(.*\n)*unchanged ETH/);
  assert.deepEqual(await storedRows('ONE', '1h', home), await storedRows('ETH', '1h', home));
  assertRefused(
    none!,
    /has rows of 2 symbols, .*: BTC\/USD, ETH\/USD; data import --symbol NAME .*--asset-column NAME/,
  );
  assertRefused(absent!, /no row has the symbol "XRP", found BTC\/USD, ETH\/USD/);
  assertRefused(unnamed!, /no column "coin" of symbols, found "symbol"/);
});

test('dates-excel-serial: days as Excel counts them are named, and read by a flag', async (t) => {
  const folder = tempFolder(t);
  const home = join(folder, 'home');
  const file = casePath('dates-excel-serial', 'exday.csv');
  const hourly = join(folder, 'hourly.csv');
  const rows = [0, 1, 2, 3].map((hour) => `${(45_658 + hour / 24).toFixed(10)},100,101,99,100,5`);
  await writeFile(hourly, ['Date,Open,High,Low,Close,Volume', ...rows].join('\n'));
  const [refused, read, intraday] = await runCliBatch(
    [importOf('A', file), importOf('A', file, '--dates', 'excel'), importOf('A', hourly, '--dates', 'excel')],
    { home },
  );
  assertRefused(refused!, /was "45658", which is 2025-01-01T00:00:00Z as Excel counts days; data import --dates excel/);
  assert.match(read!.stdout, /^added A 1d: 48 bars, 2025-01-01T00:00:00Z to 2025-02-17T00:00:00Z\n$/);
  assert.match(intraday!.stdout, /^added A 1h: 4 bars, 2025-01-01T00:00:00Z to 2025-01-01T03:00:00Z\n$/);
});

test('order-of-columns-coinbase: rows in another order are refused with the flags that read them', async (t) => {
  const folder = tempFolder(t);
  const home = join(folder, 'home');
  const named = (name: string) => casePath('order-of-columns-coinbase', name);
  const rows = JSON.parse(await readFile(named('coinbase.json'), 'utf8')) as number[][];
  const [csv, exchanged] = [join(folder, 'gdax.csv'), join(folder, 'exchanged.csv')];
  await writeFile(csv, rows.map((row) => row.join(',')).join('\n'));
  const swapped = rows.map(([time, low, high, open, close, volume]) => [time, close, high, low, open, volume]);
  await writeFile(exchanged, swapped.map((row) => row.join(',')).join('\n'));
  const files = [named('coinbase.json'), csv, named('gate.json'), exchanged];
  const refusals = await runCliBatch(
    files.map((file) => importOf('C', file, '--sort')),
    { home },
  );
  const flags = refusals.map((run) => {
    assertRefused(run, /the rows are not in the order time, open, high, low, close, volume; data import --column/);
    return [...run.stderr.matchAll(/--column (\w+=\d)/g)].map(([, flag = '']) => flag);
  });
  assert.deepEqual(flags, [
    ['open=4', 'high=3', 'low=2', 'close=5'],
    ['open=4', 'high=3', 'low=2', 'close=5'],
    ['open=6', 'high=4', 'low=5', 'close=3', 'volume=7'],
    ['open=5', 'high=3', 'low=4', 'close=2'],
  ]);
  const read = await runCliBatch(
    files.map((file, i) => importOf('C', file, '--sort', ...(flags[i] ?? []).flatMap((flag) => ['--column', flag]))),
    { home },
  );
  assert.match(read[0]!.stdout, /^added C 1h: 48 bars/);
  for (const run of read.slice(1)) assert.match(run.stdout, /^unchanged C 1h/);
  assert.deepEqual((await storedRows('C', '1h', home))[0], [100, 100.39, 99.71, 100.12, 47.4103]);
});

test('time-of-last-trade-taken-for-open: the column on the grid is read, or asked for', async (t) => {
  const folder = tempFolder(t);
  const file = casePath('time-of-last-trade-taken-for-open', 'upbit.json');
  const rows = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>[];
  const local = join(folder, 'local.json');
  await writeFile(local, JSON.stringify(rows.map(({ candle_date_time_utc: _, ...row }) => row)));
  const names = ['open=opening_price', 'high=high_price', 'low=low_price', 'close=trade_price'];
  const columns = [...names, 'volume=candle_acc_trade_volume'].flatMap((name) => ['--column', name]);
  // The same rows as other programs write them to Parquet: times of both kinds, and whole numbers.
  const rowsOf = (path: string) => `SELECT * FROM read_json_auto('${path}')`;
  const zoned = `SELECT * REPLACE (candle_date_time_utc::TIMESTAMP AT TIME ZONE 'UTC' AS candle_date_time_utc) FROM (${rowsOf(file)})`;
  const parquet = [
    await parquetOf(join(folder, 'plain.parquet'), rowsOf(file)),
    await parquetOf(join(folder, 'zoned.parquet'), zoned),
  ];
  const localParquet = await parquetOf(join(folder, 'local.parquet'), rowsOf(local));
  const [asked, askedAgain, chosen, ...read] = await runCliBatch(
    [
      importOf('L', local, '--sort', ...columns),
      importOf('L', localParquet, '--sort', ...columns),
      importOf('L', local, '--sort', ...columns, '--column', 'time=timestamp'),
      ...[file, ...parquet].map((path, i) => importOf(`U${i}`, path, '--sort', ...columns)),
    ],
    { home: join(folder, 'home') },
  );
  for (const { stdout, stderr } of read) {
    assert.match(stdout, /^added U\d 1h: 48 bars, 2025-01-01T00:00:00Z to 2025-01-02T23:00:00Z\n/, stderr);
    assert.match(stdout, /the time is "candle_date_time_utc": "timestamp" is off the grid of its interval/);
  }
  for (const refused of [asked, askedAgain])
    assertRefused(refused!, /"timestamp" is off the grid .*--column time=timestamp or time=candle_date_time_kst says/);
  assert.match(chosen!.stdout, /^added L 1h: 48 bars, 2025-01-01T00:59:59Z/);
});

test('permission-import: a home that cannot be written is named, with the exit code of bad input', async (t) => {
  const folder = tempFolder(t);
  const locked = join(folder, 'locked');
  const bars = join(folder, 'bars.csv');
  await copyFile(casePath('column-ignored-no-header', 'XBTUSD_60.csv'), bars);
  await mkdir(locked, { mode: 0o555 });
  await chmod(folder, 0o755);
  // Root may write anywhere, so the command runs as nobody.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const { status, stderr, stdout } = spawnSync(process.execPath, commandArgs(...importOf('X', bars)), {
    ...nobody,
    env: { ...process.env, BARLINE_HOME: join(locked, 'home') },
    encoding: 'utf8',
  });
  assertRefused({ code: status, stdout, stderr }, /BARLINE_HOME ".*locked\/home" cannot be used: permission denied/);
});

test('tilde-home: a ~ in BARLINE_HOME is the folder of the user', async (t) => {
  const [user, elsewhere] = [tempFolder(t), tempFolder(t)];
  const bars = casePath('column-ignored-no-header', 'XBTUSD_60.csv');
  const [run] = await runCliBatch([importOf('T', bars)], {
    home: '~/bl',
    cwd: elsewhere,
    env: { HOME: user, USERPROFILE: user },
  });
  assert.match(run!.stdout, /^added T 1h: 45 bars/);
  assert.deepEqual(await readdir(elsewhere), []);
  assert.equal((await loadBars({ asset: 'T', interval: '1h', home: join(user, 'bl') })).barCount, 45);
});
