import assert from 'node:assert/strict';
import test from 'node:test';
import { publishedDefaults, resolveConfig } from '../../engine/execution/index.js';
import type { BacktestOutcome, BacktestPlan, HistoryFilter, SqlBacktestStore } from '../../service/backtests/index.js';
import type { Declare } from './backends.js';

const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const all: HistoryFilter = { includeArchived: true, limit: 100, offset: 0 };
const userId = idOf(901);
const other = idOf(902);

/** A plan that uses every field that a store must return unchanged. */
export function planOf(n: number, changes: Partial<BacktestPlan> = {}): BacktestPlan {
  return {
    id: idOf(n),
    userId,
    orgId: idOf(903),
    strategyId: null,
    strategyName: 'snake_case "quoted" 日本',
    sessionId: null,
    asset: 'BTC-USDT',
    interval: '1D',
    baseAsset: 'BTC',
    startMs: Date.UTC(2024, 0, 1),
    endMs: Date.UTC(2024, 1, 1),
    config: resolveConfig({ interval: 86_400_000 }).config,
    request: {
      strategy: { entry: [] },
      asset: 'BTC-USDT',
      interval: '1D',
      window: { start: '2024-01-01' },
      config: {},
    },
    warnings: ['a warning'],
    createdAtMs: 1_000 * n,
    isShared: false,
    isAwaited: false,
    ...changes,
  };
}

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

