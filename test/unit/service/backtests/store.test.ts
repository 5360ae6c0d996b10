import assert from 'node:assert/strict';
import { publishedDefaults } from '../../../../engine/execution/index.js';
import type { BacktestOutcome, HistoryFilter } from '../../../../service/backtests/index.js';
import { SqlBacktestStore } from '../../../../service/backtests/store.js';
import type { BacktestContent } from '../../../../service/backtests/stored.js';
import type { State } from '../../../../service/state/index.js';
import { onEachStore } from '../../../support/backends.js';
import { planOf } from '../../../support/backtest-plan.js';
import { deleteRows } from '../../../support/shared-state.js';
import { uuid } from '../../../support/uuid.js';

const all: HistoryFilter = { includeArchived: true, limit: 100, offset: 0 };
const { userId } = planOf(0);

const outcome = {
  metrics: { sharpe_ratio: 0.1 + 0.2, profit_factor: null, total_trades: 0, max_drawdown: 1e-300 },
  trades: [
    { trade_id: 'b', profit_loss: -0.000001, entry_price: 123_456.789 },
    { trade_id: 'c', profit_loss: 1e-9, entry_price: 1 },
    { trade_id: 'a', profit_loss: 5, entry_price: 2 },
  ],
  diagnostics: { bars: 3, verdict: null },
  deniedSignals: [],
  warnings: ['another'],
  manifest: { run_id: 'bt_1', execution_config: publishedDefaults },
} as unknown as BacktestOutcome;

const end = { outcome, executionSeconds: 0.25, completedAtMs: 77_000 };

async function emptied({ db }: State) {
  await deleteRows(db);
  return { db, store: new SqlBacktestStore<BacktestContent>(db) };
}

