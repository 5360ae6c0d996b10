import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { sqlText, withDuckDb } from '../../../../data/duckdb.js';
import { fieldOf } from '../../../../engine/execution/index.js';
import { partFiles } from '../../../../service/corpus/capability.js';
import type { CorpusQueryRequest } from '../../../../service/corpus/request.js';
import { openTestCorpus } from '../../../support/corpus.js';

/** Settings that the files of exp_a do not know, as if they had been added after it was written. */
const added = ['fixed_stop_pct', 'volatility_mode', 'enable_volatility_adj', 'atr_period'] as const;

// Both ways to answer: the rows at once, and first where they are, then the rows.
for (const largeRowsMin of [undefined, 1]) {
  const name = largeRowsMin === undefined ? 'a small corpus' : 'a large corpus';
  let world: Awaited<ReturnType<typeof openTestCorpus>>;
  before(async () => {
    world = await openTestCorpus(largeRowsMin === undefined ? {} : { largeRowsMin, zonedRowsMin: 1 });
    for (const { path } of await partFiles(world.db, world.folder, world.us.orgId, ['exp_a'])) await forget(path);
  });
  after(() => world.close());

  const ask = async (request: object) =>
    (await world.corpus.query(world.us, { table: 'results', limit: 1_000, ...request } as CorpusQueryRequest)).rows;

  test(`in ${name}, a setting is null in files that were written before it existed`, async () => {
    const select = ['experiment_id', 'run_index', 'sharpe_ratio', 'asset', 'status', 'total_trades', ...added];
    const known = added.map(
      (column) => fieldOf(column === 'enable_volatility_adj' ? 'enable_volatility_adjustment' : column).default,
    );
    for (const order_by of [[{ col: 'sharpe_ratio' }], [{ col: 'fixed_stop_pct' }, { col: 'run_index' }]]) {
      const rows = await ask({ select, order_by });
      assert.equal(rows.length, 192);
      for (const row of rows) {
        const values = added.map((column) => row[column]);
        const expected = row.experiment_id === 'exp_a' ? [null, null, null, null] : known;
        assert.deepEqual(values, expected);
      }
    }
  });

  test(`in ${name}, older files have no row with a value of the setting`, async () => {
    const of = async (op: string, value: unknown) =>
      new Set(
        (await ask({ select: ['experiment_id'], filters: [{ col: 'fixed_stop_pct', op, value }] })).map(
          ({ experiment_id }) => experiment_id,
        ),
      );
    assert.deepEqual(await of('=', 0.02), new Set(['exp_b']));
    assert.deepEqual(await of('=', null), new Set(['exp_a']));
  });
}

/** Writes a file again without the columns of the added settings. */
async function forget(path: string): Promise<void> {
  await withDuckDb((connection) =>
    connection.run(
      `COPY (SELECT * EXCLUDE (${added.join(', ')}) FROM read_parquet(${sqlText(path)})) TO ${sqlText(`${path}.older`)} (FORMAT parquet)`,
    ),
  );
  renameSync(`${path}.older`, path);
}
