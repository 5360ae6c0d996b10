import { setTimeout as delay } from 'node:timers/promises';
import { apart, committedOnce, refuseInTransaction } from '../../data/state/index.js';
import { refuseMissing } from '../api-error.js';
import type { Caller } from '../caller.js';
import {
  type BulkItem,
  type BulkOptions,
  bulkResult,
  DEADLINE_MS,
  type Draft,
  doneItem,
  failedItem,
  isReadable,
  notBegun,
  orderOfDraft,
  readBulk,
  seriesKey,
} from './bulk-items.js';
import { type BacktestDeps, failureMessage } from './execute.js';
import { missingDates, type RunRequest, type Surface } from './request.js';
import { planQueued, requireRoom, runSynchronousBacktest, submitBacktest } from './run.js';
import { asSeen, failureSeen, isPresent } from './settings.js';
import type { AwaitedEnd, BacktestPlan } from './stored.js';

export interface QueuedBulkOptions extends BulkOptions {
  /** As in `AwaitOptions`. */
  readonly lookMs?: number | undefined;
}

/** An item to queue, or one that failed before. */
type Prepared = { readonly draft: Draft } & (
  | { readonly plan: BacktestPlan }
  | { readonly error: unknown; readonly seconds: number }
);

/**
 * Runs up to 99 strategies over one window in the queue that all workers share, ahead of what else
 * the organization has queued there. Answers when all have ended. An item that fails says why and
 * does not stop the others; its row is deleted with the answer, and the others' rows are kept. If
 * this process dies first, the runs continue like submitted ones; a call that is sent again with
 * its idempotency key waits for the same runs.
 * @throws as `readBulk` and `requireRoom`; USAGE_LIMIT_EXCEEDED before anything runs, when the
 *   quota cannot take all readable items
 */
export async function runBulkInQueue(
  caller: Caller,
  request: RunRequest,
  deps: BacktestDeps,
  { deadlineMs = DEADLINE_MS, signal, lookMs, ...surface }: QueuedBulkOptions,
) {
  const start = performance.now();
  const bulk = await readBulk(caller, request, surface, deps.strategies);
  const count = bulk.drafts.filter(isReadable).length;
  await requireRoom(caller, count, deps);
  await deps.admit(caller, count);
  const fetched = new Set<string>();
  const prepare = async (draft: Draft): Promise<Prepared> => {
    const itemStart = performance.now();
    try {
      const order = orderOfDraft(draft, bulk);
      if (itemStart - start >= deadlineMs) throw notBegun(deadlineMs);
      const plan = await planQueued(caller, order, { isShared: false, isAwaited: true }, deps);
      fetched.add(seriesKey(order));
      return { draft, plan };
    } catch (error) {
      return { draft, error, seconds: (performance.now() - itemStart) / 1000 };
    }
  };
  const prepared: Prepared[] = [];
  for (const draft of bulk.drafts) {
    signal?.throwIfAborted();
    prepared.push(await prepare(draft));
  }
  const order = await committedOnce('order', async () => orderOfRuns(prepared.length, deps));
  const items = inOrder(prepared, order);
  const plans = items.flatMap((item) => ('plan' in item ? [item.plan] : []));
  const waiting = { deadlineAt: start + deadlineMs, signal, lookMs };
  const ends = plans.length === 0 ? new Map<string, AwaitedEnd>() : await awaitRuns(plans, deps, waiting);
  const results = items.map((item): BulkItem => {
    const { draft } = item;
    const isStored = draft.strategyId !== null;
    if ('error' in item) {
      const failure = failureSeen(caller, isStored, request, item.error);
      return failedItem(draft, failureMessage(failure, deps), item.seconds);
    }
    const { id, strategyName } = item.plan;
    const end = ends.get(id);
    if (end === undefined) return failedItem(draft, failureMessage(notBegun(deadlineMs), deps), 0);
    const answer =
      'error' in end ? failedItem(draft, end.error, end.executionSeconds) : doneItem(draft, strategyName, end);
    return asSeen(caller, isStored, answer);
  });
  return bulkResult(results, fetched, start);
}

/** What the queue and the history order runs by. */
interface OrderOfRuns {
  readonly createdAtMs: number;
  readonly ids: readonly string[];
}

/** One creation time and ascending ids, which keep the order of the request. */
const orderOfRuns = (count: number, { nowMs, newId }: BacktestDeps): OrderOfRuns => ({
  createdAtMs: nowMs(),
  ids: Array.from({ length: count }, newId).sort(),
});

const inOrder = (items: readonly Prepared[], { createdAtMs, ids }: OrderOfRuns): Prepared[] =>
  items.map((item, i) =>
    // biome-ignore lint/style/noNonNullAssertion: one id for each item
    'plan' in item ? { ...item, plan: { ...item.plan, id: ids[i]!, createdAtMs } } : item,
  );

