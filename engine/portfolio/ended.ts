import type { GuardSettings } from '../execution/index.js';
import { type BarSeries, DAY_MS, firstBarFrom } from '../series/index.js';

export const endedPrices = ['last_close', 'zero'] as const;

/** When the bars of an asset count as ended, and what its holder gets. */
export interface EndedAssets {
  /** Bars that another asset of the account has shown since its last one; null: `endedAfter`. */
  readonly ended_after: number | null;
  /** The last close, less costs, or nothing. */
  readonly ended_price: (typeof endedPrices)[number];
}

export const atLastClose: EndedAssets = { ended_after: null, ended_price: 'last_close' };

/** An asset without bars keeps its last close to the end. */
export const neverEnded: EndedAssets = { ended_after: Infinity, ended_price: 'last_close' };

/** Fewest bars, and fewest days of them: a market that closes at weekends has not ended. */
const BARS_MIN = 3;
const DAYS_MIN = 3;

/** Bars after which an asset counts as ended unless the portfolio says otherwise. */
export const endedAfter = (intervalMs: number): number =>
  Math.max(BARS_MIN, Math.ceil((DAYS_MIN * DAY_MS) / intervalMs));

/**
 * Whether the bars of an asset have ended by a time. Only bars up to that time are read, so a run
 * over bars as they come decides the same; an asset whose bars come back is one again.
 *
 * @param series of all assets of the account, of one interval
 * @param bar newest bar of the asset that has opened by the time; -1 before its first one
 */
export function hasEnded(
  series: readonly BarSeries[],
  { time, intervalMs }: BarSeries,
  bar: number,
  now: number,
  { ended_after }: EndedAssets,
): boolean {
  if (bar < 0) return false;
  const wanted = ended_after ?? endedAfter(intervalMs);
  if (now - time[bar] < wanted * intervalMs) return false;
  return series.some((one) => firstBarFrom(one, now + 1) - firstBarFrom(one, time[bar] + 1) >= wanted);
}

/** What the guards of a portfolio read; null is no guard. */
export interface PortfolioGuards {
  readonly max_drawdown: number | null;
  readonly daily_loss: number | null;
  readonly group_stop: number | null;
  readonly pause_bars: number;
}

export const isGuardSet = ({ max_drawdown, daily_loss, group_stop }: PortfolioGuards): boolean =>
  [max_drawdown, daily_loss, group_stop].some((limit) => limit !== null);

/** The guards as the settings of a single run, which do the same. */
export const guardSettings = (guards: PortfolioGuards): GuardSettings => ({
  guard_max_drawdown: guards.max_drawdown,
  guard_daily_loss: guards.daily_loss,
  guard_group_stop: guards.group_stop,
  guard_pause_bars: guards.pause_bars,
});
