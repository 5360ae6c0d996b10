import type { UseCasesOf } from '../use-cases.js';
import { runBatchBacktest, runBatchBulk, submitBatchBacktest } from './batch.js';
import type { BacktestDeps } from './execute.js';
import { getSharedBacktestStatus } from './read.js';

export const batchMethods = (deps: BacktestDeps): UseCasesOf<'Batch'> => ({
  'Batch.Run': (request, { caller, signal }) => runBatchBacktest(caller, request, deps, signal),
  'Batch.Submit': (request, { caller }) => submitBatchBacktest(caller, request, deps),
  'Batch.GetStatus': ({ backtest_id }, { caller }) => getSharedBacktestStatus(caller, backtest_id, deps),
  'Batch.RunBulk': (request, { caller, signal }) => runBatchBulk(caller, request, deps, signal),
});
