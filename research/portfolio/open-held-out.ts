import { contentHash, normaliseAsset } from '../../data/bars/index.js';
import { sha256 } from '../../data/hashes/index.js';
import { canonicalJson, EngineError, type HeldOut, heldOutText, isoTime, type Opening } from '../../engine/index.js';
import { keptMetrics, newestOf, type OpenServices, openedBefore, refuseWindow } from '../backtest/open-held-out.js';
import { parsePortfolio } from './definition.js';
import { accountOf, outlineOf, prepareParts } from './prepare.js';
import { type PortfolioRequest, type PortfolioRun, runPortfolio } from './run-portfolio.js';
import { tryOfPortfolio } from './try-of-portfolio.js';

interface OpenedPortfolio {
  /** Of each asset, in the order of their names. */
  readonly days: readonly HeldOut[];
  readonly run: PortfolioRun;
}

/**
 * Opens the held-out days of all assets of a portfolio for one run, which trades exactly them. As
 * with a strategy, they are opened on disk before the run begins; after a crash only the same run
 * can be completed, and what cannot run at all opens nothing.
 *
 * @param request without a window
 * @throws EngineError NOT_FOUND where an asset has no held-out days, CONFLICT where the days of its
 *   assets differ or were opened before
 */
export async function openHeldOutPortfolio(
  request: PortfolioRequest,
  { holdouts, ledger, nowMs, ...services }: OpenServices,
): Promise<OpenedPortfolio> {
  const outline = await outlineOf(request.portfolio, { ...request, window: {} }, services.store);
  const assets = [...new Set(outline.assets.map(normaliseAsset))].sort();
  const known = await Promise.all(assets.map(async (asset) => newestOf(asset, await holdouts.of(asset))));
  const first = known[0] as HeldOut; // a portfolio has an asset
  const other = known.find(({ from, to }) => from !== first.from || to !== first.to);
  if (other !== undefined) {
    const message = `the assets of a portfolio must hold out the same days, but hold out ${heldOutText(first)} and ${heldOutText(other)}`;
    throw new EngineError('CONFLICT', message, { field: 'portfolio' });
  }
  refuseWindow(request.window, { ...first, asset: assets.join(', ') }, holdouts);
  const own = { ...request, window: { start: first.from, end: first.to } };
  const identity = await identityOf(own, services);
  // All are asked before the first is opened, so that a refusal opens none.
  const isOver = known.every(({ opening }) => opening !== null && opening.metrics !== null);
  for (const days of known) {
    if (days.opening !== null && (isOver || days.opening.run !== identity)) throw openedBefore(days, days.opening);
  }
  const openings: Opening[] = [];
  for (const days of known) {
    const opening = await holdouts.open(days, { opened_at: isoTime(nowMs), run: identity, metrics: null });
    if (opening.run !== identity) throw openedBefore(days, opening);
    openings.push(opening);
  }
  const run = await runPortfolio(own, services);
  const tried = tryOfPortfolio(run);
  await ledger.add(tried.asset, [tried.identity]);
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
async function identityOf(request: PortfolioRequest, services: Pick<OpenServices, 'store'>): Promise<string> {
  const definition = parsePortfolio(request.portfolio);
  const account = accountOf(definition, request);
  const parts = await prepareParts(definition, account, request, services);
  const { portfolio, config = {} } = request;
  const bars = parts.map(({ bars }) => contentHash(bars));
  return sha256(canonicalJson({ portfolio, config, interval: account.intervalMs, bars })).slice(0, 16);
}
