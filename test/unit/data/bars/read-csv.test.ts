import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBarsFile } from '../../../../data/bars/index.js';
import { HOUR_MS } from '../../../../engine/series/intervals.js';
import { fileOf, refuses, tempFolder } from '../../../support/data-fixtures.js';

const start = Date.UTC(2024, 0, 31, 23);
const header = 'timestamp,open,high,low,close,volume';
/** Three hourly bars with the times as given. */
const hours = (times: readonly string[], separator = ',') =>
  times.map((time, i) => [time, 10 + i, 12 + i, 9 + i, 11 + i, 5].join(separator)).join('\n');
const isoHours = hours(['2024-01-31T23:00:00Z', '2024-02-01T00:00:00Z', '2024-02-01T01:00:00Z']);

const timeFormats: readonly (readonly [string, readonly string[]])[] = [
  ['epoch seconds', ['1706742000', '1706745600', '1706749200']],
  ['epoch nanoseconds', ['1706742000000000000', '1706745600000000000', '1706749200000000000']],
  ['ISO 8601 with an offset', ['2024-02-01T04:30:00+05:30', '2024-02-01T05:30:00+0530', '2024-02-01T06:30:00+05:30']],
  ['ISO 8601 without a zone', ['2024-01-31T23:00:00', '2024-02-01T00:00:00', '2024-02-01T01:00:00']],
];

for (const [format, times] of timeFormats) {
  test(`times as ${format} are read`, async (t) => {
    const path = await fileOf(tempFolder(t), 'bars.csv', `${header}\n${hours(times)}\n`);
    const { bars } = await readBarsFile(path);
    assert.deepEqual([...bars.time], [start, start + HOUR_MS, start + 2 * HOUR_MS]);
    assert.equal(bars.intervalMs, HOUR_MS);
  });
}

const dialects: Readonly<Record<string, string>> = {
  'other columns and another order': `volume,note,close,low,high,open,unix\n${['1706742000', '1706745600', '1706749200'].map((time, i) => `5,x,${11 + i},${9 + i},${12 + i},${10 + i},${time}`).join('\n')}`,
  'two time columns': `unix,date,open,high,low,close,volume\n${['1706742000,2024-01-31', '1706745600,2024-02-01', '1706749200,2024-02-01'].map((time, i) => `${time},${10 + i},${12 + i},${9 + i},${11 + i},5`).join('\n')}`,
};

for (const [dialect, text] of Object.entries(dialects)) {
  test(`a file with ${dialect} is read`, async (t) => {
    const { bars } = await readBarsFile(await fileOf(tempFolder(t), 'bars.csv', text));
    assert.equal(bars.barCount, 3);
    assert.deepEqual([...bars.time], [start, start + HOUR_MS, start + 2 * HOUR_MS]);
    assert.deepEqual([...bars.close].slice(1), [12, 13]);
    assert.deepEqual([...bars.volume], [5, 5, 5]);
  });
}

test('chain cells without a number are NaN, and unknown columns are named', async (t) => {
  const text = `${header},ExchangeNetflow,exchangenetflow,EtfNetFlow\n${isoHours
    .split('\n')
    .map((row, i) => `${row},${['-0.5', '', 'n/a'][i]},1,${['1e400', '0x10', '7'][i]}`)
    .join('\n')}`;
  const { bars, ignoredColumns } = await readBarsFile(await fileOf(tempFolder(t), 'bars.csv', text));
  assert.deepEqual([...bars.columns.ExchangeNetflow!], [-0.5, NaN, NaN]);
  assert.deepEqual([...bars.columns.EtfNetFlow!], [NaN, NaN, 7]);
  assert.deepEqual(Object.keys(bars.columns), ['ExchangeNetflow', 'EtfNetFlow']);
  assert.deepEqual(ignoredColumns, ['exchangenetflow']);
});

const good = '2024-01-31T23:00:00Z,10,12,9,11,5';
/** Files with a flaw in one place, and what names it. */
const refused: readonly (readonly [flaw: string, rows: string, message: RegExp])[] = [
  [
    'a word for a price',
    `${good}\n2024-02-01T00:00:00Z,10,12,9,abc,5`,
    /^bars\.csv line 3: close must be .*, was "abc"$/,
  ],
  ['a high below the close', '2024-01-31T23:00:00Z,10,10.5,9,11,5', /line 2: high must be >= max\(open, close\)/],
  ['a word for a time', 'soon,10,12,9,11,5', /line 2: timestamp must be an epoch time or an ISO 8601 time, was "soon"/],
  [
    'a second time format',
    `1706742000000,10,12,9,11,5\n${good}`,
    /line 3: timestamp must be epoch milliseconds like the first row, was "2024-01-31T23:00:00Z"/,
  ],
  ['too few cells', `${good}\n2024-02-01T00:00:00Z,10,12`, /line 3: row must have 6 cells like the first line, has 3/],
  ['zero bytes', `${good}\n\0\0`, /^bars\.csv is not text: byte \d+ is zero$/],
  ['an open quote', '"2024-01-31T23:00:00Z,10,12,9,11,5\n', /^bars\.csv line \d+: Quote Not Closed/],
  ['one bar of unknown interval', good, /^bars\.csv line 2: is the only bar, so give its interval with --interval$/],
];
const refusedWhole: typeof refused = [
  [
    'a column twice',
    `${header},Close\n${good},11`,
    /line 1: duplicate column "Close", the close is already in "close"/,
  ],
];

const headed = refused.map(([flaw, rows, message]) => [flaw, `${header}\n${rows}`, message] as const);
for (const [flaw, text, message] of [...headed, ...refusedWhole]) {
  test(`a file with ${flaw} is refused`, async (t) => {
    await refuses(readBarsFile(await fileOf(tempFolder(t), 'bars.csv', text)), 'INVALID_DATA', message);
  });
}
