import {
  auditStoredBacktest,
  type BacktestDeps,
  getBacktest,
  getBacktestManifest,
  getBacktestStatus,
  getBacktestTrades,
  listBacktests,
  type RunRequest,
  readBacktestColumns,
  renderBacktestReport,
  replayBacktest,
  runBulkBacktest,
  runSynchronousBacktest,
  setBacktestArchived,
  submitBacktest,
} from '../../service/backtests/index.js';
import type { Handlers } from '../calls.js';

interface Id {
  readonly id: string;
}

export const backtestHandlers = (deps: BacktestDeps): Handlers => ({
  'Backtests.Run': (request: RunRequest, { caller, signal }) =>
    runSynchronousBacktest(caller, request, deps, { filling: 'required', signal }),
  'Backtests.RunBulk': (request: RunRequest, { caller, signal }) =>
    runBulkBacktest(caller, request, deps, { filling: 'required', signal }),
  'Backtests.Submit': (request: RunRequest, { caller }) => submitBacktest(caller, request, deps),
  'Backtests.GetStatus': ({ id }: Id, { caller }) => getBacktestStatus(caller, id, deps),
  'Backtests.Get': ({ id }: Id, { caller }) => getBacktest(caller, id, deps),
  'Backtests.ListTrades': ({ id }: Id, { caller }) => getBacktestTrades(caller, id, deps),
  'Backtests.History': (request: RunRequest, { caller }) => listBacktests(caller, request, deps),
  'Backtests.Archive': ({ id }: Id, { caller }) => setBacktestArchived(caller, id, true, deps),
  'Backtests.Unarchive': ({ id }: Id, { caller }) => setBacktestArchived(caller, id, false, deps),
  'Backtests.GetManifest': ({ id }: Id, { caller }) => getBacktestManifest(caller, id, deps),
  'Backtests.Replay': ({ id }: Id, { caller, signal }) => replayBacktest(caller, id, deps, signal),
  'Backtests.GetAudit': ({ id, ...request }: Id & RunRequest, { caller, signal }) =>
    auditStoredBacktest(caller, id, request, deps, signal),
  'Backtests.ReadColumns': (request: Id & { table?: string }, { caller, signal }) =>
    readBacktestColumns(caller, request, deps, signal),
  'Backtests.GetReport': async ({ id }: Id, { caller, signal }) => ({
    html: await renderBacktestReport(caller, id, deps, signal),
  }),
});
