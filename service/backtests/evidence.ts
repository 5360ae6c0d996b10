import { arrowBytes } from '../../data/tables/index.js';
import { quote } from '../../engine/errors.js';
import {
  auditBacktest,
  type BacktestRun,
  barTable,
  buildTearSheet,
  equityTable,
  recordedRequest,
  replay,
  tradeTable,
} from '../../research/backtest/index.js';
import { ApiError } from '../api-error.js';
import type { Caller } from '../caller.js';
import { type BacktestDeps, newRunServices, runServices, withEngine } from './execute.js';
import { requireBacktest } from './read.js';
import { type RunRequest, readWhole } from './request.js';
import { asSeen, requireRules } from './settings.js';

/*
 * Evidence for a stored run. Each is made from the manifest by running again, so that nothing of
 * the size of the bars has to be stored; each such run takes the synchronous slot. Manifest, report
 * and audit consist of rules.
 */

/**
 * @throws RESOURCE_NOT_FOUND; CONFLICT for a run without a manifest, because it has not completed;
 *   INSUFFICIENT_PERMISSIONS as `requireRules`
 */
export async function getBacktestManifest(caller: Caller, id: string, deps: BacktestDeps) {
  return { backtest_id: id, manifest: await requireManifest(caller, id, deps) };
}

/** Runs a stored backtest again and reports the differences. */
export async function replayBacktest(caller: Caller, id: string, deps: BacktestDeps, signal?: AbortSignal) {
  const { isReproduced, changes, run, isStored } = await runAgain(caller, id, deps, signal);
  const { manifest, metrics } = run.result;
  const answer = { backtest_id: id, run_id: manifest.run_id, is_reproduced: isReproduced, changes, metrics };
  return asSeen(caller, isStored, answer);
}

/**
 * The report of a stored backtest as one self-contained HTML document. Differences from the stored
 * run appear among its warnings.
 */
export async function renderBacktestReport(caller: Caller, id: string, deps: BacktestDeps, signal?: AbortSignal) {
  await requireManifest(caller, id, deps);
  const { changes, run } = await runAgain(caller, id, deps, signal);
  const sheet = buildTearSheet(run);
  const { renderTearSheet } = await import('../../report/index.js'); // loaded with the first report
  return renderTearSheet({
    ...sheet,
    warnings: [...sheet.warnings, ...changes.map((change) => `since the run: ${change}`)],
  });
}

const CUTS = 20;
const CUTS_MAX = 200;
const SEED = 42;

/**
 * Audits whether the strategy of a stored run sees the future or depends on where its data begins.
 */
export async function auditStoredBacktest(
  caller: Caller,
  id: string,
  request: RunRequest,
  deps: BacktestDeps,
  signal?: AbortSignal,
) {
  const cutCount = readWhole(request, 'cuts', CUTS, [1, CUTS_MAX]);
  const seed = readWhole(request, 'seed', SEED, [0, Number.MAX_SAFE_INTEGER]);
  const manifest = await requireManifest(caller, id, deps);
  const audit = () =>
    auditBacktest(recordedRequest(manifest), { cutCount, seed }, newRunServices(deps, caller.orgId), signal);
  const { drifts, lags, ...report } = await deps.slot.run(() => withEngine(audit), signal);
  return {
    backtest_id: id,
    run_id: manifest.run_id,
    seed,
    ...report,
    drifts: drifts.map(({ what, historyBars, relative }) => ({ what, history_bars: historyBars, relative })),
    lags: lags.map(({ column, barsLate, profit, laggedProfit, trades, laggedTrades }) => ({
      ...{ column, profit, lagged_profit: laggedProfit, trades, lagged_trades: laggedTrades, bars_late: barsLate },
    })),
  };
}

/** The manifest of a run whose rules the caller may read. */
async function requireManifest(caller: Caller, id: string, deps: BacktestDeps) {
  const { manifest, isStored } = await findManifest(caller, id, deps);
  requireRules(caller, isStored);
  return manifest;
}

async function findManifest(caller: Caller, id: string, deps: BacktestDeps) {
  const { outcome, status, strategyId } = await requireBacktest(caller, id, deps);
  if (outcome !== null) return { manifest: outcome.manifest, isStored: strategyId !== null };
  throw new ApiError('CONFLICT', `backtest ${id} has no result, it is ${status}`, { status });
}

async function runAgain(caller: Caller, id: string, deps: BacktestDeps, signal?: AbortSignal) {
  const { manifest, isStored } = await findManifest(caller, id, deps);
  // Repeats a run that was made before any days were held out, so it tells nothing new.
  const again = await deps.slot.run(() => withEngine(() => replay(manifest, runServices(deps), signal)), signal);
  return { ...again, isStored };
}

const tables = {
  bars: barTable,
  equity: equityTable,
  trades: ({ result }: BacktestRun) => tradeTable(result),
} as const;

/**
 * Bytes of one message; far below what a call may carry, so that a reader gets its first rows
 * early.
 */
const CHUNK_BYTES = 256 * 1024;

/**
 * Streams a table of a stored run as Arrow IPC in pieces. `bars` and `equity` have one row per
 * tradable bar, `trades` one row per trade. Times are timestamps in ms, UTC. The run is repeated in
 * the synchronous slot.
 * @throws ApiError MISSING_FIELD, VALIDATION_ERROR, RESOURCE_NOT_FOUND; CONFLICT for a run without
 *   a result; INSUFFICIENT_PERMISSIONS for bars as `requireRules`
 */
export async function* readBacktestColumns(
  caller: Caller,
  request: { readonly id: string; readonly table?: string | undefined },
  deps: BacktestDeps,
  signal?: AbortSignal,
): AsyncGenerator<{ readonly arrow: Uint8Array }> {
  const { table = 'equity' } = request;
  if (!Object.hasOwn(tables, table)) {
    const message = `table must be one of ${Object.keys(tables).join(', ')}, was ${quote(table)}`;
    throw new ApiError('VALIDATION_ERROR', message, { field: 'table' });
  }
  // Bars have the columns that the rules read.
  if (table === 'bars') await requireManifest(caller, request.id, deps);
  const { run } = await runAgain(caller, request.id, deps, signal);
  const bytes = await arrowBytes(tables[table as keyof typeof tables](run), 'stream');
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
    yield { arrow: bytes.subarray(from, from + CHUNK_BYTES) };
  }
}
