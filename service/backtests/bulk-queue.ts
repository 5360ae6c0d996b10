import { committedOnce } from '../../data/state/index.js';
import type { Caller } from '../caller.js';
import { awaitRuns } from './await-runs.js';
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
import type { RunRequest } from './request.js';
import type { AwaitedEnd, BacktestPlan } from './stored.js';
import { planQueued, requireRoom } from './submit.js';
import { asSeen, failureSeen } from './withheld-rules.js';

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
