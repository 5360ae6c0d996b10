import assert from 'node:assert/strict';
import { access, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isPerpetual, normaliseAsset, openBars, readBarsFile, writeBars } from '../../../../data/bars/index.js';
import type { BarSeries } from '../../../../engine/series/bars.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../engine/series/intervals.js';
import { bytesOf, csvOf, fileOf, refuses, tempFolder } from '../../../support/data-fixtures.js';
import { randomBars } from '../../../support/random.js';
import { root } from '../../../support/tree.js';

const series = (seed: number, intervalMs = HOUR_MS) => randomBars({ seed, barCount: 200, intervalMs, gapChance: 0.05 });
const csvFile = (folder: string, name: string, bars: BarSeries) => fileOf(folder, name, csvOf(bars));

test('asset names lose a quote of USD or USDT; another quote or a settlement is another market', () => {
  for (const name of ['BTC', 'btc-usd', ' BTC-USDT', 'BTC/USDT', 'BTC/USD', 'BTC-'])
    assert.equal(normaliseAsset(name), 'BTC');
  for (const [name, asset, isPerp] of [
    ['BTC/EUR', 'BTC-EUR', false],
    ['eth-btc', 'ETH-BTC', false],
    ['BTC/USDC', 'BTC-USDC', false],
    ['BTC/USDT:USDT', 'BTC-USDT-USDT', true],
    ['BTC/USD:BTC', 'BTC-USD-BTC', true],
    ['BTC/USDT:USDT-261225', 'BTC-USDT-USDT-261225', false],
    ['BTC-PERP', 'BTC-PERP', true],
    ['BTC-USDC-PERP', 'BTC-USDC-PERP', true],
  ] as const) {
    assert.equal(normaliseAsset(name), asset);
    assert.equal(normaliseAsset(asset), asset, 'a stored name stays');
    assert.equal(isPerpetual(name), isPerp, name);
    assert.equal(isPerpetual(asset), isPerp, asset);
  }
  const path = ['../BTC', '..', '.', '/BTC', 'A\\B', 'CON', 'nul', 'com1.x'];
  const sign = ['', '-', 'B TC', 'A\0B', 'A\nB', '\u0131', '\ufb01l', 'B\u200bTC', '\u0412TC', 'A'.repeat(33)];
  for (const name of [...path, ...sign, 7, null]) {
    assert.throws(() => normaliseAsset(name), { code: 'INVALID_FIELD' }, String(name));
  }
  assert.equal(normaliseAsset('btc-perp'), 'BTC-PERP');
  assert.equal(normaliseAsset('BTCUSDT'), 'BTCUSDT');
});

test('an import is listed, described and loaded bit for bit', async (t) => {
  const folder = tempFolder(t);
  const bars = series(1);
  const store = openBars({ home: join(folder, 'home'), now: () => Date.UTC(2025, 0, 1) });
  assert.deepEqual(await store.list(), []);

  const path = await csvFile(folder, 'mine.csv', bars);
  const { status, entry, gaps, offGridBars } = await store.import(path, {
    asset: 'btc/usdt',
    exchange: 'Somewhere',
    licence: 'MIT',
  });
  assert.equal(status, 'added');
  assert.equal(offGridBars, 0);
  assert.ok(gaps.length > 0);
  const { contentHash } = await readBarsFile(path);
  assert.deepEqual(entry, {
    asset: 'BTC',
    interval: '1h',
    file: `BTC-1h-${contentHash.slice(0, 12)}.parquet`,
    bars: 200,
    firstTime: '2024-01-01T00:00:00Z',
    lastTime: new Date(bars.time[199]!).toISOString().replace('.000', ''),
    gaps: { count: gaps.length, missingBars: gaps.reduce((sum, gap) => sum + gap.bars, 0) },
    zeroVolumeBars: [...bars.volume].filter((volume) => volume === 0).length,
    contentHash,
    columns: ['timestamp', 'open', 'high', 'low', 'close', 'volume'],
    origin: { source: 'mine.csv', importedAt: '2025-01-01T00:00:00Z' },
    exchange: 'Somewhere',
    licence: 'MIT',
  });
  assert.ok(await store.has('BTC', HOUR_MS));
  assert.ok(!(await store.has('BTC', DAY_MS)));
  const loaded = await store.load({ asset: 'BTC', intervalMs: HOUR_MS });
  assert.deepEqual(bytesOf(loaded.bars), bytesOf(bars));
  assert.ok(loaded.bars.time.buffer instanceof SharedArrayBuffer);
  assert.deepEqual(loaded.gaps, gaps);
  assert.deepEqual(await store.list(), [loaded.entry]);
  assert.deepEqual(await store.check(), [{ entry: loaded.entry, problems: [] }]);
  assert.deepEqual((await readdir(join(folder, 'home/bars'))).sort(), [entry.file, 'catalogue.json']);
});

