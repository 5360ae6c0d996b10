import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBarsFile } from '../../../../data/bars/index.js';
import type { LeftOut } from '../../../../data/bars/inspect.js';
import type { ReadBarsOptions } from '../../../../data/bars/read-options.js';
import { HOUR_MS } from '../../../../engine/series/intervals.js';
import { fileOf, refuses, tempFolder } from '../../../support/data-fixtures.js';

/**
 * Dialects in which exchanges, data vendors and spreadsheets write the same three hourly bars. A
 * dialect is read as it is, with a flag, or refused with the flag that reads it.
 */
const start = Date.UTC(2024, 0, 31, 22);
const times = [0, 1, 2].map((hour) => start + hour * HOUR_MS);
const prices = [
  [10.5, 12.25, 9, 11, 1234.5],
  [11, 13, 10, 12, 5],
  [12, 14.75, 11, 13, 0.5],
] as const;

type Row = readonly (string | number)[];
const seconds = times.map((ms) => ms / 1_000);
const iso = times.map((ms) => new Date(ms).toISOString());
const us = ['01/31/2024 22:00', '01/31/2024 23:00', '02/01/2024 00:00'];
const header = 'time,open,high,low,close,volume';
/** A line for each bar. */
const lines = (line: (i: number, row: readonly number[]) => Row, separator = ',') =>
  prices.map((row, i) => line(i, row).join(separator)).join('\n');
const plain = (stamps: readonly (string | number)[]) => lines((i, row) => [stamps[i]!, ...row]);
const comma = (value: number) => String(value).replace('.', ',');

interface Dialect {
  readonly text: string | Buffer;
  /** What the file needs besides its name. */
  readonly flags?: ReadBarsOptions;
  /** How it is refused without them. */
  readonly refusal?: RegExp;
  readonly leftOut?: Partial<LeftOut>;
  readonly volume?: readonly number[];
}

const dialects: Readonly<Record<string, Dialect>> = {
  'a pandas index of times without a name': {
    text: `,open,high,low,close,volume\n${lines((i, row) => [iso[i]!.slice(0, 19).replace('T', ' '), ...row])}`,
  },
  'decimal commas beside semicolons': {
    text: `time;open;high;low;close;volume\n${lines((i, row) => [iso[i]!, ...row.map(comma)], ';')}`,
  },
  'a decimal comma after decimal points': {
    text: `time;open;high;low;close;volume\n${iso[0]};10.5;12.25;9;11;5\n${iso[1]};11,5;13;10;12;5`,
    refusal: /^bars\.csv line 3: open must be a number, was "11,5"; data import --decimal comma reads /,
  },
  'American dates': {
    text: `${header}\n${plain(us)}`,
    flags: { dates: 'MM/DD/YYYY' },
    refusal:
      /^bars\.csv line 2: timestamp must be .*, was "01\/31\/2024 22:00"; data import --dates MM\/DD\/YYYY reads it$/,
  },
  'the date and the clock of MetaTrader': {
    text: `<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<VOL>\n${lines((i, row) => [i < 2 ? '2024.01.31' : '2024.02.01', `${(22 + i) % 24}`.padStart(2, '0').concat(':00:00'), ...row], '\t')}`,
  },
  'a table of a spreadsheet: titles, units, empty rows': {
    text: `Prices of 2024,,,,,\n${header}\nUTC,USD,USD,USD,USD,BTC\n${plain(iso)}\n,,,,,\n,,,,,`,
    leftOut: { headerLines: 2, emptyRows: 2 },
  },
  'the three header lines of yfinance': {
    text: `Price,Close,High,Low,Open,Volume\nTicker,BTC,BTC,BTC,BTC,BTC\nDatetime,,,,,\n${lines((i, [open, high, low, close, volume]) => [iso[i]!.replace('T', ' ').replace('.000Z', '+00:00'), close!, high!, low!, open!, volume!])}`,
    leftOut: { headerLines: 2 },
  },
  'no volume': {
    text: `time,open,high,low,close\n${lines((i, row) => [iso[i]!, ...row.slice(0, 4)])}`,
    flags: { withoutVolume: true },
    refusal:
      /^bars\.csv line 1: no volume column, found .*; data import --column volume=NAME names it, --no-volume reads bars without one$/,
    volume: [0, 0, 0],
  },
  ...Object.fromEntries(
    ['|', '^', '~', '\x01', '#', ' '].map((sign) => [
      `${JSON.stringify(sign)} as separator, with a header and without`,
      {
        text: `${header.replaceAll(',', sign)}\n${lines((i, row) => [seconds[i]!, ...row], sign)}`,
      },
    ]),
  ),
  'seconds, then microseconds, in one column': {
    text: `${header}\n${plain([seconds[0]!, `${times[1]}000`, `${times[2]}000000`])}`,
  },
  'other names': {
    text: `Datum,Open,High,Low,Price,Volume BTC,Volume USD\n${lines((i, row) => [iso[i]!, ...row, 7])}`,
    flags: { names: { timestamp: 'Datum', close: 'price', volume: 'Volume BTC' } },
    refusal: /^bars\.csv line 1: no timestamp column, found "Datum", .*; data import --column timestamp=NAME names it$/,
  },
  'the newest bar first': {
    text: `${header}\n${plain(iso).split('\n').toReversed().join('\n')}`,
    flags: { sort: true },
    refusal: /^bars\.csv line 3: timestamp .* is not after the one before .*; data import --sort sorts the rows$/,
  },
  'a row twice': {
    text: `${header}\n${plain(iso).replaceAll(/^.*23:00.*$/gm, '$&\n$&')}`,
    flags: { dedupe: true },
    leftOut: { repeatedRows: 1 },
    refusal: /^bars\.csv line 4: timestamp .* is a duplicate of the one before .*; data import --dedupe leaves/,
  },
  'a byte order mark, CRLF and quotes': {
    text: `\uFEFF${header}\r\n${plain(iso)
      .replaceAll(/[^,\n]+/g, '"$&"')
      .replaceAll('\n', '\r\n')}\r\n`,
  },
  'Kraken: a mean price before the volume, and no header': {
    text: lines((i, [open, high, low, close, volume]) => [
      seconds[i]!,
      open!,
      high!,
      low!,
      close!,
      (high! + low!) / 2,
      volume!,
      17,
    ]),
    refusal:
      /^bars\.csv line 1: the cell after the close lies between low and high in each row, so it seems a mean price; data import --column volume=7 reads/,
    flags: { names: { volume: '7' } },
  },
  'Coinbase: low and high before the open': {
    text: `time,low,high,open,close,volume\n${lines((i, [open, high, low, close, volume]) => [seconds[i]!, low!, high!, open!, close!, volume!])}`,
  },
  'Excel: its mark of the separator': {
    text: `\uFEFFsep=;\r\ntime;open;high;low;close;volume\r\n${lines((i, row) => [iso[i]!, ...row.map(comma)], ';').replaceAll('\n', '\r\n')}`,
    leftOut: { headerLines: 1 },
  },
  'a ZIP archive': { text: Buffer.from('PK\x03\x04rest'), refusal: /^bars\.csv is a ZIP archive, unpack it first$/ },
};

