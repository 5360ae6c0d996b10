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
  seriesOf,
} from './bulk-items.js';
import { type BacktestDeps, execute, failureMessage } from './execute.js';
import type { RunRequest, Surface } from './request.js';
import { keep } from './run.js';
import type { Owner } from './store.js';

/**
 * Runs up to 99 strategies over one window, one after the other in the synchronous slot, and stores
 * each. An item that fails says why and does not stop the others.
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
  const results = await deps.slot.run(async () => {
    await deps.admit(caller, bulk.drafts.filter(isReadable).length);
    const done: BulkItem[] = [];
    for (const draft of bulk.drafts) {
      signal?.throwIfAborted();
      const isLate = performance.now() - start >= deadlineMs;
      done.push(await runItem(caller, draft, { bulk, surface, fetched, isLate, deadlineMs }, deps, signal));
    }
    return done;
  }, signal);
  return bulkResult(results, fetched, start);
}

interface Surroundings {
  readonly bulk: Bulk;
  readonly surface: Surface;
  /** Series loaded so far. */
  readonly fetched: Set<string>;
  readonly isLate: boolean;
  readonly deadlineMs: number;
}

async function runItem(
  owner: Owner,
  draft: Draft,
  { bulk, surface, fetched, isLate, deadlineMs }: Surroundings,
  deps: BacktestDeps,
  signal?: AbortSignal,
): Promise<BulkItem> {
  const start = performance.now();
  try {
    const order = orderOfDraft(draft, bulk, surface);
    if (isLate) throw notBegun(deadlineMs);
    const admit = async () => {
      fetched.add(seriesOf(order));
    };
    const executed = await execute(order.request, order.warnings, deps, { orgId: owner.orgId, signal, admit });
    const { id } = await keep(owner, order, executed, deps);
    const { metrics, trades, deniedSignals, warnings } = executed.outcome;
    const { executionSeconds } = executed;
    const run = { id, metrics, tradeCount: trades.length, executionSeconds, deniedSignals, warnings };
    return doneItem(draft, order.strategyName, run);
  } catch (error) {
    signal?.throwIfAborted();
    return failedItem(draft, failureMessage(error, deps), (performance.now() - start) / 1000);
  }
}