test('different bars conflict unless the import replaces the old ones', async (t) => {
  const folder = tempFolder(t);
  const store = openBars({ home: folder });
  const { entry } = await store.import(await csvFile(folder, 'a.csv', series(1)), { asset: 'BTC' });
  const other = await csvFile(folder, 'b.csv', series(2));
  await refuses(
    store.import(other, { asset: 'BTC' }),
    'CONFLICT',
    /^other bars of BTC 1h are held: 200 from 2024-01-01T00:00:00Z to /,
  );
  assert.deepEqual((await store.list())[0]!.contentHash, entry.contentHash);
  const replaced = await store.import(other, { asset: 'BTC', replace: true });
  assert.equal(replaced.status, 'replaced');
  assert.deepEqual(bytesOf((await store.load({ asset: 'BTC', intervalMs: HOUR_MS })).bars), bytesOf(series(2)));
  await assert.rejects(access(join(folder, 'bars', entry.file)), { code: 'ENOENT' });
});

test('a refusal for bars that are not held names those that are', async (t) => {
  const folder = tempFolder(t);
  const store = openBars({ home: folder });
  await refuses(
    store.load({ asset: 'BTC', intervalMs: HOUR_MS }),
    'NOT_FOUND',
    /^no bars of BTC \(no bars are held\); barline data fetch downloads bars$/,
  );
  await store.import(await csvFile(folder, 'a.csv', series(1)), { asset: 'BTC' });
  await store.import(await csvFile(folder, 'b.csv', series(2)), { asset: 'DOGE' });
  await refuses(
    store.load({ asset: 'btd', intervalMs: HOUR_MS }),
    'NOT_FOUND',
    /^no bars of BTD, did you mean BTC\? \(held: BTC, DOGE\); barline data fetch downloads bars$/,
  );
  await refuses(
    store.load({ asset: 'XYZ', intervalMs: HOUR_MS }),
    'NOT_FOUND',
    /^no bars of XYZ \(held: BTC, DOGE\); barline data fetch downloads bars$/,
  );
  await refuses(
    store.load({ asset: 'BTC', intervalMs: 2 * HOUR_MS }),
    'NOT_FOUND',
    /^no 2h bars of BTC \(held: 1h\); barline data fetch downloads bars$/,
  );
  await refuses(
    store.resolveSource('BTC', 5 * MINUTE_MS),
    'NOT_FOUND',
    /^no 5m bars of BTC, and no finer bars to aggregate \(held: 1h\); barline data fetch downloads bars, and a run with allow_generated_bars draws them within the held 1h bars$/,
  );
});

test("the user's series win over bundled ones of any interval, and longer finer ones over short coarse ones", async (t) => {
  const folder = tempFolder(t);
  const home = join(folder, 'home');
  const store = openBars({ home, sampleDir: join(root, 'sample') });
  const sourceOf = async (intervalMs: number, from?: string) => {
    const { entry } = await store.resolveSource('BTC', intervalMs, from === undefined ? undefined : Date.parse(from));
    return `${entry.isSample ? 'bundled' : 'own'} ${entry.interval}`;
  };
  assert.equal(await sourceOf(DAY_MS), 'bundled 1d');
  assert.equal(await sourceOf(DAY_MS, '2021-01-01'), 'bundled 1d');
  assert.equal(await sourceOf(DAY_MS, '2018-01-01'), 'bundled 1h'); // the days begin on 2020-09-20
  assert.equal(await sourceOf(HOUR_MS, '2010-01-01'), 'bundled 1h'); // nothing else begins earlier
  await store.import(await csvFile(folder, 'own.csv', series(1, 15 * MINUTE_MS)), { asset: 'BTC' });
  assert.deepEqual(
    [await sourceOf(HOUR_MS), await sourceOf(DAY_MS), await sourceOf(15 * MINUTE_MS), await sourceOf(5 * MINUTE_MS)],
    ['own 15m', 'own 15m', 'own 15m', 'bundled 5m'],
  );
});

