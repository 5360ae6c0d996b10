import assert from 'node:assert/strict';
import test from 'node:test';
import { afterCommit, inUnitOfWork } from '../../../../data/state/index.js';
import { awaitRuns } from '../../../../service/backtests/bulk-queue.js';
import {
  type BacktestDeps,
  type BacktestPlan,
  BacktestRunner,
  listBacktests,
  type QueuedBulkOptions,
  runBulkBacktest,
  runBulkInQueue,
  submitBacktest,
} from '../../../../service/backtests/index.js';
import { inThisThread } from '../../../../workers/index.js';
import { backtestDeps } from '../../../support/backtest-deps.js';
import { planOf } from '../../../support/backtest-plan.js';
import { callerOf, dipStrategy, runBody } from '../../../support/backtests.js';
import { changed } from '../../../support/changed.js';

const caller = callerOf('ann');
const batch: QueuedBulkOptions = { filling: 'filled', interval: '1h', isShared: true };
const dates = { start_date: '2023-01-01', end_date: '2023-12-31', interval: '1d' };
const named = (name: string, changes: object = {}) => ({ ...dipStrategy, name, ...changes });
const bulk = (...items: readonly unknown[]) => ({ ...dates, strategy_configs: items });
const runnerOf = (deps: BacktestDeps) => new BacktestRunner(deps, { name: 'one' });
const noSlot = { run: () => assert.fail('no call takes the synchronous slot') } as never;

/** Use cases beside a worker, which wakes when a run is queued. */
async function served(changes: Partial<BacktestDeps> = {}): ReturnType<typeof backtestDeps> {
  const deps = await backtestDeps({ slot: noSlot, ...changes });
  const work = async () => {
    const runner = runnerOf(deps);
    while ((await runner.runNext()) !== 'nothing');
  };
  return { ...deps, onQueued: () => void work() };
}

test('a worker runs items, the answer has their order and form as in the slot, and completed ones are stored', async () => {
  const items = [
    named('first'),
    { strategy_json: '{' },
    named('ether', { asset: 'ETH' }),
    named('nowhere', { asset: 'NOPE' }),
    named('again', { asset: 'btc/usdt' }),
    named('luck', { entry: [{ ...dipStrategy.entry[0], name: 'luck' }] }),
  ];
  const deps = await served();
  const { results, data_fetches, error } = await runBulkInQueue(caller, bulk(...items), deps, batch);
  const shown = ({ results: all }: { readonly results: typeof results }) =>
    all.map(({ backtest_id, execution_time_seconds, ...item }) => ({ ...item, isKept: backtest_id !== null }));
  assert.deepEqual(
    results.map(({ success }) => success),
    [true, false, true, false, true, true],
  );
  assert.deepEqual([data_fetches, error], [2, null]);
  const { backtests } = await listBacktests(caller, {}, deps);
  const kept = results.flatMap(({ backtest_id }) => backtest_id ?? []);
  assert.deepEqual(
    backtests.map(({ id, status }) => [id, status]),
    kept.map((id) => [id, 'completed']),
    'in the order of the request',
  );
  assert.deepEqual(deps.internalErrors, []);
  const alone = await runBulkBacktest(caller, bulk(...items), await backtestDeps(), { ...batch });
  assert.deepEqual(shown({ results }), JSON.parse(JSON.stringify(shown(alone))));
});

test('an item that the engine fails on gives the reason, and leaves no row', async () => {
  const engine = { ...inThisThread, compute: () => Promise.reject(new Error('a bug')) };
  const deps = await served({ engine });
  const { results, data_fetches } = await runBulkInQueue(caller, bulk(named('a'), named('b')), deps, batch);
  for (const { success, error, metrics, trade_count, backtest_id } of results) {
    assert.deepEqual([success, error, metrics, trade_count, backtest_id], [false, 'internal error', {}, 0, null]);
  }
  assert.equal(data_fetches, 1);
  assert.equal((await listBacktests(caller, {}, deps)).total, 0);
});

test('ends are found even if their notices are lost', async () => {
  const endNotices = { tell: async () => {}, hear: async () => () => {} };
  const deps = await served({ endNotices });
  const { results } = await runBulkInQueue(caller, bulk(named('a')), deps, { ...batch, lookMs: 1 });
  assert.equal(results[0]?.success, true);
});

