import {
  type BacktestDeps,
  getSharedBacktestStatus,
  runBatchBacktest,
  runBatchBulk,
  submitBatchBacktest,
} from '../../service/backtests/index.js';
import type { HandlersOf } from '../calls.js';

export const batchHandlers = (deps: BacktestDeps): HandlersOf<'Batch'> => ({
  'Batch.Run': (request, { caller, signal }) => runBatchBacktest(caller, request, deps, signal),
  'Batch.Submit': (request, { caller }) => submitBatchBacktest(caller, request, deps),
  'Batch.GetStatus': ({ backtest_id }, { caller }) => getSharedBacktestStatus(caller, backtest_id, deps),
  'Batch.RunBulk': (request, { caller, signal }) => runBatchBulk(caller, request, deps, signal),
});
