import type { Caller } from '../caller.js';
import {
  type Bulk,
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
import { type BacktestDeps, execute, failureMessage } from './execute.js';
import type { RunRequest } from './request.js';
import { type EndedRun, endedRun } from './run.js';
import { asSeen, failureSeen } from './settings.js';

/**
 * Runs up to 99 strategies over one window, one after the other in the synchronous slot, and then
 * stores them all. An item that fails says why and does not stop the others.
 * @throws as `readBulk`; ENGINE_BUSY; USAGE_LIMIT_EXCEEDED before anything runs, when the quota
 *   cannot take all readable items
 */
export async function runBulkBacktest(
  caller: Caller,
  request: RunRequest,
  deps: BacktestDeps,
  { deadlineMs = DEADLINE_MS, signal, ...surface }: BulkOptions,
) {
  const start = performance.now();
  const bulk = await readBulk(caller, request, surface, deps.strategies);
  const fetched = new Set<string>();
  const ended = await deps.slot.run(async () => {
    await deps.admit(caller, bulk.drafts.filter(isReadable).length);
    const items: Ended[] = [];
    for (const draft of bulk.drafts) {
      signal?.throwIfAborted();
      const isLate = performance.now() - start >= deadlineMs;
      items.push(await runItem(caller, draft, { request, bulk, fetched, isLate, deadlineMs }, deps, signal));
    }
    return items;
  }, signal);
  for (const { run } of ended) if (run !== null) await deps.store.addEnded(run.plan, run.end);
  const results = ended.map(({ item }) => item);
  return bulkResult(results, fetched, start);
}

interface Ended {
  readonly item: BulkItem;
  /** Null for an item that failed. */
  readonly run: EndedRun | null;
}

interface Surroundings {
  readonly request: RunRequest;
  readonly bulk: Bulk;
  /** Series loaded so far. */
  readonly fetched: Set<string>;
  readonly isLate: boolean;
  readonly deadlineMs: number;
}

async function runItem(
  caller: Caller,
  draft: Draft,
  { request, bulk, fetched, isLate, deadlineMs }: Surroundings,
  deps: BacktestDeps,
  signal?: AbortSignal,
): Promise<Ended> {
  const start = performance.now();
  const isStored = draft.strategyId !== null;
  try {
    const order = orderOfDraft(draft, bulk);
    if (isLate) throw notBegun(deadlineMs);
    const admit = async () => {
      fetched.add(seriesKey(order));
    };
    const executed = await execute(order.request, order.warnings, deps, { orgId: caller.orgId, signal, admit });
    const ended = endedRun(caller, order, executed, deps);
    const { id } = ended.plan;
    const { metrics, trades, deniedSignals, warnings } = executed.outcome;
    const { executionSeconds } = executed;
    const run = { id, metrics, tradeCount: trades.length, executionSeconds, deniedSignals, warnings };
    return { item: asSeen(caller, isStored, doneItem(draft, order.strategyName, run)), run: ended };
  } catch (error) {
    signal?.throwIfAborted();
    const message = failureMessage(failureSeen(caller, isStored, request, error), deps);
    return { item: failedItem(draft, message, (performance.now() - start) / 1000), run: null };
  }
}