interface AwaitOptions {
  /** When runs that have not begun are withdrawn, by the monotonic clock. */
  readonly deadlineAt: number;
  readonly signal?: AbortSignal | undefined;
  /** How often, in ms, the store is asked for ends whose notices were lost. */
  readonly lookMs?: number | undefined;
}

const LOOK_MS = 1_000;

/**
 * Queues runs, unless they are known, and waits until each has ended. At the deadline, runs that
 * have not begun are withdrawn and have no end in the answer; runs that have begun are waited for.
 * In the end it deletes failed ones, as part of the unit of work of the caller. If the wait fails,
 * runs that have not begun are withdrawn; the others end and are kept like submitted runs. If this
 * process dies, all are kept.
 * @throws the reason of the signal
 */
export async function awaitRuns(
  plans: readonly BacktestPlan[],
  { store, endNotices, onQueued, nowMs, onInternalError }: BacktestDeps,
  { deadlineAt, signal, lookMs = LOOK_MS }: AwaitOptions,
): Promise<ReadonlyMap<string, AwaitedEnd>> {
  refuseInTransaction('a wait for runs');
  const pending = new Set(plans.map(({ id }) => id));
  const told = new Set<string>();
  const ends = new Map<string, AwaitedEnd>();
  let bell = new AbortController();
  const wake = () => bell.abort();
  const areAllTold = () => [...pending].every((id) => told.has(id));
  const stopHearing = await endNotices.hear((id) => {
    if (!pending.has(id)) return;
    told.add(id);
    if (areAllTold()) wake();
  });
  const withdraw = async () => {
    for (const id of await apart(() => store.withdraw([...pending], nowMs()))) pending.delete(id);
  };
  signal?.addEventListener('abort', wake);
  try {
    signal?.throwIfAborted();
    await apart(async () => {
      await store.addQueued(...plans);
      onQueued(plans.length);
    });
    while (pending.size > 0) {
      bell = new AbortController();
      signal?.throwIfAborted();
      for (const end of await store.readEnds([...pending])) {
        ends.set(end.id, end);
        pending.delete(end.id);
      }
      const leftMs = deadlineAt - performance.now();
      if (leftMs <= 0 && pending.size > 0) await withdraw();
      const restMs = leftMs > 0 ? Math.min(leftMs, lookMs) : lookMs;
      if (!areAllTold()) await delay(restMs, null, { signal: bell.signal }).catch(() => {});
    }
    await store.deleteFailed(plans.map(({ id }) => id));
    return ends;
  } catch (error) {
    await withdraw().catch(onInternalError);
    throw error;
  } finally {
    stopHearing();
    signal?.removeEventListener('abort', wake);
  }
}

/**
 * The batch engine fills in every setting that a request leaves out, except the asset. Submitted
 * runs belong to the organization.
 */
const batch: Surface = {
  filling: 'filled',
  interval: '1h',
  requiresAsset: true,
  refusesNullSizing: true,
  isShared: true,
};

/** Runs one backtest of a strategy sent with the request. @throws as `runSynchronousBacktest` */
export async function runBatchBacktest(caller: Caller, request: RunRequest, deps: BacktestDeps, signal?: AbortSignal) {
  requireStrategy(request);
  return runSynchronousBacktest(caller, request, metered(deps), { ...batch, signal });
}

/** The same, run later. @throws as `submitBacktest` */
export async function submitBatchBacktest(caller: Caller, request: RunRequest, deps: BacktestDeps) {
  requireStrategy(request);
  return submitBacktest(caller, request, metered(deps), batch);
}

/** Runs up to 99 strategies between two dates, both required. @throws as `runBulkInQueue` */
export async function runBatchBulk(caller: Caller, request: RunRequest, deps: BacktestDeps, signal?: AbortSignal) {
  const missing = ['start_date', 'end_date'].filter((name) => !isPresent(request, name));
  const hasList = isPresent(request, 'strategy_ids') || isPresent(request, 'strategy_configs');
  refuseMissing(hasList ? missing : [...missing, 'strategy_ids or strategy_configs']);
  return runBulkInQueue(caller, request, metered(deps), { ...batch, signal });
}

/** The call counts on its own meter, so its runs do not count among the backtests of the tier too. */
const metered = (deps: BacktestDeps): BacktestDeps => ({ ...deps, admit: async () => {} });

/**
 * Requires the strategy itself, since saved strategies run only in bulk. Names all missing fields
 * at once.
 */
function requireStrategy(request: RunRequest): void {
  if (isPresent(request, 'strategy_json')) return;
  const asset = isPresent(request, 'asset') ? [] : ['asset'];
  refuseMissing([...asset, 'strategy_json', ...missingDates(request)]);
}
