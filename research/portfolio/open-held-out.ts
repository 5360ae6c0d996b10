import { contentHash, normaliseAsset } from '../../data/bars/index.js';
import { sha256 } from '../../data/hashes/index.js';
import type { Holdouts } from '../../data/tries/index.js';
import { canonicalJson } from '../../engine/canonical-json.js';
import { EngineError } from '../../engine/errors.js';
import { isoTime } from '../../engine/series/index.js';
import { type HeldOut, heldOutText, type Opening } from '../../engine/sweep/index.js';
import { chooseDays, keptMetrics, type OpenServices, openedBefore, refuseWindow } from '../backtest/open-held-out.js';
import type { WindowRequest } from '../window.js';
import { parsePortfolio } from './definition.js';
import { outlinePortfolio, prepareAccount } from './outline.js';
import { prepareParts } from './prepare.js';
import { type PortfolioRequest, type PortfolioResult, type PortfolioRun, runPortfolio } from './run-portfolio.js';
import { tryOfPortfolio } from './try-of-portfolio.js';

interface OpenedPortfolio<Run> {
  /** Of each asset, in the order of their names. */
  readonly days: readonly HeldOut[];
  readonly run: Run;
}

/**
 * Opens the held-out days of all assets of a portfolio for one run, which trades exactly them.
 *
 * @param request without a window
 * @throws EngineError as `daysToOpen` and `openDays`
 */
export async function openHeldOutPortfolio(
  request: PortfolioRequest,
  { holdouts, ledger, nowMs, ...services }: OpenServices,
): Promise<OpenedPortfolio<PortfolioRun>> {
  const outline = await outlinePortfolio(request.portfolio, { ...request, window: {} }, services.store);
  const days = await daysToOpen(outline.assets, request.window, holdouts);
  const own = { ...request, window: heldOutWindow(days) };
  return openDays(days, holdouts, nowMs, {
    identity: () => runIdentity(own, services),
    async run() {
      const run = await runPortfolio(own, services);
      const tried = tryOfPortfolio(run);
      for (const asset of tried.assets) await ledger.add(asset, [tried.identity]);
      return run;
    },
  });
}

/**
 * The held-out days of assets that share an account, by the names of the assets.
 *
 * @param window of the request, which must be empty
 * @throws EngineError NOT_FOUND where an asset has no held-out days, CONFLICT where the days of two
 *   differ, INVALID_FIELD with a window
 */
export async function daysToOpen(
  assets: readonly string[],
  window: WindowRequest,
  holdouts: Holdouts,
): Promise<readonly HeldOut[]> {
  const named = [...new Set(assets.map(normaliseAsset))].sort();
  // Of several without such days the first is named, whichever was read first.
  const lists = await Promise.all(named.map((asset) => holdouts.of(asset)));
  const known = named.map((asset, i) => chooseDays(asset, lists[i] ?? []));
  const first = known[0] as HeldOut; // a portfolio has an asset
  const other = known.find(({ from, to }) => from !== first.from || to !== first.to);
  if (other !== undefined) {
    const message = `the assets of a portfolio must hold out the same days, but hold out ${heldOutText(first)} and ${heldOutText(other)}`;
    throw new EngineError('CONFLICT', message, { field: 'portfolio' });
  }
  refuseWindow(window, { ...first, asset: named.join(', ') }, holdouts);
  return known;
}

/** The window of a run over such days. */
export const heldOutWindow = ([first]: readonly HeldOut[]): WindowRequest => ({ start: first?.from, end: first?.to });

/** The run that opens days, here or in a thread. */
interface OpeningRun<Run> {
  /** Names the run; what cannot run at all is refused by it. */
  identity(): Promise<string>;
  /** Called before the first day is opened; what it refuses opens nothing. */
  admit?(): Promise<void>;
  /** Runs, and counts the run as a try. */
  run(): Promise<Run>;
}

/**
 * Opens days of assets for one run. As with a strategy, they are opened on disk before the run
 * begins; after a crash only the same run can be completed, and what cannot run at all opens
 * nothing.
 *
 * @param known from `daysToOpen`
 * @throws EngineError CONFLICT where some were opened before
 */
export async function openDays<Run extends { readonly result: Pick<PortfolioResult, 'metrics'> }>(
  known: readonly HeldOut[],
  holdouts: Holdouts,
  nowMs: number,
  opened: OpeningRun<Run>,
): Promise<OpenedPortfolio<Run>> {
  const identity = await opened.identity();
  // All are asked before the first is opened, so that a refusal opens none.
  const isOver = known.every(({ opening }) => opening !== null && opening.metrics !== null);
  for (const days of known) {
    if (days.opening !== null && (isOver || days.opening.run !== identity)) throw openedBefore(days, days.opening);
  }
  await opened.admit?.();
  const openings: Opening[] = [];
  for (const days of known) {
    const opening = await holdouts.open(days, { opened_at: isoTime(nowMs), run: identity, metrics: null });
    if (opening.run !== identity) throw openedBefore(days, opening);
    openings.push(opening);
  }
  const run = await opened.run();
  const days: HeldOut[] = [];
  for (const [k, opening] of openings.entries()) {
    const one = known[k] as HeldOut; // there is an opening for each
    const finished = { ...opening, metrics: keptMetrics(run.result) };
    await holdouts.finish(one, finished);
    days.push({ ...one, opening: finished });
  }
  return { days, run };
}

/** Of the run that may be completed after a crash: its definition over the bars of the days. */
export async function runIdentity(request: PortfolioRequest, services: Pick<OpenServices, 'store'>): Promise<string> {
  const definition = parsePortfolio(request.portfolio);
  const account = prepareAccount(definition, request);
  const parts = await prepareParts(definition, account, request, services);
  const { portfolio, config = {} } = request;
  const bars = parts.map(({ bars }) => contentHash(bars));
  return sha256(canonicalJson({ portfolio, config, interval: account.intervalMs, bars })).slice(0, 16);
}