test('at the deadline items that have not begun are withdrawn, and those that have are awaited', async () => {
  const deps = await backtestDeps();
  const { store } = deps;
  const plans = [1, 2].map((n) => planOf(n, { isAwaited: true }));
  const end = { error: 'as ends go', executionSeconds: 1, completedAtMs: 1 };
  const withdrawn: (readonly string[])[] = [];
  const watched = changed(store, {
    async withdraw(ids, nowMs) {
      withdrawn.push(await store.withdraw(ids, nowMs));
      await store.end('worker', plans[0]!.id, end);
      await deps.endNotices.tell(plans[0]!.id);
      return withdrawn[0]!;
    },
  });
  const onQueued = () => void store.claim('worker', 0, 1e15);
  const ends = await awaitRuns(plans, { ...deps, store: watched, onQueued }, { deadlineAt: performance.now() });
  assert.deepEqual(withdrawn, [[plans[1]!.id]]);
  assert.deepEqual([...ends], [[plans[0]!.id, { id: plans[0]!.id, executionSeconds: 1, error: 'as ends go' }]]);
  const late = await runBulkInQueue(caller, bulk(named('a')), deps, { ...batch, deadlineMs: 0 });
  assert.equal(late.results[0]?.error, 'not run: the batch took longer than 0 ms');
  assert.equal(await runnerOf(deps).runNext(), 'nothing');
});

test('in a unit of work the worker is woken before its end, and another attempt waits for the same runs', async () => {
  const deps = await served();
  const steps = { done: {}, record: async () => {} };
  const leaving = new AbortController();
  const attempt = (onQueued: () => void, signal?: AbortSignal) =>
    inUnitOfWork(
      () =>
        runBulkInQueue(
          caller,
          bulk(named('a'), named('b')),
          { ...deps, onQueued: () => afterCommit(onQueued) },
          { ...batch, signal },
        ),
      steps,
    );
  const work = async () => {
    assert.equal(await runnerOf(deps).runNext(), 'ended');
    leaving.abort(new Error('gone'));
  };
  await assert.rejects(
    attempt(() => void work(), leaving.signal),
    /^Error: gone$/,
  );
  const { results } = await attempt(() => deps.onQueued(2));
  const { backtests } = await listBacktests(caller, {}, deps);
  assert.deepEqual(
    backtests.map(({ id, status }) => [id, status]),
    results.map(({ backtest_id }) => [backtest_id, 'completed']),
  );
  assert.equal(backtests.length, 2);
});

test('if the caller leaves, its items are withdrawn, except those that have begun', async () => {
  const leaving = new AbortController();
  const deps = await backtestDeps();
  let first: BacktestPlan | undefined;
  const onQueued = async () => {
    first = (await deps.store.claim('worker', 0, 1e15))?.plan;
    leaving.abort(new Error('gone'));
  };
  const run = runBulkInQueue(
    caller,
    bulk(named('a'), named('b'), named('c')),
    { ...deps, onQueued: () => void onQueued() },
    { ...batch, signal: leaving.signal },
  );
  await assert.rejects(run, /^Error: gone$/);
  const { backtests } = await listBacktests(caller, {}, deps);
  assert.deepEqual(
    backtests.map(({ id, status }) => [id, status]),
    [[first?.id, 'running']],
  );
  assert.equal(first?.strategyName, 'a');
});

test('a bulk run needs room for all its items, unless the queue is empty, and is counted before it is queued', async () => {
  const counted: number[] = [];
  const admit = async (_: unknown, runs: number) => {
    counted.push(runs);
    if (runs > 3) throw new Error('too many');
  };
  const limits = { ofOrganization: 2, ofAll: 100 };
  const deps = await served({ queueLimits: limits, admit });
  const silent = { ...deps, onQueued: () => {} };
  const items = (count: number) => bulk(...Array.from({ length: count }, () => named('x')), null);
  await submitBacktest(caller, runBody, silent);
  await assert.rejects(runBulkInQueue(caller, items(2), silent, batch), {
    code: 'RATE_LIMITED',
    details: { retry_after: 5, limit: 2, used: 1 },
  });
  assert.deepEqual(counted, [1], 'of the submitted run');
  assert.equal(await runnerOf(deps).runNext(), 'ended');
  assert.equal((await runBulkInQueue(caller, items(3), deps, batch)).results[2]?.success, true);
  await assert.rejects(runBulkInQueue(caller, items(4), deps, batch), /^Error: too many$/);
  assert.deepEqual(counted, [1, 3, 4]);
  assert.equal((await listBacktests(caller, {}, deps)).total, 4);
});
