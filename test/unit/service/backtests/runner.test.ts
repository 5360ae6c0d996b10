import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { EngineError } from '../../../../engine/errors.js';
import {
  type BacktestDeps,
  BacktestRunner,
  getBacktest,
  getBacktestStatus,
  runSynchronousBacktest,
  submitBacktest,
} from '../../../../service/backtests/index.js';
import { type BacktestEngine, inThisThread, ThreadFailure } from '../../../../workers/index.js';
import { backtestDeps } from '../../../support/backtest-deps.js';
import { callerOf, dipStrategy, runBody } from '../../../support/backtests.js';
import { changed } from '../../../support/changed.js';
import { sharedState } from '../../../support/shared-state.js';

const caller = callerOf('ann');
const small = { asset: 'BTC', interval: '1d', strategy_json: JSON.stringify(dipStrategy), start_date: '2024-01-01' };
const runnerOf = (deps: BacktestDeps, name = 'one', leaseMs = 30_000) => new BacktestRunner(deps, { name, leaseMs });

/** An engine that goes through the given behaviours, and then computes. */
function scripted(...script: ((signal?: AbortSignal) => Promise<never>)[]): BacktestEngine {
  return {
    ...inThisThread,
    compute: (work, signal) => script.shift()?.(signal) ?? inThisThread.compute(work),
  };
}

test('a submitted run is queued, and ends like a synchronous one', async () => {
  const deps = await backtestDeps();
  const { backtest_id: id, status, created_at } = await submitBacktest(caller, runBody, deps);
  assert.equal(status, 'queued');
  const waiting = await getBacktestStatus(caller, id, deps);
  assert.deepEqual([waiting.status, waiting.metrics, waiting.created_at], ['queued', null, created_at]);
  assert.equal((await getBacktest(caller, id, deps)).status, 'pending');
  assert.equal(await runnerOf(deps).runNext(), 'ended');
  assert.equal(await runnerOf(deps).runNext(), 'nothing');
  const done = await getBacktestStatus(caller, id, deps);
  const sync = await runSynchronousBacktest(caller, runBody, await backtestDeps(), { filling: 'required' });
  assert.equal(done.status, 'completed');
  assert.deepEqual(done.metrics, sync.metrics);
  assert.deepEqual(done.trade_history, JSON.parse(JSON.stringify(sync.trade_history)));
  assert.equal(done.trade_count, sync.trade_count);
});

test('a run whose runner crashed continues with the next one, once the lease has ended', async () => {
  let nowMs = 0;
  const deps = await backtestDeps({ nowMs: () => nowMs });
  const { backtest_id: id } = await submitBacktest(caller, small, deps);
  // The first runner dies and never returns.
  const crashed = scripted(() => new Promise(() => {}));
  void runnerOf({ ...deps, engine: crashed }, 'crashed').runNext();
  await new Promise(setImmediate);
  const status = async () => (await getBacktestStatus(caller, id, deps)).status;
  while ((await status()) !== 'running') await new Promise(setImmediate);
  const next = runnerOf(deps, 'next');
  nowMs = 29_999;
  assert.equal(await next.runNext(), 'nothing');
  nowMs = 30_000;
  assert.equal(await next.runNext(), 'ended');
  assert.equal(await status(), 'completed');
});

test('a run that continues after an import trades the window it was submitted with', async () => {
  const deps = await backtestDeps();
  const { backtest_id: id } = await submitBacktest(
    caller,
    { ...small, start_date: undefined, lookback_months: 2 },
    deps,
  );
  const queued = await getBacktest(caller, id, deps);
  const later = { ...deps.market, nowMs: async () => Date.UTC(2024, 0, 1) };
  await runnerOf({ ...deps, market: later }).runNext();
  const done = await getBacktest(caller, id, deps);
  assert.equal(done.status, 'completed');
  assert.deepEqual([done.start_date, done.end_date], [queued.start_date, queued.end_date]);
  const { window } = (await deps.store.get(caller.userId, id))!.outcome!.manifest;
  assert.deepEqual(window, { start: queued.start_date, end: queued.end_date });
});

const bug = new TypeError('secret');
const late = new ThreadFailure('deadline', 'no answer within 9 ms');
const gone = new EngineError('NOT_FOUND', 'no bars of BTC (no bars are held)');
const died = new ThreadFailure('died', 'the backtest ended its thread 2 times');

/** What goes wrong in a run, what its caller is told of it, and what is logged. */
const ends: readonly (readonly [
  what: string,
  more: { readonly market?: object; readonly engine?: BacktestEngine },
  message: string,
  logged?: readonly string[],
])[] = [
  [
    'takes too long',
    { market: { load: () => Promise.reject(late) } },
    'the backtest takes too long (no answer within 9 ms): narrow its window',
  ],
  ['has bars that are no longer held', { market: { resolveSource: () => Promise.reject(gone) } }, gone.message],
  ['meets with a bug', { engine: scripted(() => Promise.reject(bug)) }, 'internal error', ['secret']],
  ['ends its thread', { engine: scripted(() => Promise.reject(died)) }, died.message, [died.message]],
];

for (const [what, { market, engine }, message, logged = []] of ends) {
  test(`a run that ${what} fails, and the runner goes on`, async () => {
    const deps = await backtestDeps();
    const { backtest_id: id } = await submitBacktest(caller, small, deps);
    const broken = { ...deps, market: { ...deps.market, ...market }, engine: engine ?? deps.engine };
    assert.equal(await runnerOf(broken).runNext(), 'ended');
    const failed = await getBacktestStatus(caller, id, deps);
    assert.deepEqual([failed.status, failed.error_message, failed.metrics], ['failed', message, null]);
    assert.ok(failed.completed_at !== null);
    assert.deepEqual(
      deps.internalErrors.map((error) => (error as Error).message),
      logged,
    );
    const { backtest_id: second } = await submitBacktest(caller, small, deps);
    assert.equal(await runnerOf(deps).runNext(), 'ended');
    assert.equal((await getBacktestStatus(caller, second, deps)).status, 'completed');
  });
}

