import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { withDuckDb } from '../../../../data/duckdb.js';
import { queryResults } from '../../../../data/sweeps/index.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

/** A query over the rows of one sweep, beside files that are none of its business. */

const home = temporaryFolder('confined');
const own = join(home, 'sweeps', "it's [mine]");
const other = join(home, 'sweeps', 'other');
const part = 'part-000000000000-000000000001.parquet';
for (const folder of [own, other]) {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, part).replaceAll("'", "''");
  await withDuckDb((connection) => connection.run(`COPY (SELECT 7 AS run_index) TO '${path}' (FORMAT parquet)`));
}
const secret = join(home, 'secret.csv');
writeFileSync(secret, 'name,value\ntoken,abc\n');
symlinkSync(secret, join(own, 'link.csv'));
symlinkSync(other, join(own, 'linked'));

const sources = [
  `read_text('${secret}')`,
  `read_csv('${secret}')`,
  `'${secret}'`,
  `read_blob('/etc/passwd')`,
  `read_parquet('${join(other, part)}')`,
  `read_parquet('${join(home, 'sweeps', '*', part)}')`,
  `read_csv('${join(home, 'sweeps', 'other', '..', '..', 'secret.csv')}')`,
  `glob('/etc/*')`,
  `read_csv('${join(own.replaceAll("'", "''"), 'link.csv')}')`,
  `read_parquet('${join(own.replaceAll("'", "''"), 'linked', part)}')`,
  `read_csv('http://127.0.0.1:1/x.csv')`,
  `sniff_csv('${secret}')`,
];

test('a query reads the rows of its sweeps, whatever the folder is called', async () => {
  for (const folder of [own, relative(process.cwd(), own)]) {
    assert.deepEqual((await queryResults([folder], 'SELECT run_index FROM results')).rows, [[7]]);
  }
  assert.deepEqual((await queryResults([own, other], 'SELECT count(*) FROM results')).rows, [[2]]);
});

for (const source of sources) {
  test(`a query of one sweep cannot read ${source.replaceAll(home, '')}`, async () => {
    await assert.rejects(queryResults([own], `SELECT * FROM ${source}`), { code: 'INVALID_FIELD' });
  });
}

test('a query cannot lift its confinement or write', async () => {
  for (const sql of [
    'SELECT 1); SET GLOBAL enable_external_access = true; SELECT (1',
    `COPY results TO '${join(home, 'out.csv')}'`,
    `SELECT 1); ATTACH '${join(home, 'new.duckdb')}'; SELECT (1`,
    `SELECT 1); INSTALL httpfs; SELECT (1`,
  ]) {
    await assert.rejects(queryResults([own], sql), { code: 'INVALID_FIELD' }, sql);
  }
  await assert.rejects(queryResults([own], `SELECT * FROM read_text('${secret}')`), /FROM must name results/);
});
