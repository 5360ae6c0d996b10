import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { tableFromIPC } from 'apache-arrow';
import { type TableColumn, writeTable } from '../../../../data/tables/index.js';
import { tempFolder } from '../../../support/data-fixtures.js';

const rows = 5_000; // more than two DuckDB chunks
const columns: readonly TableColumn[] = [
  {
    name: 'entry time',
    type: 'time',
    values: Float64Array.from({ length: rows }, (_, i) => Date.UTC(2024, 0, 1) + i * 1_500),
  },
  { name: 'pnl', type: 'double', values: Float64Array.from({ length: rows }, (_, i) => (i === 1 ? NaN : i / 3)) },
  { name: 'bars', type: 'integer', values: Array.from({ length: rows }, (_, i) => (i === 2 ? null : i)) },
  { name: 'won', type: 'boolean', values: Array.from({ length: rows }, (_, i) => (i === 1 ? null : i % 2 === 0)) },
  {
    name: 'the "reason"',
    type: 'text',
    values: Array.from({ length: rows }, (_, i) => (i === 2 ? null : i === 1 ? 'a, "b"\nü' : `r${i}`)),
  },
];

test('a table is written as CSV', async (t) => {
  const path = join(tempFolder(t), 'trades.csv');
  await writeTable(path, columns);
  const text = await readFile(path, 'utf8');
  assert.equal(
    text.slice(0, text.indexOf('2024-01-01T00:00:04')),
    'entry time,pnl,bars,won,"the ""reason"""\n' +
      '2024-01-01T00:00:00Z,0,0,true,r0\n' +
      '2024-01-01T00:00:01.500Z,,1,,"a, ""b""\nü"\n' +
      '2024-01-01T00:00:03Z,0.6666666666666666,,true,\n',
  );
  assert.equal(text.split('\n').length, rows + 3);
});

test('a table is written as an Arrow file', async (t) => {
  const path = join(tempFolder(t), 'trades.arrow');
  await writeTable(path, columns);
  const table = tableFromIPC(await readFile(path));
  assert.equal(table.numRows, rows);
  assert.deepEqual(
    table.schema.fields.map(({ name, type }) => `${name}: ${type}`),
    ['entry time: Timestamp<MILLISECOND, UTC>', 'pnl: Float64', 'bars: Int64', 'won: Bool', 'the "reason": Utf8'],
  );
  const row = (i: number) => columns.map(({ name }) => table.getChild(name)!.get(i));
  assert.deepEqual(row(1), [Date.UTC(2024, 0, 1) + 1_500, null, 1n, null, 'a, "b"\nü']);
  assert.deepEqual(row(2), [Date.UTC(2024, 0, 1) + 3_000, 2 / 3, null, true, null]);
});

test('a table replaces a file whole or not at all', async (t) => {
  const folder = tempFolder(t);
  for (const name of ['t.csv', 't.parquet', 't.arrow']) {
    await writeFile(join(folder, name), 'old');
    const broken: TableColumn[] = [
      { name: 'a', type: 'integer', values: [1, 0.5] },
      { name: 'b', type: 'text', values: ['only one'] },
    ];
    await assert.rejects(writeTable(join(folder, name), broken));
    assert.equal(await readFile(join(folder, name), 'utf8'), 'old');
    await writeTable(join(folder, name), columns);
    assert.ok((await readFile(join(folder, name))).length > 1_000);
  }
  assert.deepEqual(await readdir(folder), ['t.arrow', 't.csv', 't.parquet']);
});
