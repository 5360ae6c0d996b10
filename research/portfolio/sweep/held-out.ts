import {
  EngineError,
  type HeldOut,
  heldOutAmong,
  heldOutCut,
  heldOutNotice,
  heldOutText,
  isoTime,
  lastDays,
  parseIsoTime,
} from '../../../engine/index.js';
import type { RunServices } from '../../backtest/run-backtest.js';
import { resolveWindow } from '../../window.js';
import type { RunBars } from '../../window-bars.js';
import type { PortfolioPlan } from './plan.js';

/** Where a sweep of portfolios ends, so that it touches no held-out day of any asset. */
interface PortfolioCut {
  /** Last day or time; undefined for the end of the data. */
  readonly end: string | undefined;
  /** Days to hold out before the first run, of each asset. */
  readonly declared: readonly HeldOut[];
  readonly warnings: readonly string[];
}

/** Where nothing remembers held-out days, a sweep only ends before its own. */
const unremembered = heldOutAmong([]);

/**
 * Ends a sweep of portfolios before held-out days: those that its assets hold out already, and
 * those that its `holdout` asks for, counted back from the last bar of any asset. A portfolio has
 * one window, so the days are the same for all of its assets.
 * @throws EngineError INVALID_FIELD where the sweep would touch held-out days, or asks for other ones
 */
export async function cutPortfolioSweep(
  { assets, holdout, start, end }: PortfolioPlan,
  intervalMs: number,
  { store, heldOut = unremembered }: Pick<RunServices, 'store' | 'heldOut'>,
  nowMs: number,
): Promise<PortfolioCut> {
  const spans = await Promise.all(assets.map((asset) => spanOf(asset, intervalMs, { start, end }, store)));
  const known = await Promise.all(assets.map((asset) => heldOut.of(asset)));
  const lastMs = Math.max(...spans.map(({ endMs }) => endMs));
  const cutsFor = (wanted: HeldOut | null) =>
    spans.map((span, a) =>
      heldOutCut(known[a] ?? [], holdout, { ...span, wanted: wanted && { ...wanted, asset: span.asset } }),
    );
  const last = holdout === null ? null : lastDays('', holdout, lastMs, nowMs);
  // Days that one asset holds out already are held out of the others too.
  const before = cutsFor(last).find(({ declared, days }) => declared === null && days !== null)?.days;
  const cuts = cutsFor(last && { ...last, ...(before && { from: before.from, to: before.to }) });
  const days = cuts.flatMap(({ days }) => days ?? []);
  const [first] = days;
  if (first === undefined) return { end, declared: [], warnings: [] };
  const other = days.find(({ from }) => from !== first.from);
  if (other !== undefined) {
    const message = `holdout must be of the same days of every asset: ${heldOutText(first)} and ${heldOutText(other)} are held out`;
    throw new EngineError('INVALID_FIELD', message, { field: 'holdout' });
  }
  const declared = cuts.flatMap(({ declared }) => declared ?? []);
  const notice = heldOutNotice({ ...first, asset: declared.map(({ asset }) => asset).join(', ') });
  return {
    end: isoTime(parseIsoTime(first.from) - 1).slice(0, 10),
    declared,
    warnings: [
      ...(declared.length === 0 ? [] : [notice]),
      ...cuts.flatMap(({ declared, warnings }) => (declared === null ? warnings : [])),
    ],
  };
}

/** The bars of an asset in the window of a sweep. */
async function spanOf(
  asset: string,
  intervalMs: number,
  window: { readonly start: string | undefined; readonly end: string | undefined },
  store: RunBars,
) {
  const { entry } = await store.resolveSource(asset, intervalMs);
  const { startMs, endMs } = resolveWindow(window, entry.lastMs + entry.intervalMs);
  return {
    asset,
    startMs: Math.max(startMs, entry.firstMs),
    endMs: Math.min(endMs, entry.lastMs + entry.intervalMs),
  };
}
