import { isoTime, parseStrategy } from '../../engine/index.js';
import { ApiError } from '../api-error.js';
import type { Caller } from '../caller.js';
import { prepareRun } from '../prepare-run.js';
import type { BacktestDeps } from './execute.js';
import { type RunRequest, readOrder, type Surface } from './request.js';
import { planOf } from './run.js';

/**
 * Takes a backtest to be run later; it is stored when this returns. Everything that a caller can mend is refused now: what fails
 * later is the engine's.
 *
 * @throws MISSING_FIELD, VALIDATION_ERROR, RESOURCE_NOT_FOUND for the strategy, USAGE_LIMIT_EXCEEDED; RATE_LIMITED and
 *   ENGINE_BUSY, each with `retry_after`, where the caller's organization or all together have too many queued
 */
export async function submitBacktest(
  caller: Caller,
  request: RunRequest,
  deps: BacktestDeps,
  surface: Surface = { filling: 'filled' },
) {
  const order = await readOrder(caller, request, surface, deps.strategies);
  const strategy = parseStrategy(order.request.strategy, 'relaxed');
  const { bars, first, config } = await prepareRun(order.request, strategy, deps.market);
  // The window is fixed now: a run that goes on after a restart is the run that was asked for, whatever bars came meanwhile.
  const startMs = bars.time[first]!;
  const endMs = bars.time[bars.barCount - 1]! + bars.intervalMs;
  const window = { start: isoTime(startMs), end: isoTime(endMs) };
  const resolved = { startMs, endMs, config, isShared: surface.isShared === true };
  const plan = planOf(caller, { ...order, request: { ...order.request, window } }, deps, resolved);
  await requireRoom(caller, deps);
  await deps.admit(caller, 1);
  await deps.store.addQueued(plan);
  deps.onQueued();
  return { backtest_id: plan.id, status: 'queued' as const, created_at: isoTime(plan.createdAtMs) };
}

const RETRY_SECONDS = 5;

/** Rather than taking more than can be done, for ever. Runs that come at the same time may exceed the limit by as many. */
async function requireRoom({ orgId }: Caller, { store, queueLimits }: BacktestDeps): Promise<void> {
  const { ofOrganization, ofAll } = await store.countQueued(orgId);
  const details = { retry_after: RETRY_SECONDS };
  if (ofOrganization >= queueLimits.ofOrganization) {
    const message = `${queueLimits.ofOrganization} backtests of the organization are waiting already`;
    throw new ApiError('RATE_LIMITED', message, {
      ...details,
      limit: queueLimits.ofOrganization,
      used: ofOrganization,
    });
  }
  if (ofAll >= queueLimits.ofAll) {
    throw new ApiError('ENGINE_BUSY', `${queueLimits.ofAll} backtests are waiting already`, {
      ...details,
      error_code: 'ENGINE_BUSY',
    });
  }
}
