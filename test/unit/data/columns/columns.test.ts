import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readSeries } from '../../../../data/columns/index.js';
import { mergeRows } from '../../../../data/columns/series.js';
import { DAY_MS, HOUR_MS } from '../../../../engine/series/index.js';
import { columnar, type PlainRow } from '../../../support/columns.js';
import { fileOf, parquetOf, refuses, tempFolder } from '../../../support/data-fixtures.js';

type Row = readonly [period: number, published: number, value: number];

const merged = (...rows: readonly Row[]) =>
  mergeRows(null, columnar(rows.map(([period, published, value]): PlainRow => ({ period, published, value }))));

test('a revision changes nothing, however early it stands in the file', () => {
  const { series } = merged([1, 20, 9], [1, 10, 5], [2, 30, 6], [1, 40, 5]);
  assert.deepEqual([...series.value], [5, 6]);
  assert.deepEqual([...series.revised], [1, 0]);
  const same = merged([1, 10, 5], [1, 20, 5]);
  assert.deepEqual([...same.series.revised], [0], 'the same value again is no revision');
});

test('what is published after a newer period is left out', () => {
  const { series, lateRows } = merged([1, 50, 5], [2, 30, 6], [3, 60, 7]);
  assert.deepEqual([...series.period], [2, 3]);
  assert.equal(lateRows, 1);
});

test('rows without a value are counted and leave the earlier value', () => {
  const { series, emptyRows } = merged([1, 10, 5], [2, 20, NaN], [3, 30, Infinity], [4, 40, -0]);
  assert.deepEqual([...series.value], [5, 0]);
  assert.ok(Object.is(series.value[1], 0));
  assert.equal(emptyRows, 2);
  assert.deepEqual([...merged([2, 20, NaN], [2, 25, 8]).series.value], [8], 'the first value, not the first row');
});

test('a held value stays when later rows come, of any time of publication', () => {
  const held = merged([1, 10, 5], [2, 20, 6]).series;
  const more = mergeRows(
    held,
    columnar([
      { period: 1, published: 5, value: 4 },
      { period: 3, published: 30, value: 7 },
    ]),
  );
  assert.deepEqual([...more.series.value], [5, 6, 7]);
  assert.deepEqual([...more.series.published], [10, 20, 30]);
  assert.deepEqual([...more.series.revised], [1, 0, 0]);
  const again = mergeRows(more.series, columnar([{ period: 1, published: 5, value: 4 }]));
  assert.deepEqual(again.series, more.series);
});

const day = (n: number) => Date.UTC(2024, 0, n);

const csv = (t: TestContext, ...lines: readonly string[]) => fileOf(tempFolder(t), 'series.csv', lines.join('\n'));
const none = { periodMs: 0 };

test('a period is published at its end, or when its own column says', async (t) => {
  const path = await csv(t, 'day,seen,x', '2024-01-01,2024-01-02T06:00:00Z,1', '2024-01-02,2024-01-03T00:00:00Z,2');
  const byPeriod = await readSeries(path, { time: 'day', periodMs: DAY_MS });
  assert.deepEqual([...byPeriod.rows.get('x')!.published], [day(2), day(3)]);
  assert.deepEqual([byPeriod.gridMs, [...byPeriod.rows.keys()]], [null, ['x']]);
  const columns = new Map([['Renamed', 'x']]);
  const seen = await readSeries(path, { time: 'day', published: 'seen', periodMs: DAY_MS, columns });
  assert.deepEqual([...seen.rows.get('Renamed')!.published], [day(2) + 6 * HOUR_MS, day(3)]);
  assert.deepEqual([...seen.rows.get('Renamed')!.period], [day(1), day(2)]);
});

test('a publication before the end of its period is refused, because the value was unknown then', async (t) => {
  const path = await csv(t, 'day,seen,x', '2024-01-01,2024-01-02T00:00:00Z,1', '2024-01-02,2024-01-02T23:59:59Z,2');
  const request = { time: 'day', published: 'seen', periodMs: DAY_MS };
  await refuses(
    readSeries(path, request),
    'INVALID_DATA',
    /^series\.csv line 3: published 2024-01-02T23:59:59Z before the end of its period, 2024-01-03T00:00:00Z$/,
  );
  assert.equal((await readSeries(path, { ...request, periodMs: 0 })).rows.get('x')!.value.length, 2);
});

test('Parquet is read like CSV, with times of any type', async (t) => {
  const folder = tempFolder(t);
  const times = [
    "TIMESTAMP '2024-01-01'",
    "DATE '2024-01-01'",
    "TIMESTAMPTZ '2024-01-01 00:00:00+00'",
    "'2024-01-01'",
    '1704067200',
  ];
  for (const [k, time] of times.entries()) {
    const path = await parquetOf(join(folder, `${k}.parquet`), `SELECT ${time} AS timestamp, 3 AS x, 'a' AS note`);
    const { rows } = await readSeries(path, none);
    assert.deepEqual(
      [[...rows.keys()], [...rows.get('x')!.period], [...rows.get('x')!.value]],
      [['x'], [day(1)], [3]],
      time,
    );
  }
  const fine = await parquetOf(
    join(folder, 'us.parquet'),
    "SELECT TIMESTAMP '2024-01-01 00:00:00.000001' AS time, 3 AS x",
  );
  assert.deepEqual([...(await readSeries(fine, none)).rows.get('x')!.published], [day(1) + 1], 'never known earlier');
  const missing = await parquetOf(join(folder, 'null.parquet'), 'SELECT NULL::TIMESTAMP AS time, 3 AS x');
  await refuses(readSeries(missing, none), 'INVALID_DATA', /null\.parquet row 1: time is missing/);
});

const refused: Record<string, [lines: string[], request: Parameters<typeof readSeries>[1], message: RegExp]> = {
  'an unknown time column': [['day,x', '2024-01-01,1'], { ...none, time: 'dya' }, /no column "dya", found "day", "x"/],
  'an unknown column': [['time,x', '2024-01-01,1'], { ...none, columns: new Map([['A', 'y']]) }, /no column "y"/],
  'text in a named column': [
    ['time,x', '2024-01-01,1', '2024-01-02,up'],
    { ...none, columns: new Map([['A', 'x']]) },
    /line 3: A must be a number, was "up"/,
  ],
};
for (const [what, [lines, request, message]] of Object.entries(refused)) {
  test(`${what} is refused`, async (t) => {
    await refuses(readSeries(await csv(t, ...lines), request), 'INVALID_DATA', message);
  });
}
