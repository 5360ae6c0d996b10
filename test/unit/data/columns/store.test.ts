import assert from 'node:assert/strict';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { openBars, writeBars } from '../../../../data/bars/index.js';
import { checkColumn, openColumns } from '../../../../data/columns/index.js';
import { allocateBars, HOUR_MS } from '../../../../engine/series/index.js';
import { columnar, type PlainRow } from '../../../support/columns.js';
import { refuses, tempFolder } from '../../../support/data-fixtures.js';
import { randomBars } from '../../../support/random.js';
import { root } from '../../../support/tree.js';

const bars = randomBars({ seed: 1, barCount: 48 });
const start = bars.time[0]!;
const everyColumn = ['Score', ...Array.from({ length: 64 }, (_, k) => `C${k + 1}`)];
const at = (hour: number, value: number): PlainRow => ({
  period: start + hour * HOUR_MS,
  published: start + hour * HOUR_MS,
  value,
});

async function homeWithBars(t: TestContext, columns: readonly string[] = []) {
  const home = tempFolder(t);
  const file = join(home, 'bars.parquet');
  const own = allocateBars(bars.barCount, HOUR_MS, columns);
  for (const name of ['time', 'open', 'high', 'low', 'close', 'volume'] as const) own[name].set(bars[name]);
  for (const column of Object.values(own.columns)) column.fill(1);
  await writeBars(file, own);
  const store = openBars({ home });
  await store.import(file, { asset: 'RND' });
  return { home, store, columns: openColumns({ home, now: () => 0 }) };
}

const add = (rows: readonly PlainRow[], column = 'Score', more: object = {}) => ({
  ...{ asset: 'RND', column, rows: columnar(rows), source: 'test' },
  ...more,
});

test('an added column is joined to stored bars of any interval, whole and by window', async (t) => {
  const { store, columns } = await homeWithBars(t);
  const { status, entry } = await columns.add(add([at(10, 5), at(20, 6)]));
  assert.equal(status, 'added');
  assert.deepEqual([entry.values, entry.revisions], [2, 0]);
  const { bars: whole, entry: stored } = await store.load({ asset: 'RND', intervalMs: HOUR_MS, columns: everyColumn });
  assert.deepEqual(stored.beside, ['Score']);
  assert.deepEqual(whole.carried, ['Score']);
  const expected = Array.from(bars.time, (ms) =>
    ms + HOUR_MS < start + 10 * HOUR_MS ? NaN : ms + HOUR_MS < start + 20 * HOUR_MS ? 5 : 6,
  );
  assert.deepEqual([...whole.columns.Score!], expected);
  const { bars: part } = await store.load({
    asset: 'RND',
    intervalMs: HOUR_MS,
    columns: everyColumn,
    fromMs: start + 25 * HOUR_MS,
  });
  assert.deepEqual(new Set(part.columns.Score), new Set([6]), 'the window begins with the value known before it');
});

test('adding again extends, keeps first values, and is idempotent; --replace starts over', async (t) => {
  const { columns } = await homeWithBars(t);
  await columns.add(add([at(1, 1), at(2, 2)]));
  const extended = await columns.add(add([at(2, 9), at(3, 3)]));
  assert.equal(extended.status, 'extended');
  assert.deepEqual([extended.entry.values, extended.entry.revisions], [3, 1]);
  const again = await columns.add(add([at(2, 9), at(3, 3)]));
  assert.equal(again.status, 'unchanged');
  assert.deepEqual(again.entry.revisions, 1);
  const replaced = await columns.add(add([at(2, 9)], 'Score', { replace: true }));
  assert.deepEqual([replaced.status, replaced.entry.values, replaced.entry.revisions], ['replaced', 1, 0]);
  assert.equal((await columns.list()).length, 1);
});

test('a column of the imported file hides an added one of its name', async (t) => {
  const { store, columns } = await homeWithBars(t, ['Score']);
  await columns.add(add([at(1, 9)]));
  const { bars: loaded, entry } = await store.load({ asset: 'RND', intervalMs: HOUR_MS, columns: everyColumn });
  assert.deepEqual(new Set(loaded.columns.Score), new Set([1]));
  assert.deepEqual([entry.added, entry.beside, loaded.carried], [[], ['Score'], []]);
});

test('an asset has at most 64 added columns, with names that differ in more than case', async (t) => {
  const { columns, store } = await homeWithBars(t);
  for (let k = 1; k <= 64; k++) await columns.add(add([at(1, k)], `C${k}`));
  await refuses(columns.add(add([at(1, 1)], 'C65')), 'INVALID_FIELD', /at most 64 added columns, RND has 64$/);
  assert.equal((await columns.add(add([at(2, 1)], 'C64'))).status, 'extended');
  await refuses(
    columns.add(add([at(1, 1)], 'c1')),
    'INVALID_FIELD',
    /c1 differs only in case from the column C1 of RND/,
  );
  const { bars: loaded } = await store.load({ asset: 'RND', intervalMs: HOUR_MS, columns: everyColumn });
  assert.equal(Object.keys(loaded.columns).length, 64);
  assert.equal(loaded.columns.C64!.at(-1), 1);
  await refuses(
    columns.add(add([at(1, NaN)], 'Empty', { asset: 'OTHER' })),
    'INVALID_DATA',
    /Empty: no row has a value/,
  );
});

test('the bundled columns are sound, and are what the recordings published', async (t) => {
  const sampleDir = join(root, 'sample');
  const columns = openColumns({ home: tempFolder(t), sampleDir });
  const checked = [];
  for (const entry of await columns.list())
    checked.push([entry.asset, entry.column, entry.isSample, await checkColumn(entry)]);
  assert.deepEqual(
    checked,
    [
      ['BTC', 'FearGreed'],
      ['BTC', 'PerpFundingRate'],
      ['ETH', 'ActiveAddresses'],
      ['ETH', 'FearGreed'],
      ['ETH', 'PerpFundingRate'],
    ].map(([asset, column]) => [asset, column, true, []]),
  );
});
