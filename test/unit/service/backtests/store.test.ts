import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { SqlBacktestStore } from '../../../../service/backtests/store.js';
import type { BacktestContent } from '../../../../service/backtests/stored.js';
import { UnreadableRun } from '../../../../service/backtests/stored.js';
import type { Database } from '../../../../service/state/index.js';
import { onEachBackend } from '../../../support/backends.js';
import { planOf, testBacktestStore } from '../../../support/backtest-store-contract.js';
import { deleteRows } from '../../../support/shared-state.js';

async function emptyStore(db: Database): Promise<SqlBacktestStore<BacktestContent>> {
  await deleteRows(db);
  return new SqlBacktestStore<BacktestContent>(db);
}

onEachBackend((backend, open, alike) => {
  testBacktestStore(
    `backtests, ${backend}`,
    async () => {
      const { db } = await open();
      return emptyStore(db);
    },
    alike,
  );
  alike(
    `backtests, ${backend}: a run with an unreadable request is claimed and named, so that it can be ended`,
    async () => {
      const { db } = await open();
      const store = await emptyStore(db);
      const plan = planOf(1);
      await store.addQueued(plan);
      await sql`update backtests set request = '"gone"'`.execute(db);
      await assert.rejects(store.claim('a', 0, 100), (error) => error instanceof UnreadableRun && error.id === plan.id);
      await assert.rejects(store.claim('b', 100, 200), UnreadableRun, 'until a runner ends it');
      assert.ok(await store.end('b', plan.id, { error: 'unreadable', executionSeconds: 0, completedAtMs: 1 }));
    },
  );
  alike(`backtests, ${backend}: runs that a process left behind can be claimed by the next one at once`, async () => {
    const { db } = await open();
    const store = await emptyStore(db);
    await store.addQueued(planOf(1));
    await store.claim('a', 0, 100);
    await store.releaseAll();
    assert.equal(await store.renew('a', planOf(1).id, 900), false);
    assert.equal((await store.claim('b', 0, 100))?.attempt, 2);
  });
});
