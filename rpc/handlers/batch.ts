import {
  type BacktestDeps,
  getSharedBacktestStatus,
  type RunRequest,
  runBatchBacktest,
  runBatchBulk,
  submitBatchBacktest,
} from '../../service/backtests/index.js';
import type { Handlers } from '../calls.js';

interface Job {
  readonly backtest_id: string;
}

export const batchHandlers = (deps: BacktestDeps): Handlers => ({
  'Batch.Run': (request: RunRequest, { caller, signal }) => runBatchBacktest(caller, request, deps, signal),
  'Batch.Submit': (request: RunRequest, { caller }) => submitBatchBacktest(caller, request, deps),
  'Batch.GetStatus': ({ backtest_id }: Job, { caller }) => getSharedBacktestStatus(caller, backtest_id, deps),
  'Batch.RunBulk': (request: RunRequest, { caller, signal }) => runBatchBulk(caller, request, deps, signal),
});