test("the user's bars hide the sample's of the same name, and no import writes to the sample", async (t) => {
  const folder = tempFolder(t);
  const maker = openBars({ home: join(folder, 'made') });
  await maker.import(await csvFile(folder, 'a.csv', series(1)), { asset: 'BTC' });
  await maker.import(await csvFile(folder, 'b.csv', series(2)), { asset: 'ETH' });
  const sampleDir = join(folder, 'made/bars');
  const sampleFiles = await readdir(sampleDir);
  const store = openBars({ home: join(folder, 'home'), sampleDir });
  const bundled = async () => (await store.list()).filter(({ isSample }) => isSample).map(({ asset }) => asset);
  assert.deepEqual(await bundled(), ['BTC', 'ETH']);
  const { status } = await store.import(await csvFile(folder, 'c.csv', series(3)), { asset: 'BTC' });
  assert.equal(status, 'added');
  assert.deepEqual(await bundled(), ['ETH']);
  assert.deepEqual(bytesOf((await store.load({ asset: 'BTC', intervalMs: HOUR_MS })).bars), bytesOf(series(3)));
  assert.deepEqual(bytesOf((await store.load({ asset: 'ETH', intervalMs: HOUR_MS })).bars), bytesOf(series(2)));
  assert.deepEqual(await readdir(sampleDir), sampleFiles);
});

test('a broken catalogue is refused by name', async (t) => {
  const home = tempFolder(t);
  const store = openBars({ home });
  const { entry } = await store.import(await csvFile(home, 'a.csv', series(1)), { asset: 'BTC' });
  const path = join(home, 'bars/catalogue.json');
  const broken: readonly (readonly [string, RegExp])[] = [
    ['{"version": 1, "entr', /catalogue\.json is not valid JSON$/],
    ['{"version":2,"entries":[]}', /catalogue\.json must be of version 1, was 2$/],
    [JSON.stringify({ version: 1, entries: [entry, null] }), /entry 2: entry is missing or wrong$/],
    [
      JSON.stringify({ version: 1, entries: [{ ...entry, file: '../../x.parquet' }] }),
      /entry 1: file is missing or wrong$/,
    ],
  ];
  for (const [text, message] of broken) {
    await writeFile(path, text);
    await refuses(store.list(), 'INVALID_DATA', message);
    await refuses(store.import(join(home, 'a.csv'), { asset: 'BTC' }), 'INVALID_DATA', message);
    assert.equal(await readFile(path, 'utf8'), text);
  }
});

test('a check finds missing, damaged and exchanged files, and an import repairs them', async (t) => {
  const home = tempFolder(t);
  const store = openBars({ home });
  const path = await csvFile(home, 'a.csv', series(1));
  const { entry } = await store.import(path, { asset: 'BTC' });
  const stored = join(home, 'bars', entry.file);
  const bytes = await readFile(stored);
  const problems = async () => (await store.check())[0]!.problems;

  await writeFile(stored, bytes.subarray(0, bytes.length / 2));
  assert.match((await problems())[0]!, /is not a Parquet file, or is cut short$/);
  await refuses(
    store.load({ asset: 'BTC', intervalMs: HOUR_MS }),
    'INVALID_DATA',
    /^BTC-1h-\w+\.parquet cannot be read, import it again: /,
  );

  await writeBars(stored, series(2));
  assert.match((await problems()).join('\n'), /contentHash must be "\w{64}", is "\w{64}"$/m);

  assert.equal((await store.import(path, { asset: 'BTC' })).status, 'replaced');
  assert.deepEqual(await problems(), []);
});
