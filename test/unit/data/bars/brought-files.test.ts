import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { readBarsFile } from '../../../../data/bars/index.js';
import type { InspectedBars } from '../../../../data/bars/inspect.js';
import type { ReadBarsOptions } from '../../../../data/bars/read-options.js';
import { HOUR_MS } from '../../../../engine/series/intervals.js';
import { fileOf, refuses, tempFolder } from '../../../support/data-fixtures.js';
import { goldenPath } from '../../../support/tree.js';

/**
 * Files as exchanges, brokers, vendors and other programs write them. All but the daily ones hold
 * the same 48 hours from 2024-12-31 12:00 UTC, which `pipe.txt` has in its plainest form.
 */
const golden = (name: string): string => goldenPath(join('files', name));
const start = Date.UTC(2024, 11, 31, 12);

/** Columns of a plain text, without our reader. */
const plain = (await readFile(golden('pipe.txt'), 'utf8'))
  .trim()
  .split('\n')
  .map((line) => line.split('|').map(Number));
const expected = (column: number) => plain.map((cells) => cells[column]);

function holdsThe48Hours({ bars }: InspectedBars, volumeTimes = 1): void {
  assert.deepEqual(
    [...bars.time],
    plain.map((_, i) => start + i * HOUR_MS),
  );
  for (const [k, name] of (['open', 'high', 'low', 'close'] as const).entries()) {
    assert.deepEqual([...bars[name]], expected(k + 1), name);
  }
  assert.deepEqual(
    [...bars.volume].map((value) => Math.floor(value)),
    expected(5).map((value) => Math.floor(value! * volumeTimes)),
  );
}

const files: Readonly<Record<string, ReadBarsOptions>> = {
  'pipe.txt': {},
  'alpaca.json': {},
  'ccxt.json': {},
  'BTC_USDT-1h.feather': {},
  'zstd.feather': {},
  'kraken-api.csv': {},
  'bitfinex-hdr.csv': { names: { timestamp: 'MTS' } },
  'vision-concat.csv': {},
};

for (const [name, options] of Object.entries(files)) {
  test(`${name} is read as it is`, async () => {
    const read = await readBarsFile(golden(name), options);
    holdsThe48Hours(read);
    assert.doesNotMatch(Object.keys(read.bars.columns).join(), /MTS|time|date/i, 'no time is kept as a column');
  });
}

test('files joined by cat have their header again, and a mark at the head of each', async (t) => {
  const text = await readFile(golden('kraken-api.csv'), 'utf8');
  const [header, ...rows] = text.trim().split('\n');
  const part = (from: number, to: number) => `\uFEFF${[header, ...rows.slice(from, to)].join('\r\n')}\r\n`;
  const path = await fileOf(tempFolder(t), 'joined.csv', part(0, 20) + part(20, 48));
  const read = await readBarsFile(path);
  holdsThe48Hours(read);
  assert.equal(read.leftOut.headerLines, 1);
});

test('JSON is known by its content, in UTF-8 and UTF-16, with a mark or without', async (t) => {
  const folder = tempFolder(t);
  const text = await readFile(golden('ccxt.json'), 'utf8');
  const bigEndian = (given: string) => Buffer.from(given, 'utf16le').swap16();
  for (const bytes of [
    Buffer.from(`\uFEFF${text}`),
    Buffer.from(text, 'utf16le'),
    Buffer.from(`\uFEFF${text}`, 'utf16le'),
    bigEndian(text),
    bigEndian(`\uFEFF${text}`),
  ]) {
    for (const name of ['bars.json', 'bars.txt', 'bars'])
      holdsThe48Hours(await readBarsFile(await fileOf(folder, name, bytes)));
  }
});

test('a table of pandas is read in each of its forms, and so are lines and nested answers', async (t) => {
  const folder = tempFolder(t);
  const rows = JSON.parse(await readFile(golden('ccxt.json'), 'utf8')) as number[][];
  const keys = ['timestamp', 'open', 'high', 'low', 'close', 'volume'];
  const records = rows.map((row) => Object.fromEntries(keys.map((key, k) => [key, row[k]])));
  const column = (k: number) => rows.map((row) => row[k]);
  const byLabel = (k: number) => Object.fromEntries(rows.map((row) => [String(row[0]), row[k]]));
  const forms: Readonly<Record<string, unknown>> = {
    records,
    columns: Object.fromEntries(keys.slice(1).map((key, k) => [key, byLabel(k + 1)])),
    table: { schema: { fields: keys.map((name) => ({ name })), pandas_version: '1.4.0' }, data: records },
    'a chart answer': {
      chart: {
        result: [
          {
            meta: { symbol: 'BTC-USD' },
            timestamp: column(0),
            indicators: { quote: [Object.fromEntries(keys.slice(1).map((key, k) => [key, column(k + 1)]))] },
          },
        ],
        error: null,
      },
    },
  };
  for (const [form, document] of Object.entries(forms)) {
    await t.test(form, async () => {
      holdsThe48Hours(await readBarsFile(await fileOf(folder, 'bars.json', JSON.stringify(document))));
    });
  }
  const lines = (given: readonly unknown[]) => given.map((each) => JSON.stringify(each)).join('\n');
  for (const text of [lines(records), lines(rows), `${lines(records)}\n\n`]) {
    holdsThe48Hours(await readBarsFile(await fileOf(folder, 'bars.jsonl', text)));
  }
});

test('Arrow is read by its content too; what is damaged, cut short or old is refused', async (t) => {
  const folder = tempFolder(t);
  const bytes = await readFile(golden('BTC_USDT-1h.feather'));
  const copy = join(folder, 'bars');
  await cp(golden('BTC_USDT-1h.feather'), copy);
  holdsThe48Hours(await readBarsFile(copy));
  for (const length of [20, 400, bytes.length - 700]) {
    await writeFile(join(folder, 'cut.feather'), bytes.subarray(0, length));
    await refuses(readBarsFile(join(folder, 'cut.feather')), 'INVALID_DATA', /^cut\.feather /);
  }
  await refuses(
    readBarsFile(await fileOf(folder, 'old.feather', Buffer.from('FEA1rest'))),
    'INVALID_DATA',
    /^old\.feather is Feather of version 1, write it as version 2/,
  );
});
