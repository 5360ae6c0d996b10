import { closeOfLast, isoTime, parseStrategy } from '../../engine/index.js';
import { prepareRun } from '../../research/backtest/index.js';
import { ApiError } from '../api-error.js';
import type { Caller } from '../caller.js';
import type { BacktestDeps } from './execute.js';
import { type Order, type RunRequest, readOrder, type Surface } from './request.js';
import { planOf } from './run.js';
import type { BacktestPlan, Owner } from './store.js';

/**
 * Takes a backtest to be run later; it is stored when this returns. Everything that a caller can
 * mend is refused now: what fails later is the engine's.
 *
 * @throws MISSING_FIELD, VALIDATION_ERROR, RESOURCE_NOT_FOUND for the strategy,
 *   USAGE_LIMIT_EXCEEDED; RATE_LIMITED and ENGINE_BUSY, each with `retry_after`, where the caller's
 *   organization or all together have too many queued
 */
export async function submitBacktest(
  caller: Caller,
  request: RunRequest,
  deps: BacktestDeps,
  surface: Surface = { filling: 'filled' },
) {
  const order = await readOrder(caller, request, surface, deps.strategies);
  const plan = await planQueued(caller, order, { isShared: surface.isShared === true, isAwaited: false }, deps);
  await requireRoom(caller, 1, deps);
  await deps.admit(caller, 1);
  await deps.store.addQueued(plan);
  deps.onQueued(1);
  const { id, createdAtMs, warnings } = plan;
  return { backtest_id: id, status: 'queued' as const, created_at: isoTime(createdAtMs), warnings };
}

/**
 * The row of an order to be run later, its window fixed now: a run that goes on after a restart is
 * the run that was asked for, whatever bars came meanwhile.
 *
 * @throws what a caller can mend
 */
export async function planQueued(
  owner: Owner,
  order: Order,
  flags: Pick<BacktestPlan, 'isShared' | 'isAwaited'>,
  deps: BacktestDeps,
): Promise<BacktestPlan> {
  const strategy = parseStrategy(order.request.strategy, 'relaxed');
  const { bars, first, config } = await prepareRun(order.request, strategy, deps.market);
  // biome-ignore lint/style/noNonNullAssertion: an index of a bar of the run
  const startMs = bars.time[first]!;
  const endMs = closeOfLast(bars);
  const window = { start: isoTime(startMs), end: isoTime(endMs) };
  return planOf(owner, { ...order, request: { ...order.request, window } }, deps, { startMs, endMs, config, ...flags });
}

const RETRY_SECONDS = 5;

/**
 * Rather than taking more than can be done, for ever. Runs that come at the same time may exceed
 * the limit by as many; more than the limit at once have room where nothing waits, since they would
 * never have any otherwise.
 *
 * @throws RATE_LIMITED, ENGINE_BUSY with `retry_after`
 */
export async function requireRoom({ orgId }: Caller, runs: number, deps: BacktestDeps): Promise<void> {
  const { store, queueLimits } = deps;
  const { ofOrganization, ofAll } = await store.countQueued(orgId);
  const isFull = (waiting: number, max: number) => waiting + Math.min(runs, max) > max;
  const details = { retry_after: RETRY_SECONDS };
  if (isFull(ofOrganization, queueLimits.ofOrganization)) {
    const message = `${ofOrganization} of at most ${queueLimits.ofOrganization} backtests of the organization are waiting already`;
    throw new ApiError('RATE_LIMITED', message, {
      ...details,
      limit: queueLimits.ofOrganization,
      used: ofOrganization,
    });
  }
  if (isFull(ofAll, queueLimits.ofAll)) {
    throw new ApiError(
      'ENGINE_BUSY',
      `${ofAll} of at most ${queueLimits.ofAll} backtests are waiting already`,
      details,
    );
  }
}
