import { auditBacktest, replay, requestOf, tearSheetOf } from '../../research/backtest/index.js';
import { ApiError } from '../api-error.js';
import type { Caller } from '../caller.js';
import { type BacktestDeps, runServices, withEngine } from './execute.js';
import { requireBacktest } from './read.js';
import { type RunRequest, readWhole } from './request.js';

/*
 * What stands behind a stored run. All of it is made from the manifest by running again, so that
 * nothing of the size of the bars need be kept; each run takes the synchronous slot.
 */

/**
 * @throws RESOURCE_NOT_FOUND; CONFLICT for a run that has no manifest, because it has not completed
 */
export async function getBacktestManifest(caller: Caller, id: string, deps: BacktestDeps) {
  return { backtest_id: id, manifest: await manifestOf(caller, id, deps) };
}

/** Runs a stored backtest again, and says what is not as it was. */
export async function replayBacktest(caller: Caller, id: string, deps: BacktestDeps, signal?: AbortSignal) {
  const { isReproduced, changes, run } = await runAgain(caller, id, deps, signal);
  const { manifest, metrics } = run.result;
  return { backtest_id: id, run_id: manifest.run_id, is_reproduced: isReproduced, changes, metrics };
}

/**
 * The page of a stored backtest: one HTML document that needs nothing else. What is not as it was
 * stands among its warnings.
 */
export async function renderBacktestReport(caller: Caller, id: string, deps: BacktestDeps, signal?: AbortSignal) {
  const { changes, run } = await runAgain(caller, id, deps, signal);
  const sheet = tearSheetOf(run);
  const { renderTearSheet } = await import('../../report/index.js'); // read when the first page is asked for
  return renderTearSheet({
    ...sheet,
    warnings: [...sheet.warnings, ...changes.map((change) => `since the run: ${change}`)],
  });
}

const CUTS = 20;
const CUTS_MAX = 200;
const SEED = 42;

/** Does the strategy of a stored run see its future, or depend on where its data begins? */
export async function auditStoredBacktest(
  caller: Caller,
  id: string,
  request: RunRequest,
  deps: BacktestDeps,
  signal?: AbortSignal,
) {
  const cutCount = readWhole(request, 'cuts', CUTS, [1, CUTS_MAX]);
  const seed = readWhole(request, 'seed', SEED, [0, Number.MAX_SAFE_INTEGER]);
  const manifest = await manifestOf(caller, id, deps);
  const audit = () => auditBacktest(requestOf(manifest), { cutCount, seed }, runServices(deps), signal);
  const { drifts, ...report } = await deps.slot.run(() => withEngine(audit), signal);
  return {
    backtest_id: id,
    run_id: manifest.run_id,
    seed,
    ...report,
    drifts: drifts.map(({ what, historyBars, relative }) => ({ what, history_bars: historyBars, relative })),
  };
}

async function manifestOf(caller: Caller, id: string, deps: BacktestDeps) {
  const { outcome, status } = await requireBacktest(caller, id, deps);
  if (outcome !== null) return outcome.manifest;
  throw new ApiError('CONFLICT', `backtest ${id} has no result, it is ${status}`, { status });
}

export async function runAgain(caller: Caller, id: string, deps: BacktestDeps, signal?: AbortSignal) {
  const manifest = await manifestOf(caller, id, deps);
  return deps.slot.run(() => withEngine(() => replay(manifest, runServices(deps), signal)), signal);
}