test('dialects are read, or refused with the flag that reads them', async (t) => {
  const folder = tempFolder(t);
  for (const [name, { text, flags, refusal, leftOut, volume }] of Object.entries(dialects)) {
    await t.test(name, async () => {
      const path = await fileOf(folder, 'bars.csv', text);
      if (refusal !== undefined) await refuses(readBarsFile(path), 'INVALID_DATA', refusal);
      if (refusal !== undefined && flags === undefined) return;
      const read = await readBarsFile(path, flags);
      assert.deepEqual([...read.bars.time], times);
      for (const [k, column] of (['open', 'high', 'low', 'close'] as const).entries()) {
        assert.deepEqual(
          [...read.bars[column]],
          prices.map((row) => row[k]),
          column,
        );
      }
      assert.deepEqual([...read.bars.volume], volume ?? prices.map((row) => row[4]));
      assert.deepEqual(read.leftOut, { headerLines: 0, emptyRows: 0, repeatedRows: 0, ...leftOut });
    });
  }
});

test('single trades and quotes are known as such', async (t) => {
  const folder = tempFolder(t);
  const message = /^bars\.csv line 1: these seem single trades or quotes, not bars; make bars of them first/;
  for (const text of [
    '1,10,1,10,1706742000000,true,true\n2,10,1,10,1706742000100,false,true\n',
    'timestamp,price,amount\n1706742000,10.5,0.1\n',
    '<DATE>\t<TIME>\t<BID>\t<ASK>\t<LAST>\t<VOLUME>\n2024.01.31\t22:00:00\t1\t2\t1\t0\n',
  ]) {
    await refuses(readBarsFile(await fileOf(folder, 'bars.csv', text)), 'INVALID_DATA', message);
  }
});

test('the flag says what a comma is', async (t) => {
  const rows = ['2024-01-01', '2024-01-02'].map((day) => `${day};1,234;1,300;1,100;1,200;5,000`).join('\n');
  const path = await fileOf(tempFolder(t), 'bars.csv', `time;open;high;low;close;volume\n${rows}`);
  assert.equal((await readBarsFile(path, { decimal: 'comma' })).bars.open[0], 1.234);
  assert.equal((await readBarsFile(path, { decimal: 'point' })).bars.open[0], 1234);
});
