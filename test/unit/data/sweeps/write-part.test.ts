import assert from 'node:assert/strict';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { sqlText, withDuckDb } from '../../../../data/duckdb.js';
import { openSweepFolder } from '../../../../data/sweeps/index.js';
import { type PartRows, writePartFile } from '../../../../data/sweeps/write-part.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

let folder: string;
let files = 0;

before(async () => {
  folder = temporaryFolder('parquet');
});

/** What DuckDB, which did not write the file, reads from it. */
async function read(rows: PartRows): Promise<{ types: Record<string, string>; rows: Record<string, unknown>[] }> {
  const path = join(folder, `part-${files++}.parquet`); // DuckDB caches what it has read of a path
  await writePartFile(path, rows);
  return withDuckDb(async (connection) => {
    const reader = await connection.runAndReadAll(`SELECT * FROM read_parquet(${sqlText(path)})`);
    const types = reader.columnTypes().map((type, i) => [reader.columnNames()[i], type.toString()]);
    return { types: Object.fromEntries(types), rows: reader.getRowObjectsJson() as Record<string, unknown>[] };
  });
}

const nothingShared = (rowCount: number) => ({ rowOf: new Int32Array(rowCount), columns: [] });

test('every type comes back unchanged, in the order asked for', async () => {
  const { types, rows } = await read({
    columns: [
      { name: 'double', type: 'double', values: Float64Array.of(-0, NaN, Number.MIN_VALUE) },
      { name: 'integer', type: 'integer', values: [-1, Number.MAX_SAFE_INTEGER, null] },
      { name: 'text', type: 'text', values: ['', 'Zürich 🚀', null] },
    ],
    shared: {
      rowOf: Int32Array.of(1, 0, 1),
      columns: [
        { name: 'day', type: 'text', values: ['1969-12-31', '2024-02-29'] },
        { name: 'time', type: 'time', values: [-1, 1_704_067_200_123] },
        { name: 'boolean', type: 'boolean', values: [null, true] },
      ],
    },
    order: ['text', 'day', 'double', 'time', 'integer', 'boolean'],
    dates: ['day'],
  });
  assert.deepEqual(Object.entries(types), [
    ['text', 'VARCHAR'],
    ['day', 'DATE'],
    ['double', 'DOUBLE'],
    ['time', 'TIMESTAMP'],
    ['integer', 'BIGINT'],
    ['boolean', 'BOOLEAN'],
  ]);
  const late = { day: '2024-02-29', time: '2024-01-01 00:00:00.123', boolean: true };
  assert.deepEqual(rows, [
    { text: '', double: -0, integer: '-1', ...late },
    {
      ...{ text: 'Zürich 🚀', day: '1969-12-31', double: null, time: '1969-12-31 23:59:59.999' },
      ...{ integer: String(Number.MAX_SAFE_INTEGER), boolean: null },
    },
    { text: null, double: Number.MIN_VALUE, integer: null, ...late },
  ]);
});

test('a part written again, concurrently or later, stays as it was first', async () => {
  const path = join(folder, 'sweep');
  await mkdir(path);
  const sweep = openSweepFolder(path);
  const write = (x: number) =>
    sweep.writePart(0, 1, {
      columns: [{ name: 'x', type: 'double', values: Float64Array.of(x) }],
      shared: nothingShared(1),
      order: ['x'],
      dates: [],
    });
  await Promise.all([1, 2, 3, 4].map(write));
  const first = await readFile(sweep.partPath(0, 1));
  await write(5);
  assert.deepEqual(await readFile(sweep.partPath(0, 1)), first);
  assert.equal((await readdir(path)).length, 1, 'no temporary file is left');
});
