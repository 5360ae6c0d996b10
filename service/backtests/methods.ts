import type { UseCasesOf } from '../use-cases.js';
import { runBulkBacktest } from './bulk.js';
import { readBacktestColumns } from './columns.js';
import { auditStoredBacktest, getBacktestManifest, renderBacktestReport, replayBacktest } from './evidence.js';
import type { BacktestDeps } from './execute.js';
import {
  cancelBacktest,
  getBacktest,
  getBacktestStatus,
  getBacktestTrades,
  listBacktests,
  setBacktestArchived,
} from './read.js';
import { runSynchronousBacktest } from './run.js';
import { submitBacktest } from './submit.js';

export const backtestMethods = (deps: BacktestDeps): UseCasesOf<'Backtests'> => ({
  'Backtests.Run': (request, { caller, signal }) =>
    runSynchronousBacktest(caller, request, deps, { filling: 'required', signal }),
  'Backtests.RunBulk': (request, { caller, signal }) =>
    runBulkBacktest(caller, request, deps, { filling: 'required', signal }),
  'Backtests.Submit': (request, { caller }) => submitBacktest(caller, request, deps),
  'Backtests.GetStatus': ({ id }, { caller }) => getBacktestStatus(caller, id, deps),
  'Backtests.Cancel': ({ id }, { caller }) => cancelBacktest(caller, id, deps),
  'Backtests.Get': ({ id }, { caller }) => getBacktest(caller, id, deps),
  'Backtests.ListTrades': (request, { caller }) => getBacktestTrades(caller, request.id, deps, request),
  'Backtests.History': (request, { caller }) => listBacktests(caller, request, deps),
  'Backtests.Archive': ({ id }, { caller }) => setBacktestArchived(caller, id, true, deps),
  'Backtests.Unarchive': ({ id }, { caller }) => setBacktestArchived(caller, id, false, deps),
  'Backtests.GetManifest': ({ id }, { caller }) => getBacktestManifest(caller, id, deps),
  'Backtests.Replay': ({ id }, { caller, signal }) => replayBacktest(caller, id, deps, signal),
  'Backtests.GetAudit': ({ id, ...request }, { caller, signal }) =>
    auditStoredBacktest(caller, id, request, deps, signal),
  'Backtests.ReadColumns': (request, { caller, signal }) => readBacktestColumns(caller, request, deps, signal),
  'Backtests.GetReport': async ({ id }, { caller, signal }) => ({
    html: await renderBacktestReport(caller, id, deps, signal),
  }),
});
