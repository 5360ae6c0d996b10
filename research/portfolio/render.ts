import type { MemberTrade, PortfolioSimulation } from '../../engine/portfolio/index.js';
import type { BarSeries } from '../../engine/series/index.js';
import { isoTime } from '../../engine/series/index.js';
import { renderTrade } from '../backtest/render.js';

/** A trade of a member, as trades of one asset show themselves; bar numbers are the member's. */
export function renderMemberTrade(
  trade: MemberTrade,
  index: number,
  { timeline: { times, intervalMs } }: PortfolioSimulation,
  { asset, bars }: { readonly asset: string; readonly bars: BarSeries },
  labels: { readonly runId: string; readonly strategy: string; readonly originBar: number },
) {
  const shown = renderTrade(trade, index, bars, { ...labels, asset });
  // The last time of all may be later than the last bar of the member.
  const end =
    trade.exitReason === 'END' || trade.exitReason === 'ENDED'
      ? isoTime((times[trade.exitTime] ?? NaN) + intervalMs)
      : null;
  return { ...shown, ...(end !== null && { exit_timestamp: end }), member: trade.member };
}

/** What the result of a portfolio adds to the result of a run. */
export interface PortfolioFacts {
  readonly members: readonly {
    readonly asset: string;
    readonly trades: number;
    readonly profit: number;
    readonly share_of_return: number | null;
    readonly exposure: number;
    readonly time_in_market: number;
  }[];
  /** Of the daily profits of each two members. */
  readonly correlation: readonly (readonly (number | null)[])[];
  readonly turnover: number;
  readonly largest_gross_exposure: number;
  readonly largest_net_exposure: number;
  /** Entries that a limit of the whole portfolio denied. */
  readonly denied_by_limits: number;
}

export function renderFacts(
  simulation: PortfolioSimulation,
  members: readonly { readonly asset: string }[],
): PortfolioFacts {
  const { turnover, largestGrossExposure, largestNetExposure, correlation, denials } = simulation;
  return {
    members: simulation.members.map(({ trades, profit, shareOfReturn, exposure, timeInMarket }, m) => ({
      asset: members[m]?.asset ?? '',
      ...{ trades, profit, exposure },
      share_of_return: orNull(shareOfReturn),
      time_in_market: timeInMarket,
    })),
    correlation: correlation.map((row) => Array.from(row, orNull)),
    turnover,
    largest_gross_exposure: largestGrossExposure,
    largest_net_exposure: largestNetExposure,
    denied_by_limits: denials.filter(({ reason }) => reason === 'portfolio_positions' || reason === 'max_exposure')
      .length,
  };
}

const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value);
