import { contentHash, normaliseAsset } from '../../data/bars/index.js';
import { sha256 } from '../../data/hashes/index.js';
import type { Holdouts, TriesLedger } from '../../data/tries/index.js';
import { canonicalJson } from '../../engine/canonical-json.js';
import { EngineError } from '../../engine/errors.js';
import { isoTime } from '../../engine/series/index.js';
import { type HeldOut, heldOutText, type Opening } from '../../engine/sweep/index.js';
import type { WindowRequest } from '../window.js';
import { type BacktestRequest, prepareRun, requestedStrategy } from './prepare-run.js';
import { type BacktestRun, type RunServices, runBacktest } from './run-backtest.js';

export interface OpenServices extends Omit<RunServices, 'heldOut'> {
  readonly holdouts: Holdouts;
  readonly ledger: Pick<TriesLedger, 'add'>;
  readonly nowMs: number;
}

interface OpenedRun {
  readonly days: HeldOut;
  readonly run: BacktestRun;
}

/**
 * Opens the held-out days of an asset for one run, which trades exactly them. They are opened on
 * disk before the run begins, and its result is there before it returns. So a process that is
 * killed in between has used them: only the same run can be completed then, which tells nothing
 * new. What cannot run at all is refused before, and opens nothing.
 *
 * @param request without a window
 * @throws EngineError NOT_FOUND without held-out days, CONFLICT where they were opened before
 */
export async function openHeldOut(
  request: BacktestRequest,
  { holdouts, ledger, nowMs, ...services }: OpenServices,
  signal?: AbortSignal,
): Promise<OpenedRun> {
  const strategy = requestedStrategy(request);
  const asset = request.asset ?? strategy.asset;
  if (asset === null || asset === undefined)
    throw new EngineError('MISSING_FIELD', 'asset is required', { field: 'asset' });
  const days = chooseDays(normaliseAsset(asset), await holdouts.of(normaliseAsset(asset)));
  if (days.opening !== null && days.opening.metrics !== null) throw openedBefore(days, days.opening);
  refuseWindow(request.window, days, holdouts);
  const own: BacktestRequest = { ...request, asset, window: { start: days.from, end: days.to } };
  const { config, bars } = await prepareRun(own, strategy, services);
  const { entry, exit } = strategy;
  const identity = sha256(
    canonicalJson({ entry, exit, config, bars: contentHash(bars), own: request.own?.hash ?? null }),
  ).slice(0, 16);
  const opening = await holdouts.open(days, { opened_at: isoTime(nowMs), run: identity, metrics: null });
  if (opening.run !== identity || opening.metrics !== null) throw openedBefore(days, opening);
  const run = await runBacktest(own, services, signal);
  if (run.tried !== null) await ledger.add(run.tried.asset, [run.tried.identity]);
  const opened = { ...opening, metrics: keptMetrics(run.result) };
  await holdouts.finish(days, opened);
  return { days: { ...days, opening: opened }, run };
}

/** The metrics of a run without their aliases, as an opening keeps them. */
export function keptMetrics({ metrics }: Pick<BacktestRun['result'], 'metrics'>) {
  const { sharpe: _, sortino: __, calmar: ___, final_balance: ____, ...kept } = metrics;
  return kept;
}

/** Refuses a window in the request: the days are the window. */
export function refuseWindow(window: WindowRequest, days: HeldOut, { names }: Holdouts): void {
  const { start = 'start', end = 'end' } = names ?? {};
  const fields = { start, end, lookbackMonths: 'lookback_months' };
  for (const key of ['start', 'end', 'lookbackMonths'] as const) {
    if (window[key] === undefined) continue;
    const field = fields[key];
    const message = `${field} must not be given: the run trades ${heldOutText(days)}`;
    throw new EngineError('INVALID_FIELD', message, { field });
  }
}

/**
 * The days of an asset to open: days that are not opened yet, or else the newest.
 * @throws EngineError NOT_FOUND without any
 */
export function chooseDays(asset: string, known: readonly HeldOut[]): HeldOut {
  const unopened = known.find(({ opening }) => opening === null || opening.metrics === null);
  const newest = unopened ?? known.at(-1);
  if (newest !== undefined) return newest;
  const message = `no days of ${asset} are held out: a sweep holds them out by its field holdout`;
  throw new EngineError('NOT_FOUND', message, { field: 'asset' });
}

export function openedBefore(days: HeldOut, { opened_at }: Opening): EngineError {
  const message = `${heldOutText(days)} were opened on ${opened_at}, and can be opened once`;
  return new EngineError('CONFLICT', message, { field: 'asset' });
}