/** What every store of backtests promises. `open` returns an empty store. */
export function testBacktestStore(name: string, open: () => Promise<SqlBacktestStore>, alike: Declare): void {
  type Check = (statement: string, body: (store: SqlBacktestStore) => Promise<void>) => void;
  const declared =
    (declare: Declare): Check =>
    (statement, body) =>
      declare(`${name}: ${statement}`, async () => body(await open()));
  const [check, checkBoth] = [declared(alike), declared(test)];

  checkBoth('a computed run comes back as it was stored', async (store) => {
    await store.addEnded(planOf(1), end);
    assert.deepEqual(await store.get(userId, idOf(1)), {
      ...planOf(1),
      status: 'completed',
      outcome,
      error: null,
      executionSeconds: 0.25,
      completedAtMs: 77_000,
      archivedAtMs: null,
    });
  });

  check('a shared run is found by all members of its organization, any other run by its user alone', async (store) => {
    const [orgId, otherOrg] = [idOf(903), idOf(904)];
    await store.addEnded(planOf(1, { isShared: true }), end);
    await store.addQueued(planOf(2));
    const found = async (owner: { userId: string; orgId: string }, n: number) =>
      (await store.getShared(owner, idOf(n)))?.id ?? null;
    assert.equal((await store.getShared({ userId: other, orgId }, idOf(1)))?.outcome?.trades.length, 3);
    assert.deepEqual([await found({ userId, orgId }, 1), await found({ userId, orgId }, 2)], [idOf(1), idOf(2)]);
    assert.equal(await found({ userId: other, orgId }, 2), null);
    assert.equal(
      await found({ userId, orgId: otherOrg }, 1),
      null,
      'not even by the same user for another organization',
    );
    assert.equal(await found({ userId, orgId: otherOrg }, 2), null);
    assert.equal(await store.get(other, idOf(1)), null, 'elsewhere it belongs to its user alone');
  });

  check('a user sees only their own runs', async (store) => {
    await store.addEnded(planOf(1), end);
    await store.addEnded(planOf(2, { userId: other }), end);
    assert.equal(await store.get(userId, idOf(2)), null);
    assert.equal(await store.get(userId, idOf(3)), null);
    assert.equal(await store.setArchived(userId, idOf(2), 5), null);
    assert.equal((await store.get(other, idOf(2)))?.archivedAtMs, null);
    const { rows, total } = await store.history(userId, all);
    assert.deepEqual([rows.map(({ id }) => id), total], [[idOf(1)], 1]);
  });

  check('the archive mark keeps its time when set again, and can be cleared repeatedly', async (store) => {
    await store.addEnded(planOf(1), end);
    assert.deepEqual(await store.setArchived(userId, idOf(1), 5_000), { archivedAtMs: 5_000 });
    assert.deepEqual(await store.setArchived(userId, idOf(1), 6_000), { archivedAtMs: 5_000 });
    assert.equal((await store.get(userId, idOf(1)))?.archivedAtMs, 5_000);
    for (let i = 0; i < 2; i++)
      assert.deepEqual(await store.setArchived(userId, idOf(1), null), { archivedAtMs: null });
    assert.deepEqual(await store.setArchived(userId, idOf(1), 7_000), { archivedAtMs: 7_000 });
  });

  checkBoth('the history is newest first, then by id, in pages, with the count of all', async (store) => {
    for (const n of [3, 1, 2]) await store.addEnded(planOf(n, n === 1 ? { createdAtMs: 2_000 } : {}), end);
    const page = async (limit: number, offset: number) => {
      const { rows, total } = await store.history(userId, { ...all, limit, offset });
      return [rows.map(({ id }) => id), total];
    };
    assert.deepEqual(await page(2, 0), [[idOf(3), idOf(1)], 3]);
    assert.deepEqual(await page(2, 2), [[idOf(2)], 3]);
    assert.deepEqual(await page(2, 9), [[], 3]);
  });

  check('the history filters by status, asset, session, time and archive mark', async (store) => {
    await store.addEnded(planOf(1, { sessionId: "it's one" }), end);
    await store.addEnded(planOf(2, { asset: 'ETH', baseAsset: 'ETH' }), end);
    await store.addEnded(planOf(3), { error: 'broken', executionSeconds: 0, completedAtMs: 1 });
    await store.addQueued(planOf(4));
    await store.setArchived(userId, idOf(1), 1);
    const found = async (filter: Partial<HistoryFilter>) =>
      (await store.history(userId, { ...all, ...filter })).rows.map(({ id }) => Number(id.slice(-3)));
    assert.deepEqual(await found({}), [4, 3, 2, 1]);
    assert.deepEqual(await found({ includeArchived: false }), [4, 3, 2]);
    assert.deepEqual(await found({ statuses: ['queued', 'failed'] }), [4, 3]);
    assert.deepEqual(await found({ baseAsset: 'ETH' }), [2]);
    assert.deepEqual(await found({ sessionId: "it's one" }), [1]);
    assert.deepEqual(await found({ createdFromMs: 2_000, createdToMs: 4_000 }), [3, 2]);
  });

  check('a row of the history has metrics for a completed run only', async (store) => {
    await store.addEnded(planOf(1), end);
    await store.addQueued(planOf(2));
    const { rows } = await store.history(userId, all);
    assert.deepEqual(
      rows.map(({ status, metrics }) => [status, metrics]),
      [
        ['queued', null],
        ['completed', outcome.metrics],
      ],
    );
  });

  check('runs are claimed in the order of their submission, each once', async (store) => {
    for (const n of [2, 1]) await store.addQueued(planOf(n));
    await store.addEnded(planOf(3), end);
    const first = await store.claim('a', 0, 100);
    assert.deepEqual([first?.plan.id, first?.attempt], [idOf(1), 1]);
    assert.deepEqual(first?.plan.request, planOf(1).request);
    assert.equal((await store.get(userId, idOf(1)))?.status, 'running');
    assert.equal((await store.claim('b', 0, 100))?.plan.id, idOf(2));
    assert.equal(await store.claim('b', 0, 100), null);
  });

  check('awaited runs go before the others, and equally old runs go by id', async (store) => {
    await store.addQueued(planOf(1));
    const createdAtMs = 9_000;
    await store.addQueued(...[4, 2, 3].map((n) => planOf(n, { isAwaited: true, createdAtMs })));
    const order: unknown[] = [];
    for (let i = 0; i < 4; i++) {
      const plan = (await store.claim('a', 0, 100))?.plan;
      order.push([plan?.id, plan?.isAwaited]);
    }
    assert.deepEqual(order, [...[2, 3, 4].map((n) => [idOf(n), true]), [idOf(1), false]]);
  });

  check('of several runs added together, those that are known stay as they are', async (store) => {
    await store.addQueued(planOf(1));
    await store.end('a', (await store.claim('a', 0, 100))!.plan.id, end);
    await store.addQueued(planOf(2), planOf(1));
    assert.equal((await store.get(userId, idOf(1)))?.status, 'completed');
    assert.equal((await store.get(userId, idOf(2)))?.status, 'queued');
  });

  check('its user ends a run that is queued or running, and no runner ends it again', async (store) => {
    for (const n of [1, 2, 3]) await store.addQueued(planOf(n));
    await store.addQueued(planOf(4, { isAwaited: true }));
    await store.addEnded(planOf(5), end);
    await store.claim('a', 0, 100); // the awaited one goes first
    await store.claim('a', 0, 100);
    const cancelled = { error: 'cancelled', executionSeconds: 0, completedAtMs: 9 };
    assert.equal(await store.cancel('00000000-0000-4000-8000-00000000ffff', idOf(1), cancelled), false);
    assert.equal(await store.cancel(userId, idOf(1), cancelled), true);
    assert.equal(await store.cancel(userId, idOf(2), cancelled), true);
    for (const n of [1, 4, 5, 6]) assert.equal(await store.cancel(userId, idOf(n), cancelled), false, `run ${n}`);
    assert.equal(await store.renew('a', idOf(1), 200), false);
    assert.equal(await store.end('a', idOf(1), end), false);
    const record = await store.get(userId, idOf(1));
    assert.equal(record?.status, 'failed');
    assert.equal(record?.error, 'cancelled');
    assert.equal((await store.claim('b', 0, 100))?.plan.id, idOf(3));
  });

  check('only runs that could still be claimed can be withdrawn', async (store) => {
    for (const n of [1, 2, 3, 4]) await store.addQueued(planOf(n));
    await store.addEnded(planOf(5), end);
    await store.claim('gone', 0, 50);
    await store.claim('alive', 0, 100);
    assert.deepEqual((await store.withdraw([1, 2, 3, 5, 6].map(idOf), 50)).toSorted(), [idOf(1), idOf(3)]);
    const left = (await store.history(userId, all)).rows.map(({ id }) => id);
    assert.deepEqual(left, [5, 4, 2].map(idOf));
    assert.equal(await store.end('gone', idOf(1), end), false);
  });

  check('ends are read of runs that have one, until failed ones are deleted', async (store) => {
    for (const n of [1, 2, 3, 4]) await store.addQueued(planOf(n, { isAwaited: true }));
    for (let i = 0; i < 3; i++) await store.claim('a', 0, 100);
    const deniedSignals = [{ side: 'entry', name: 'luck', reason: 'unknown_signal' }] as never;
    await store.end('a', idOf(1), { ...end, outcome: { ...outcome, deniedSignals } });
    await store.end('a', idOf(2), { error: 'no bars', executionSeconds: 0.5, completedAtMs: 5 });
    const ids = [1, 2, 3, 4, 5].map(idOf);
    const { metrics, warnings } = outcome;
    const completed = { id: idOf(1), executionSeconds: 0.25, metrics, tradeCount: 3, deniedSignals, warnings };
    assert.deepEqual(await store.readEnds(ids), [completed, { id: idOf(2), executionSeconds: 0.5, error: 'no bars' }]);
    await store.deleteFailed(ids);
    assert.equal(await store.get(userId, idOf(2)), null);
    assert.deepEqual(await store.readEnds(ids), [completed]);
  });

  checkBoth('many concurrent runners never get the same run', async (store) => {
    for (let n = 1; n <= 5; n++) await store.addQueued(planOf(n));
    const claims = await Promise.all(Array.from({ length: 8 }, (_, i) => store.claim(`runner ${i}`, 0, 100)));
    const ids = claims.flatMap((claim) => (claim === null ? [] : [claim.plan.id]));
    assert.deepEqual(ids.toSorted(), [1, 2, 3, 4, 5].map(idOf));
  });

  check('a run whose lease has ended is claimed again, and its first runner can no longer end it', async (store) => {
    await store.addQueued(planOf(1));
    await store.claim('a', 0, 100);
    assert.equal(await store.claim('b', 99, 200), null);
    const second = await store.claim('b', 100, 200);
    assert.deepEqual([second?.plan.id, second?.attempt], [idOf(1), 2]);
    assert.equal(await store.renew('a', idOf(1), 900), false);
    assert.equal(await store.end('a', idOf(1), { ...end }), false);
    assert.equal((await store.get(userId, idOf(1)))?.status, 'running');
    assert.equal(await store.end('b', idOf(1), { ...end }), true);
    assert.equal(await store.end('b', idOf(1), { error: 'late', executionSeconds: 0, completedAtMs: 0 }), false);
    assert.deepEqual((await store.get(userId, idOf(1)))?.outcome, outcome);
    assert.equal(await store.claim('c', 9_999, 99_999), null);
  });

  check('a renewed lease holds until its new end', async (store) => {
    await store.addQueued(planOf(1));
    await store.claim('a', 0, 100);
    assert.equal(await store.renew('a', idOf(1), 500), true);
    assert.equal(await store.claim('b', 499, 900), null);
    assert.equal((await store.claim('b', 500, 900))?.plan.id, idOf(1));
  });

  check('a released run waits for the next claim; releasing a run that is not held does nothing', async (store) => {
    await store.addQueued(planOf(1));
    await store.claim('a', 0, 100);
    await store.release('b', idOf(1));
    assert.equal((await store.get(userId, idOf(1)))?.status, 'running');
    await store.release('a', idOf(1));
    assert.equal((await store.get(userId, idOf(1)))?.status, 'queued');
    assert.equal((await store.claim('b', 1, 100))?.attempt, 1, 'that was no attempt');
    assert.equal((await store.claim('c', 100, 200))?.attempt, 2, 'this was one');
  });

  check('a failed run keeps its error', async (store) => {
    await store.addQueued(planOf(1));
    await store.claim('a', 0, 100);
    await store.end('a', idOf(1), { error: 'no bars', executionSeconds: 1, completedAtMs: 5 });
    const record = await store.get(userId, idOf(1));
    assert.deepEqual([record?.status, record?.error, record?.outcome], ['failed', 'no bars', null]);
  });
}
