import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { readBarsFile, writeBars } from '../../../../data/bars/index.js';
import { HOUR_MS } from '../../../../engine/series/intervals.js';
import { fileOf, parquetOf, refuses, tempFolder } from '../../../support/data-fixtures.js';
import { randomBars } from '../../../support/random.js';

const start = Date.UTC(2024, 0, 31, 23);
/** Three hourly bars whose time is an SQL expression of the row number `i`. */
const hours = (time: string, columns = 'open, 12.0 high, 9.0 low, 11.0 "close", 5.0 volume') =>
  `SELECT ${time} AS timestamp, 10.0 + i AS ${columns} FROM range(3) r(i)`;
const hour = `TIMESTAMP '2024-01-31 23:00:00' + to_hours(i)`;

const timeTypes: Readonly<Record<string, string>> = {
  'TIMESTAMP in seconds': `(${hour})::TIMESTAMP_S`,
  'TIMESTAMP in nanoseconds': `(${hour})::TIMESTAMP_NS`,
  'TIMESTAMP with a zone': `make_timestamptz(${start}000 + i * 3600000000)`,
  'epoch seconds': `(${start / 1000} + i * 3600)::INTEGER`,
  'ISO text': `strftime(${hour}, '%Y-%m-%dT%H:%M:%SZ')`,
};

for (const [type, expression] of Object.entries(timeTypes)) {
  test(`a time column of type ${type} is read`, async (t) => {
    const path = await parquetOf(join(tempFolder(t), 'bars.parquet'), hours(expression));
    const { bars } = await readBarsFile(path);
    assert.deepEqual([...bars.time], [start, start + HOUR_MS, start + 2 * HOUR_MS]);
    assert.deepEqual([...bars.open], [10, 11, 12].map(Number));
  });
}

test('times without a zone are of the zone given, and others refuse one', async (t) => {
  const folder = tempFolder(t);
  const local = await parquetOf(join(folder, 'local.parquet'), hours(hour));
  const { bars } = await readBarsFile(local, { timezone: 'Asia/Kolkata' });
  assert.equal(bars.time[0], start - 5.5 * HOUR_MS);
  const aware = await parquetOf(join(folder, 'aware.parquet'), hours(`make_timestamptz(${start}000 + i * 3600000000)`));
  await refuses(
    readBarsFile(aware, { timezone: 'Asia/Kolkata' }),
    'INVALID_FIELD',
    /^timezone must be left out: the times are already times in UTC or of a zone \(aware\.parquet row 1\)$/,
  );
});

test('chain columns come first and in order, other numbers are kept, and values that are no number become NaN', async (t) => {
  const columns = `open, 13 high, 9 low, 11 "close", 5 volume,
    ['1.5', NULL, 'n/a'][i + 1] AS "EtfNetFlow", [1.0, 'NaN'::DOUBLE, 'Infinity'::DOUBLE][i + 1] AS "SmartMoneyNetflow", 1 AS spare, 'x' AS note`;
  const { bars, ignoredColumns } = await readBarsFile(
    await parquetOf(join(tempFolder(t), 'bars.parquet'), hours(hour, columns)),
  );
  assert.deepEqual(Object.keys(bars.columns), ['SmartMoneyNetflow', 'EtfNetFlow', 'spare']);
  assert.deepEqual([...bars.columns.EtfNetFlow!], [1.5, NaN, NaN]);
  assert.deepEqual([...bars.columns.SmartMoneyNetflow!], [1, NaN, NaN]);
  assert.deepEqual([...bars.columns.spare!], [1, 1, 1]);
  assert.deepEqual(ignoredColumns, ['note']);
});

const price = (close: string) => `open, 12.0 high, 9.0 low, ${close} AS "close", 5.0 volume`;
const refused: readonly (readonly [string, string, RegExp])[] = [
  [
    'a missing price',
    hours(hour, price('nullif(11 + i, 12)')),
    /^bars\.parquet row 2: close must be a finite number above 0, was NaN$/,
  ],
  [
    'a time between milliseconds',
    hours(`${hour} + to_microseconds(i)`),
    /^bars\.parquet row 2: timestamp must be a time in whole milliseconds, was "2024-02-01 00:00:00\.000001"$/,
  ],
];

for (const [flaw, select, message] of refused) {
  test(`a Parquet file with ${flaw} is refused`, async (t) => {
    await refuses(readBarsFile(await parquetOf(join(tempFolder(t), 'bars.parquet'), select)), 'INVALID_DATA', message);
  });
}

test('a file that only looks like Parquet is refused', async (t) => {
  const folder = tempFolder(t);
  const bad = (content: string | Uint8Array) =>
    fileOf(folder, 'bars.parquet', content).then((path) => readBarsFile(path));
  await refuses(bad(''), 'INVALID_DATA', /^bars\.parquet is not a Parquet file, or is cut short$/);
  await refuses(bad('timestamp,open\n1,2\n'), 'INVALID_DATA', /is not a Parquet file/);
  await refuses(bad(`PAR1${'x'.repeat(100)}PAR1`), 'INVALID_DATA', /^bars\.parquet cannot be read as Parquet: /);
});

test('a path is taken literally, with any characters', async (t) => {
  const folder = join(tempFolder(t), `it's [a-z] "*" asset=BTC`);
  await mkdir(folder);
  const path = join(folder, `b?r's.parquet`);
  await writeBars(path, randomBars({ seed: 1, barCount: 10 }));
  await writeBars(join(folder, `bar's.parquet`), randomBars({ seed: 2, barCount: 10 }));
  const { bars, ignoredColumns } = await readBarsFile(path);
  assert.equal(bars.barCount, 10);
  assert.deepEqual(ignoredColumns, []);
});
