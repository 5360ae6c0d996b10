import assert from 'node:assert/strict';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { readSeries } from '../../../../data/columns/index.js';
import { DAY_MS, HOUR_MS } from '../../../../engine/series/index.js';
import { fileOf, parquetOf, refuses, tempFolder } from '../../../support/data-fixtures.js';

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
