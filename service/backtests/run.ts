import { normaliseAsset } from '../../data/bars/index.js';
import { closeOfLast, isoTime } from '../../engine/series/index.js';
import { prepareRun, requestedStrategy } from '../../research/backtest/index.js';
import { ApiError } from '../api-error.js';
import type { Caller } from '../caller.js';
import { type BacktestDeps, type Executed, execute } from './execute.js';
import { type Order, type RunRequest, readOrder, type Surface } from './request.js';
import { asSeen, failureSeen } from './settings.js';
import type { BacktestPlan, Owner } from './stored.js';

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
const makePlan = (
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

/**
 * Queues a backtest to run later; it is stored when this returns. Every error that the caller can
 * correct is refused now, so only the engine can fail later.
 * @throws MISSING_FIELD, VALIDATION_ERROR, RESOURCE_NOT_FOUND for the strategy,
 *   USAGE_LIMIT_EXCEEDED; RATE_LIMITED when the caller's organization has too many runs queued and
 *   ENGINE_BUSY when all together have, each with `retry_after`
 */
export async function submitBacktest(
  caller: Caller,
  request: RunRequest,
  deps: BacktestDeps,
  surface: Surface = { filling: 'filled' },
) {
  const order = await readOrder(caller, request, surface, deps.strategies);
  if (order.opensHoldout) refuseQueuedOpening();
  const isStored = order.strategyId !== null;
  const flags = { isShared: surface.isShared === true, isAwaited: false };
  const plan = await planQueued(caller, order, flags, deps).catch((error: unknown) => {
    throw failureSeen(caller, isStored, request, error);
  });
  await requireRoom(caller, 1, deps);
  await deps.admit(caller, 1);
  await deps.store.addQueued(plan);
  deps.onQueued(1);
  const { id, createdAtMs, warnings } = plan;
  const answer = { backtest_id: id, status: 'queued' as const, created_at: isoTime(createdAtMs), warnings };
  return asSeen(caller, isStored, answer);
}

/**
 * The row of an order to run later. Its window is fixed now, so a run that resumes after a restart
 * uses the requested bars even if new ones have arrived.
 * @throws every error that the caller can correct
 */
export async function planQueued(
  owner: Owner,
  order: Order,
  flags: Pick<BacktestPlan, 'isShared' | 'isAwaited'>,
  deps: BacktestDeps,
): Promise<BacktestPlan> {
  const strategy = requestedStrategy(order.request);
  const { bars, first, config } = await prepareRun(order.request, strategy, {
    store: deps.market,
    heldOut: deps.heldOut(owner.orgId),
  });
  // biome-ignore lint/style/noNonNullAssertion: an index of a bar of the run
  const startMs = bars.time[first]!;
  const endMs = closeOfLast(bars);
  const window = { start: isoTime(startMs), end: isoTime(endMs) };
  return makePlan(owner, { ...order, request: { ...order.request, window } }, deps, {
    startMs,
    endMs,
    config,
    ...flags,
  });
}

/** @throws VALIDATION_ERROR */
export function refuseQueuedOpening(): never {
  const message = 'open_holdout must be false for a run that is submitted: days are opened by a run that is awaited';
  throw new ApiError('VALIDATION_ERROR', message, { field: 'open_holdout' });
}

const RETRY_SECONDS = 5;

/**
 * Refuses runs when the queue is full, so that it cannot grow without bound. Concurrent calls may
 * together exceed the limit. A call with more runs than the limit is accepted when nothing waits,
 * since it would never fit otherwise.
 * @throws RATE_LIMITED, ENGINE_BUSY with `retry_after`
 */
export async function requireRoom(
  { orgId }: Caller,
  runs: number,
  { store, queueLimits }: Pick<BacktestDeps, 'store' | 'queueLimits'>,
): Promise<void> {
  const { ofOrganization, ofAll } = await store.countQueued(orgId);
  const isFull = (waiting: number, max: number) => waiting + Math.min(runs, max) > max;
  const details = { retry_after: RETRY_SECONDS };
  if (isFull(ofOrganization, queueLimits.ofOrganization)) {
    const message = `The organization has ${ofOrganization} backtests waiting, the most it may have is ${queueLimits.ofOrganization}`;
    throw new ApiError('RATE_LIMITED', message, {
      ...details,
      limit: queueLimits.ofOrganization,
      used: ofOrganization,
    });
  }
  if (isFull(ofAll, queueLimits.ofAll)) {
    const message = `The service has ${ofAll} backtests waiting, the most it may have is ${queueLimits.ofAll}`;
    throw new ApiError('ENGINE_BUSY', message, details);
  }
}
