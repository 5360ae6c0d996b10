import assert from 'node:assert/strict';
import { sql } from 'kysely';
import {
  DATASETS_MAX,
  HISTORY_MAX,
  type SimulationRow,
  SimulationStore,
} from '../../../../service/simulations/store.js';
import type { State } from '../../../../service/state/index.js';
import { onEachStore } from '../../../support/backends.js';
import { deleteRows } from '../../../support/shared-state.js';
import { uuid } from '../../../support/uuid.js';

const [ann, bob] = [
  { userId: uuid(1), orgId: uuid(10) },
  { userId: uuid(2), orgId: uuid(10) },
];
const elsewhere = { ...ann, orgId: uuid(11) };

const line = (n: number): SimulationRow => ({
  id: uuid(1_000 + n),
  kind: 'run',
  status: 'completed',
  strategy_name: `strategy ${n}`,
  asset: 'BTC',
  timeframe: '1h',
  dataset_file: null,
  trade_count: n,
  metrics: { sharpe: 0.1 + 0.2, sortino: null },
  error: null,
  created_at_ms: 5, // all in the same millisecond
});

async function emptied({ db }: State) {
  await deleteRows(db);
  return { db, store: new SimulationStore(db) };
}

onEachStore('simulations', emptied, (check, checkBoth) => {
  check(`lines come back newest first, in pages, to their user in that organization`, async ({ store }) => {
    for (let n = 0; n < 3; n++) await store.add(ann, line(n));
    await store.add(bob, line(3));
    await store.add(elsewhere, line(4));
    const { rows, total } = await store.list(ann, 2, 0);
    assert.deepEqual([rows, total], [[line(2), line(1)], 3]);
    assert.deepEqual((await store.list(ann, 2, 2)).rows, [line(0)]);
    assert.deepEqual((await store.list(bob, 9, 0)).rows, [line(3)]);
  });

  check(`a user keeps the last ${HISTORY_MAX} lines`, async ({ db, store }) => {
    await store.add(bob, line(0));
    await store.add(elsewhere, line(1));
    await sql`
      insert into simulations (id, org_id, user_id, kind, status, strategy_name, created_at_ms)
      select ${uuid(7)}::uuid, ${ann.orgId}::uuid, ${ann.userId}::uuid, 'run', 'completed', 'old ' || n, 0
      from generate_series(1, ${sql.lit(HISTORY_MAX + 3)}) as n`.execute(db);
    await store.add(ann, line(2));
    await store.add(ann, line(3));
    const { rows, total } = await store.list(ann, 1_000, 0);
    assert.deepEqual([total, rows.length], [HISTORY_MAX, HISTORY_MAX]);
    assert.deepEqual([rows[0], rows[1], rows.at(-1)?.strategy_name], [line(3), line(2), 'old 6']);
    for (const owner of [bob, elsewhere]) assert.equal((await store.list(owner, 9, 0)).total, 1);
  });

  checkBoth(
    `a synthetic dataset is found by its organization; the latest ${DATASETS_MAX} are kept`,
    async ({ db, store }) => {
      const model = { asset: 'BTC', volatility: 0.1 + 0.2 };
      await store.keepDataset(ann.orgId, 'first', model, 1);
      assert.deepEqual(await store.findDataset(ann.orgId, 'first'), model);
      assert.equal(await store.findDataset(elsewhere.orgId, 'first'), null);
      assert.equal(await store.findDataset(ann.orgId, 'second'), null);
      await sql`
      insert into synthetic_datasets (org_id, file, model, created_at_ms)
      select ${ann.orgId}::uuid, 'old ' || n, '{}', n + 10
      from generate_series(1, ${sql.lit(DATASETS_MAX)}) as n`.execute(db);
      await store.keepDataset(ann.orgId, 'first', model, 9_999); // as if it were new
      await store.keepDataset(ann.orgId, 'second', model, 9_999);
      const kept = async (file: string) => (await store.findDataset(ann.orgId, file)) !== null;
      assert.deepEqual([await kept('first'), await kept('second')], [true, true]);
      assert.deepEqual([await kept('old 2'), await kept('old 3')], [false, true]);
    },
  );
});