test('a runner that has lost its lease leaves the run to the new holder', async () => {
  const deps = await backtestDeps();
  const { backtest_id: id } = await submitBacktest(caller, small, deps);
  const untilLost = (signal?: AbortSignal) =>
    new Promise<never>((_, reject) => {
      if (signal?.aborted) reject(signal.reason);
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  const store = changed(deps.store, { renew: async () => false });
  // The first renewal comes after a third of the lease.
  const slow = runnerOf({ ...deps, store, engine: scripted(untilLost) }, 'slow', 3);
  assert.equal(await slow.runNext(), 'ended');
  assert.equal((await getBacktestStatus(caller, id, deps)).status, 'running');
  assert.equal(await runnerOf(deps, 'other').runNext(), 'ended');
  assert.equal((await getBacktestStatus(caller, id, deps)).status, 'completed');
});

test('a run whose result cannot be stored runs again instead of being stored as failed', async () => {
  let nowMs = 0;
  const deps = await backtestDeps({ nowMs: () => nowMs });
  const { backtest_id: id } = await submitBacktest(caller, small, deps);
  const broken = new Error('the connection broke');
  const ends = [() => Promise.reject(broken)];
  const store = changed(deps.store, { end: (...given) => ends.pop()?.() ?? deps.store.end(...given) });
  const runner = runnerOf({ ...deps, store });
  await assert.rejects(runner.runNext(), broken);
  assert.equal((await getBacktestStatus(caller, id, deps)).status, 'running');
  nowMs = 30_000;
  assert.equal(await runner.runNext(), 'ended');
  assert.equal((await getBacktestStatus(caller, id, deps)).status, 'completed');
  assert.deepEqual(deps.internalErrors, []);
});

test('a run that finds no free thread waits again, any number of times', async () => {
  const deps = await backtestDeps();
  const { backtest_id: id } = await submitBacktest(caller, small, deps);
  const full = () => Promise.reject(new ThreadFailure('full', 'full'));
  const runner = runnerOf({ ...deps, engine: scripted(full, full, full) });
  for (let i = 0; i < 3; i++) assert.equal(await runner.runNext(), 'released');
  assert.equal((await getBacktestStatus(caller, id, deps)).status, 'queued');
  assert.equal(await runner.runNext(), 'ended');
  assert.equal((await getBacktestStatus(caller, id, deps)).status, 'completed');
});

test('an unreadable run fails, and so does one that was tried too often', async () => {
  let nowMs = 0;
  const deps = await backtestDeps({ nowMs: () => nowMs });
  const { backtest_id: unreadable } = await submitBacktest(caller, small, deps);
  await sql`update backtests set request = '"gone"'`.execute((await sharedState()).db);
  assert.equal(await runnerOf(deps).runNext(), 'ended');
  const failed = await getBacktestStatus(caller, unreadable, deps);
  assert.deepEqual(
    [failed.status, failed.error_message],
    ['failed', 'the stored run can no longer be read: its request is not an object'],
  );

  const { backtest_id: deadly } = await submitBacktest(caller, small, deps);
  for (let crash = 0; crash < 3; crash++) {
    await deps.store.claim(`crashed ${crash}`, nowMs, nowMs + 10);
    nowMs += 10;
  }
  assert.equal(await runnerOf(deps).runNext(), 'ended');
  assert.equal(
    (await getBacktestStatus(caller, deadly, deps)).error_message,
    'given up: 3 attempts ended without a result',
  );
});

test('a stopped runner releases its run, and takes no other', async () => {
  const deps = await backtestDeps();
  let reached!: () => void;
  const computing = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const untilStopped = (signal?: AbortSignal) =>
    new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
      reached();
    });
  const runner = runnerOf({ ...deps, engine: scripted(untilStopped) });
  const { backtest_id: id } = await submitBacktest(caller, small, deps);
  const step = runner.runNext();
  await computing;
  assert.equal((await getBacktestStatus(caller, id, deps)).status, 'running');
  runner.stop();
  assert.equal(await step, 'released');
  assert.equal((await getBacktestStatus(caller, id, deps)).status, 'queued');
  assert.equal(await runner.runNext(), 'nothing');
  assert.equal(await runnerOf(deps, 'two').runNext(), 'ended');
  assert.equal((await getBacktestStatus(caller, id, deps)).status, 'completed');
});

test('the queue is bounded, for each organization and in total', async () => {
  const deps = await backtestDeps({ queueLimits: { ofOrganization: 2, ofAll: 3 } });
  const other = callerOf('bob');
  await submitBacktest(caller, small, deps);
  await submitBacktest(caller, small, deps);
  await assert.rejects(submitBacktest(caller, small, deps), {
    code: 'RATE_LIMITED',
    message: 'The organization has 2 backtests waiting, the most it may have is 2',
    details: { retry_after: 5, limit: 2, used: 2 },
  });
  await submitBacktest(other, small, deps);
  await assert.rejects(submitBacktest(callerOf('eve'), small, deps), { code: 'ENGINE_BUSY' });
  assert.equal(await runnerOf(deps).runNext(), 'ended');
  await submitBacktest(callerOf('eve'), small, deps);
});