onEachStore('backtests', emptied, (check, checkBoth) => {
  checkBoth('a computed run comes back as it was stored', async ({ store }) => {
    await store.addEnded(planOf(1), end);
    assert.deepEqual(await store.get(userId, uuid(1)), {
      ...planOf(1),
      status: 'completed',
      outcome,
      error: null,
      executionSeconds: 0.25,
      completedAtMs: 77_000,
      archivedAtMs: null,
    });
  });

  check('the history filters by status, asset, session, time and archive mark', async ({ store }) => {
    await store.addEnded(planOf(1, { sessionId: "it's one" }), end);
    await store.addEnded(planOf(2, { asset: 'ETH', baseAsset: 'ETH' }), end);
    await store.addEnded(planOf(3), { error: 'broken', executionSeconds: 0, completedAtMs: 1 });
    await store.addQueued(planOf(4));
    await store.setArchived(userId, uuid(1), 1);
    const found = async (filter: Partial<HistoryFilter>) =>
      (await store.history(userId, { ...all, ...filter })).rows.map(({ id }) => Number(id.slice(-3)));
    assert.deepEqual(await found({}), [4, 3, 2, 1]);
    assert.deepEqual(await found({ includeArchived: false }), [4, 3, 2]);
    assert.deepEqual(await found({ statuses: ['queued', 'failed'] }), [4, 3]);
    assert.deepEqual(await found({ baseAsset: 'ETH' }), [2]);
    assert.deepEqual(await found({ sessionId: "it's one" }), [1]);
    assert.deepEqual(await found({ createdFromMs: 2_000, createdToMs: 4_000 }), [3, 2]);
  });

  check('awaited runs go before the others, and equally old runs go by id', async ({ store }) => {
    await store.addQueued(planOf(1));
    const createdAtMs = 9_000;
    await store.addQueued(...[4, 2, 3].map((n) => planOf(n, { isAwaited: true, createdAtMs })));
    const order: unknown[] = [];
    for (let i = 0; i < 4; i++) {
      const plan = (await store.claim('a', 0, 100))?.plan;
      order.push([plan?.id, plan?.isAwaited]);
    }
    assert.deepEqual(order, [...[2, 3, 4].map((n) => [uuid(n), true]), [uuid(1), false]]);
  });

  check('its user ends a run that is queued or running, and no runner ends it again', async ({ store }) => {
    for (const n of [1, 2, 3]) await store.addQueued(planOf(n));
    await store.addQueued(planOf(4, { isAwaited: true }));
    await store.addEnded(planOf(5), end);
    await store.claim('a', 0, 100); // the awaited one goes first
    await store.claim('a', 0, 100);
    const cancelled = { error: 'cancelled', executionSeconds: 0, completedAtMs: 9 };
    assert.equal(await store.cancel('00000000-0000-4000-8000-00000000ffff', uuid(1), cancelled), false);
    assert.equal(await store.cancel(userId, uuid(1), cancelled), true);
    assert.equal(await store.cancel(userId, uuid(2), cancelled), true);
    for (const n of [1, 4, 5, 6]) assert.equal(await store.cancel(userId, uuid(n), cancelled), false, `run ${n}`);
    assert.equal(await store.renew('a', uuid(1), 200), false);
    assert.equal(await store.end('a', uuid(1), end), false);
    const record = await store.get(userId, uuid(1));
    assert.equal(record?.status, 'failed');
    assert.equal(record?.error, 'cancelled');
    assert.equal((await store.claim('b', 0, 100))?.plan.id, uuid(3));
  });

  check('only runs that could still be claimed can be withdrawn', async ({ store }) => {
    for (const n of [1, 2, 3, 4]) await store.addQueued(planOf(n));
    await store.addEnded(planOf(5), end);
    await store.claim('gone', 0, 50);
    await store.claim('alive', 0, 100);
    assert.deepEqual((await store.withdraw([1, 2, 3, 5, 6].map(uuid), 50)).toSorted(), [uuid(1), uuid(3)]);
    const left = (await store.history(userId, all)).rows.map(({ id }) => id);
    assert.deepEqual(left, [5, 4, 2].map(uuid));
    assert.equal(await store.end('gone', uuid(1), end), false);
  });

  checkBoth('many concurrent runners never get the same run', async ({ store }) => {
    for (let n = 1; n <= 5; n++) await store.addQueued(planOf(n));
    const claims = await Promise.all(Array.from({ length: 8 }, (_, i) => store.claim(`runner ${i}`, 0, 100)));
    const ids = claims.flatMap((claim) => (claim === null ? [] : [claim.plan.id]));
    assert.deepEqual(ids.toSorted(), [1, 2, 3, 4, 5].map(uuid));
  });

  check('a released run waits for the next claim; releasing a run that is not held does nothing', async ({ store }) => {
    await store.addQueued(planOf(1));
    await store.claim('a', 0, 100);
    await store.release('b', uuid(1));
    assert.equal((await store.get(userId, uuid(1)))?.status, 'running');
    await store.release('a', uuid(1));
    assert.equal((await store.get(userId, uuid(1)))?.status, 'queued');
    assert.equal((await store.claim('b', 1, 100))?.attempt, 1, 'that was no attempt');
    assert.equal((await store.claim('c', 100, 200))?.attempt, 2, 'this was one');
  });

  check('organizations take turns', async ({ store }) => {
    for (const n of [1, 2, 3, 4]) await store.addQueued(planOf(n, { orgId: uuid(1) }));
    for (const n of [5, 6]) await store.addQueued(planOf(n, { orgId: uuid(2) }));
    const order: number[] = [];
    for (let run = await store.claim('a', 0, 100); run !== null; run = await store.claim('a', 0, 100)) {
      order.push(Number(run.plan.id.slice(-3)));
      await store.end('a', run.plan.id, { error: 'x', executionSeconds: 0, completedAtMs: 1 });
    }
    assert.deepEqual(order, [1, 5, 2, 6, 3, 4], 'and within one the oldest is next');
    await store.addQueued(planOf(7, { orgId: uuid(1) }));
    await store.addQueued(planOf(8, { orgId: uuid(2) }));
    assert.equal((await store.claim('a', 0, 100))?.plan.id, planOf(8).id, 'the organization that has waited longest');
    assert.equal(await store.claimable(0, 10), 1);
    assert.equal(await store.claimable(100, 10), 2, 'the one whose lease has ended');
    assert.equal(await store.claimable(100, 1), 1);
  });
});
