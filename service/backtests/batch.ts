import { refuseMissing } from '../api-error.js';
import type { Caller } from '../caller.js';
import { runBulkInQueue } from './bulk-queue.js';
import type { BacktestDeps } from './execute.js';
import { missingDates, type RunRequest, type Surface } from './request.js';
import { runSynchronousBacktest } from './run.js';
import { isPresent } from './settings.js';
import { submitBacktest } from './submit.js';

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
