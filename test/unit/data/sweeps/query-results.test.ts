import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { sqlText, withDuckDb } from '../../../../data/duckdb.js';
import { queryResults } from '../../../../data/sweeps/index.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const home = temporaryFolder('results');
const sweep = join(home, "it's [mine]");
const other = join(home, 'other');
const secret = join(home, 'secret.parquet');
const part = 'part-000000000000-000000000001.parquet';

before(async () => {
  await withDuckDb(async (connection) => {
    for (const folder of [sweep, other]) {
      mkdirSync(folder);
      await connection.run(`COPY (SELECT 1 AS run_index, 2.5 AS sharpe_ratio) TO ${sqlText(join(folder, part))}`);
    }
    await connection.run(`COPY (SELECT 'hidden' AS word) TO ${sqlText(secret)}`);
  });
});

test('queries read the rows of the sweep, with all that SELECT can say', async () => {
  const queries = {
    'SELECT run_index, sharpe_ratio FROM results;': [[1, 2.5]],
    'WITH best AS (SELECT max(sharpe_ratio) AS most FROM results) SELECT most FROM best': [[2.5]],
    'SELECT a.run_index FROM results a JOIN results b USING (run_index)': [[1]],
    'SELECT x FROM range(2) t(x) ORDER BY x': [[0], [1]],
    'SELECT unnest([1, 2])': [[1], [2]],
    "SELECT 'glob(x)' AS text FROM results": [['glob(x)']],
    'FROM results SELECT count(*)': [[1]],
  };
  for (const [sql, rows] of Object.entries(queries)) {
    assert.deepEqual((await queryResults([sweep], sql)).rows, rows, sql);
  }
});

/** What would read another file, write one, load code or change a setting. */
const hostile = [
  "SELECT * FROM read_text('/etc/passwd')",
  "SELECT * FROM read_csv('/etc/passwd')",
  `SELECT * FROM ${sqlText(secret)}`,
  `SELECT * FROM "${secret}"`,
  `SELECT * FROM read_parquet(${sqlText(secret)})`,
  `SELECT * FROM read_parquet(${sqlText(join(other, part))})`,
  `SELECT * FROM results WHERE run_index IN (SELECT 1 FROM read_parquet(${sqlText(secret)}))`,
  "SELECT * FROM glob('/etc/*')",
  "SELECT * FROM parquet_metadata('/etc/passwd')",
  "SELECT * FROM read_csv('https://127.0.0.1/x.csv')",
  "SELECT getenv('HOME')",
  'SELECT * FROM duckdb_secrets()',
  `SELECT * FROM query('FROM ${sqlText(secret).replaceAll("'", "''")}')`,
  "SELECT * FROM query_table('results')",
  `SELECT * FROM enable_logging(storage = 'file', storage_config = {'path': '${other}/log'})`,
  'SELECT * FROM arrow_scan(1::UBIGINT, 1::UBIGINT, 1::UBIGINT)',
  "SELECT * FROM json_execute_serialized_sql('{}')",
  `COPY (SELECT 1) TO '${home}/written.csv'`,
  `SELECT 1) TO '${home}/written.csv'; SELECT * FROM (SELECT 1`,
  `ATTACH '${home}/written.db'`,
  'INSTALL httpfs',
  'SET enable_external_access = true',
  'PRAGMA enable_profiling',
  'CALL pragma_version()',
  'CREATE TABLE t AS SELECT 1',
  `EXPORT DATABASE '${home}/written'`,
  'SELECT 1); SET GLOBAL enable_external_access = true; SELECT (1',
  'EXPLAIN ANALYZE SELECT 1',
];

test('a query reads no other file, writes none, and changes no setting', async (t) => {
  for (const sql of hostile) {
    await t.test(sql, async () => {
      await assert.rejects(queryResults([sweep], sql), { code: 'INVALID_FIELD', message: /^query: / });
      assert.deepEqual(readdirSync(home).sort(), ["it's [mine]", 'other', 'secret.parquet']);
      for (const folder of [sweep, other]) assert.deepEqual(readdirSync(folder), [part]);
    });
  }
  await t.test('a link in the folder to a file outside', async () => {
    const linked = join(sweep, 'part-000000000001-000000000002.parquet');
    symlinkSync(secret, linked);
    await assert.rejects(queryResults([sweep], 'SELECT word FROM results'), { message: /Permission Error/ });
  });
});

test('swept parameters of rules are columns, named with side and timeframe where two have them', async () => {
  const folder = join(home, 'swept');
  mkdirSync(folder);
  const rule = (name: string, timeframe: string, params: object) => ({ name, timeframe, params });
  const entry = [
    rule('cross', '1h', { fast: 5, slow: 20 }),
    rule('above', '4h', { window: 50 }),
    rule('above', '1d', { window: 200 }),
  ];
  const exit = [rule('cross', '1h', { fast: 9, slow: 20 }), rule('formula', '1h', { when: 'close > open' })];
  const rows = `SELECT 0 AS run_index, ${sqlText(JSON.stringify(entry))} AS entry_json, ${sqlText(JSON.stringify(exit))} AS exit_json`;
  await withDuckDb((connection) => connection.run(`COPY (${rows}) TO ${sqlText(join(folder, part))}`));
  const swept = (name: string, timeframe: string, ...keys: readonly string[]) => ({
    ...{ name, timeframe },
    params_sweep: Object.fromEntries(keys.map((key) => [key, { values: key === 'when' ? ['close > open'] : [1, 2] }])),
  });
  const record = {
    sweep: {
      entry_signals: {
        triggers: [swept('cross', '1h', 'fast', 'slow')],
        filters: [swept('above', '4h', 'window'), swept('above', '1d', 'window')],
      },
      exit_signals: { triggers: [swept('cross', '1h', 'fast')], filters: [swept('formula', '1h', 'when')] },
    },
  };
  writeFileSync(join(folder, 'sweep.json'), JSON.stringify(record));
  const names = [
    'entry_cross_fast',
    'cross_slow',
    'above_window_4h',
    'above_window_1d',
    'exit_cross_fast',
    'formula_when',
  ];
  const { rows: found } = await queryResults([folder], `SELECT ${names.join(', ')} FROM results`);
  assert.deepEqual(found, [[5, 20, 50, 200, 9, 'close > open']]);
  // Sweeps without these rules have nulls there.
  const unswept = join(home, 'unswept');
  mkdirSync(unswept);
  await withDuckDb((connection) =>
    connection.run(
      `COPY (SELECT 1 AS run_index, '[]' AS entry_json, '[]' AS exit_json) TO ${sqlText(join(unswept, part))}`,
    ),
  );
  const { rows: both } = await queryResults([folder, unswept], 'SELECT cross_slow FROM results ORDER BY run_index');
  assert.deepEqual(both, [[20], [null]]);
});
