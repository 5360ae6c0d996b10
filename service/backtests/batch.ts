import { refuseMissing } from '../api-error.js';
import type { Caller } from '../caller.js';
import { runBulkInQueue } from './bulk-queue.js';
import type { BacktestDeps } from './execute.js';
import { missingDates, type RunRequest, type Surface } from './request.js';
import { runSynchronousBacktest } from './run.js';
import { isPresent } from './settings.js';
import { submitBacktest } from './submit.js';

/**
 * The batch engine fills in all settings that a request leaves out, but not the asset. What is
 * submitted to it belongs to the organization.
 */
const batch: Surface = {
  filling: 'filled',
  interval: '1h',
  requiresAsset: true,
  refusesNullSizing: true,
  isShared: true,
};

/** One backtest of a strategy that comes with the request. @throws as `runSynchronousBacktest` */
export async function runBatchBacktest(caller: Caller, request: RunRequest, deps: BacktestDeps, signal?: AbortSignal) {
  requireStrategy(request);
  return runSynchronousBacktest(caller, request, deps, { ...batch, signal });
}

/** The same, to be run later. @throws as `submitBacktest` */
export async function submitBatchBacktest(caller: Caller, request: RunRequest, deps: BacktestDeps) {
  requireStrategy(request);
  return submitBacktest(caller, request, deps, batch);
}

/**
 * Up to 99 strategies between two dates, both of which must be given. @throws as `runBulkInQueue`
 */
export async function runBatchBulk(caller: Caller, request: RunRequest, deps: BacktestDeps, signal?: AbortSignal) {
  const missing = ['start_date', 'end_date'].filter((name) => !isPresent(request, name));
  const hasList = isPresent(request, 'strategy_ids') || isPresent(request, 'strategy_configs');
  refuseMissing(hasList ? missing : [...missing, 'strategy_ids or strategy_configs']);
  return runBulkInQueue(caller, request, deps, { ...batch, signal });
}

/** Saved strategies are run in bulk only; all that a request lacks is named at once. */
function requireStrategy(request: RunRequest): void {
  if (isPresent(request, 'strategy_json')) return;
  const asset = isPresent(request, 'asset') ? [] : ['asset'];
  refuseMissing([...asset, 'strategy_json', ...missingDates(request)]);
}
