import { normaliseAsset } from '../../data/bars/index.js';
import type { Caller } from '../caller.js';
import { type BacktestDeps, type Executed, execute } from './execute.js';
import { type Order, type RunRequest, readOrder, type Surface } from './request.js';
import type { BacktestPlan, Owner } from './stored.js';
import { asSeen, failureSeen } from './withheld-rules.js';

interface RunOptions extends Surface {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Computes one backtest while the caller waits, and stores it.
 * @throws MISSING_FIELD, VALIDATION_ERROR, RESOURCE_NOT_FOUND for the strategy; ENGINE_BUSY when
 *   the slot is not free in time; USAGE_LIMIT_EXCEEDED. A run counts once its computation begins; a
 *   refused one does not count.
 */
export async function runSynchronousBacktest(
  caller: Caller,
  request: RunRequest,
  deps: BacktestDeps,
  { signal, ...surface }: RunOptions,
) {
  const order = await readOrder(caller, request, surface, deps.strategies);
  const admit = () => deps.admit(caller, 1);
  const { orgId } = caller;
  const { opensHoldout } = order;
  const compute = () => execute(order.request, order.warnings, deps, { orgId, signal, admit, opensHoldout });
  const isStored = order.strategyId !== null;
  const executed = await deps.slot.run(compute, signal).catch((error: unknown) => {
    throw failureSeen(caller, isStored, request, error);
  });
  const plan = await keep(caller, order, executed, deps);
  const { outcome, executionSeconds, run } = executed;
  const { window } = run.result;
  return asSeen(caller, isStored, {
    metrics: outcome.metrics,
    execution_time_seconds: executionSeconds,
    trade_count: outcome.trades.length,
    backtest_id: plan.id,
    trade_history: outcome.trades,
    strategy_names: [order.strategyName],
    error: null,
    start_date: window.start,
    end_date: window.end,
    asset: order.asset,
    interval: order.interval,
    diagnostics: outcome.diagnostics,
    denied_signals: outcome.deniedSignals,
    warnings: outcome.warnings,
    run_id: outcome.manifest.run_id,
    extended_metrics: run.result.extended_metrics,
    extended_metric_units: run.result.extended_metric_units,
    ...(outcome.sideMetrics !== undefined && { side_metrics: outcome.sideMetrics }),
  });
}

/** A run that has been computed, with the row to store. */
export interface EndedRun {
  readonly plan: BacktestPlan;
  readonly end: Parameters<BacktestDeps['store']['addEnded']>[1];
}

export function endedRun(
  owner: Owner,
  order: Order,
  { run, outcome, executionSeconds }: Executed,
  deps: BacktestDeps,
): EndedRun {
  const { window, execution_config: config } = run.result;
  const plan = makePlan(owner, order, deps, {
    startMs: Date.parse(window.start),
    endMs: Date.parse(window.end),
    config,
    isShared: false,
    isAwaited: false,
  });
  return { plan, end: { outcome, executionSeconds, completedAtMs: deps.nowMs() } };
}

/** Stores a run that has been computed. */
export async function keep(owner: Owner, order: Order, executed: Executed, deps: BacktestDeps): Promise<BacktestPlan> {
  const { plan, end } = endedRun(owner, order, executed, deps);
  await deps.store.addEnded(plan, end);
  return plan;
}

/** The row to store for an order, with a new id. */
export const makePlan = (
  { userId, orgId }: Owner,
  { strategyId, strategyName, sessionId, asset, interval, request, warnings }: Order,
  { newId, nowMs }: BacktestDeps,
  resolved: Pick<BacktestPlan, 'startMs' | 'endMs' | 'config' | 'isShared' | 'isAwaited'>,
): BacktestPlan => ({
  id: newId(),
  userId,
  orgId,
  strategyId,
  strategyName,
  sessionId,
  asset,
  interval,
  baseAsset: normaliseAsset(asset),
  ...resolved,
  request,
  warnings,
  createdAtMs: nowMs(),
});
