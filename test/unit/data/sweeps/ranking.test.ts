import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withDuckDb } from '../../../../data/duckdb.js';
import { amongRankable, bestFirst, queryResults } from '../../../../data/sweeps/index.js';
import type { MetricName } from '../../../../engine/metrics/index.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const folder = join(temporaryFolder('ranking'), 'sweep');
mkdirSync(folder);
/** Sweep, run, end of its window, status, trades, value of the metric. Sweep a walks forward. */
const rows = [
  `('a', 0, '2023-12-31', 'ok', 40, 0.3)`,
  `('a', 1, '2023-12-31', 'ok', 40, 0.1)`,
  `('a', 2, '2023-12-31', 'ok', 30, 0.1)`,
  `('a', 3, '2023-12-31', 'ok', 29, 0.01)`,
  `('a', 4, '2023-12-31', 'ok', 40, 'nan')`,
  `('a', 5, '2023-12-31', 'ok', 40, NULL)`,
  `('a', 6, '2023-12-31', 'skipped', 0, 0)`,
  `('a', 7, '2023-12-31', 'no_trades', 0, 0)`,
  `('a', 8, '2022-12-31', 'ok', 90, 0.001)`,
  `('a', 9, '2024-12-31', 'skipped', 0, 0)`,
  `('b', 0, '2020-12-31', 'ok', 50, 0.2)`,
];
await withDuckDb((connection) =>
  connection.run(`COPY (
    SELECT experiment_id, run_index, CAST(end_date AS DATE) AS end_date, 'BTC' AS asset, '1d' AS timeframe, status,
      total_trades, CAST(value AS DOUBLE) AS max_drawdown, CAST(value AS DOUBLE) AS sharpe_ratio,
      -0.1 AS total_return
    FROM (VALUES ${rows.map((row) => row.replace(/(\S+)\)$/, 'CAST($1 AS VARCHAR))')).join(', ')})
      AS row(experiment_id, run_index, end_date, status, total_trades, value)
  ) TO '${join(folder, 'part-000000000000-000000000011.parquet')}' (FORMAT parquet)`),
);

async function ranked(by: MetricName, minTrades: number): Promise<string[]> {
  const sql = `SELECT experiment_id, run_index FROM results ORDER BY ${bestFirst({ by, minTrades })}`;
  return (await queryResults([folder], amongRankable(sql))).rows.map((row) => row.join(''));
}

test('runs are ranked in the direction of the metric, null and NaN last, ties by run number, few trades behind', async () => {
  assert.deepEqual(await ranked('max_drawdown', 30), ['a1', 'a2', 'b0', 'a0', 'a4', 'a5', 'a3']);
  assert.deepEqual(await ranked('sharpe_ratio', 30), ['a0', 'b0', 'a1', 'a2', 'a4', 'a5', 'a3']);
  assert.deepEqual(await ranked('max_drawdown', 0), ['a3', 'a1', 'a2', 'b0', 'a0', 'a4', 'a5']);
});

test('where no run has enough trades, all that traded are ranked by the metric alone', async () => {
  assert.deepEqual(await ranked('max_drawdown', 1_000), await ranked('max_drawdown', 0));
});
