import assert from 'node:assert/strict';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { withDuckDb } from '../../data/duckdb.js';
import { loadBars } from '../../library/data.js';
import { assertRefused, jsonOf, runCliBatch } from '../support/cli.js';
import { tempFolder } from '../support/data-fixtures.js';
import { goldenPath } from '../support/tree.js';

/** Reported situations of data, as commands: the inputs in `cases/`, and the right answer. */

const fileOf = (name: string, file: string) => goldenPath(join('cases', name, file));
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
  const usdt = fileOf('quote-dropped-append', 'usdt.csv');
  const eur = fileOf('quote-dropped-append', 'eur.csv');
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
  const file = fileOf('two-symbols-csv', 'two-sym-back-to-back.csv');
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
  const lines = (await readFile(fileOf('two-symbols-csv', 'two-sym-back-to-back.csv'), 'utf8')).trim().split('\n');
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
        ...['signals', 'evaluate', '--bars', fileOf('rsi-after-one-blank', 'col.csv')],
        ...['--requests', fileOf('rsi-after-one-blank', 'requests.json'), '--json'],
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
