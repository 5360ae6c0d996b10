import { EngineError } from '../../../engine/errors.js';
import { isoTime, parseIsoTime } from '../../../engine/series/index.js';
import {
  type HeldOut,
  heldOutAmong,
  heldOutCut,
  heldOutNotice,
  heldOutText,
  lastDays,
} from '../../../engine/sweep/index.js';
import type { RunServices } from '../../backtest/run-backtest.js';
import { resolveWindow, type Window } from '../../window.js';
import type { RunSeries } from '../../window-bars.js';
import type { PortfolioPlan } from './plan.js';

/** Where a sweep of portfolios ends, so that it touches no held-out day of any asset. */
interface PortfolioCut {
  /** First day or time; undefined for the start of the data. */
  readonly start: string | undefined;
  /** Last day or time; undefined for the end of the data. */
  readonly end: string | undefined;
  /** Days to hold out before the first run, of each asset. */
  readonly declared: readonly HeldOut[];
  readonly warnings: readonly string[];
}

/** Where nothing remembers held-out days, a sweep only ends before its own. */
const unremembered = heldOutAmong([]);

/**
 * Ends a sweep of portfolios before held-out days: days that its assets hold out already, and days
 * that its `holdout` asks for, counted back from the last bar of any asset in the window. A
 * portfolio has one window, so the days are the same for all of its assets.
 * @throws EngineError INVALID_FIELD where the sweep would touch held-out days, or asks for other ones
 */
export async function cutPortfolioSweep(
  { assets, holdout, start: asked, end, lookbackMonths }: PortfolioPlan,
  intervalMs: number,
  { store, heldOut = unremembered }: Pick<RunServices, 'store' | 'heldOut'>,
  nowMs: number,
): Promise<PortfolioCut> {
  const entries = await Promise.all(assets.map(async (asset) => (await store.resolveSource(asset, intervalMs)).entry));
  const heldToMs = Math.max(...entries.map(({ lastMs, intervalMs: storedMs }) => lastMs + storedMs));
  // From the last bar of any asset, and before held-out days are cut off.
  const start =
    lookbackMonths === undefined ? asked : isoTime(resolveWindow({ end, lookbackMonths }, heldToMs).startMs);
  const window = resolveWindow({ start, end }, heldToMs);
  const spans = assets.map((asset, a) => spanInWindow(asset, entries[a] as RunSeries, window));
  if (heldOut.meet !== undefined) {
    for (const [a, asset] of assets.entries()) {
      const { bars } = await store.load({ asset, intervalMs: (entries[a] as RunSeries).intervalMs });
      await heldOut.meet(asset, bars);
    }
  }
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
  if (first === undefined) return { start, end, declared: [], warnings: [] };
  const other = days.find(({ from }) => from !== first.from);
  if (other !== undefined) {
    const message = `holdout must be of the same days of every asset: ${heldOutText(first)} and ${heldOutText(other)} are held out`;
    throw new EngineError('INVALID_FIELD', message, { field: 'holdout' });
  }
  const declared = cuts.flatMap(({ declared }) => declared ?? []);
  const notice = heldOutNotice({ ...first, asset: declared.map(({ asset }) => asset).join(', ') });
  return {
    start,
    end: isoTime(parseIsoTime(first.from) - 1).slice(0, 10),
    declared,
    warnings: [
      ...(declared.length === 0 ? [] : [notice]),
      ...cuts.flatMap(({ declared, warnings }) => (declared === null ? warnings : [])),
    ],
  };
}

/** The bars of an asset in the window of a sweep. */
const spanInWindow = (asset: string, { firstMs, lastMs, intervalMs }: RunSeries, { startMs, endMs }: Window) => ({
  asset,
  startMs: Math.max(startMs, firstMs),
  endMs: Math.min(endMs, lastMs + intervalMs),
});
