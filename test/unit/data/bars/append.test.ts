import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBars } from '../../../../data/bars/index.js';
import { type BarSeries, sliceBars } from '../../../../engine/series/bars.js';
import { HOUR_MS } from '../../../../engine/series/intervals.js';
import { bytesOf, csvOf, fileOf, refuses, tempFolder } from '../../../support/data-fixtures.js';
import { randomBars } from '../../../support/random.js';

const whole = randomBars({ seed: 5, barCount: 100, gapChance: 0.05 });
const csvFile = (folder: string, name: string, bars: BarSeries) => fileOf(folder, name, csvOf(bars));
/** The bars with one close changed. */
const changed = (bars: BarSeries, index: number): BarSeries => {
  const close = Float64Array.from(bars.close);
  close[index] = (bars.high[index]! + bars.low[index]!) / 2;
  return { ...bars, close };
};

test('parts appended in any order, overlapping or not, make the series that one import makes', async (t) => {
  const folder = tempFolder(t);
  const store = openBars({ home: folder });
  const load = async () => bytesOf((await store.load({ asset: 'BTC', intervalMs: HOUR_MS })).bars);
  const parts = [
    [40, 60],
    [70, 100],
    [0, 45],
    [55, 75],
  ] as const;
  const statuses: string[] = [];
  for (const [k, [from, to]] of parts.entries()) {
    const path = await csvFile(folder, `${k}.csv`, sliceBars(whole, from, to));
    statuses.push((await store.import(path, { asset: 'BTC', append: true, exchange: 'Somewhere' })).status);
  }
  assert.deepEqual(statuses, ['added', 'extended', 'extended', 'extended']);
  assert.deepEqual(await load(), bytesOf(whole));
  const [entry] = await store.list();
  assert.equal(entry!.origin.source, '0.csv, 1.csv, 2.csv, 3.csv');
  assert.equal(entry!.exchange, 'Somewhere');
  assert.deepEqual((await store.check())[0]!.problems, []);
  assert.deepEqual((await readdir(join(folder, 'bars'))).sort(), [entry!.file, 'catalogue.json']);
  const again = await store.import(join(folder, '1.csv'), { asset: 'BTC', append: true });
  assert.equal(again.status, 'unchanged');
});

test('other values at a stored time are refused until a flag says which stay', async (t) => {
  const folder = tempFolder(t);
  const store = openBars({ home: folder });
  await store.import(await csvFile(folder, 'a.csv', sliceBars(whole, 0, 60)), { asset: 'BTC' });
  const before = await readFile(join(folder, 'bars/catalogue.json'));
  const path = await csvFile(folder, 'b.csv', sliceBars(changed(whole, 50), 40, 100));
  const append = (overlap?: 'held' | 'new') => store.import(path, { asset: 'BTC', append: true, overlap });
  await refuses(
    append(),
    'CONFLICT',
    /^close of .* is .*, held is .*; --overlap new takes the new bars there, --overlap held keeps the held ones$/,
  );
  assert.deepEqual(await readFile(join(folder, 'bars/catalogue.json')), before);
  const loaded = async () => bytesOf((await store.load({ asset: 'BTC', intervalMs: HOUR_MS })).bars);
  await append('held');
  assert.deepEqual(await loaded(), bytesOf(whole));
  await append('new');
  assert.deepEqual(await loaded(), bytesOf(changed(whole, 50)));
});

test('an appended series has the columns of both', async (t) => {
  const folder = tempFolder(t);
  const store = openBars({ home: folder });
  const withColumn = (bars: BarSeries, name: string) => ({
    ...bars,
    columns: { [name]: Float64Array.from(bars.close) },
  });
  await store.import(await csvFile(folder, 'a.csv', withColumn(sliceBars(whole, 0, 60), 'Score')), { asset: 'BTC' });
  const path = await csvFile(folder, 'b.csv', withColumn(sliceBars(whole, 50, 100), 'Flow'));
  await store.import(path, { asset: 'BTC', append: true });
  const { columns } = (await store.load({ asset: 'BTC', intervalMs: HOUR_MS })).bars;
  const close = [...whole.close];
  assert.deepEqual(
    [...columns.Score!],
    close.map((value, i) => (i < 60 ? value : NaN)),
  );
  assert.deepEqual(
    [...columns.Flow!],
    close.map((value, i) => (i < 50 ? NaN : value)),
  );
});
