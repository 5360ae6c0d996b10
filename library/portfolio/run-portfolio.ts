import { writePage } from '../../data/pages/index.js';
import { refuseUnknownKeys, unknownKeys } from '../../engine/unknown-keys.js';
import { type PortfolioSheet, renderPortfolio } from '../../report/index.js';
import {
  auditPortfolio,
  buildPortfolioSheet,
  runPortfolio as conduct,
  type PortfolioAuditReport,
  type PortfolioResult,
  tryOfPortfolio,
} from '../../research/portfolio/index.js';
import type { Bars } from '../bars/columns-in.js';
import { type AuditOptions, CUTS, checkWhole, SEED } from '../bounds.js';
import { countTry, type HomeOptions, homeServices } from '../home.js';
import { completeStrategy, type ExecutionSettings, type Strategy } from '../strategy.js';

/** A strategy on an asset, as a member of a portfolio. */
export interface PortfolioMember {
  readonly strategy: Strategy;
  /** Default: the asset of the strategy. */
  readonly asset?: string;
  /** Multiplies the account value wherever a size of the member reads it, 0 < weight <= 10. Default: 1. */
  readonly weight?: number;
  /** Over the settings of the portfolio. */
  readonly execution_config?: ExecutionSettings;
}

/** Weights instead of rules. */
export interface Allocation {
  readonly assets: readonly string[];
  /** How often weights are decided, UTC: by day, week (from Monday), month or quarter. Default: `1w`. */
  readonly every?: '1d' | '1w' | '1M' | '1q';
  /** Formula of a number; larger is better. Default: the order of `assets`. */
  readonly rank_by?: string;
  /** How many of the best are held. Default: all. */
  readonly top?: number | null;
  /** Formula of a condition under which an asset may be held. */
  readonly where?: string;
  readonly weighting?: 'equal' | 'inverse_volatility' | 'fixed';
  /** One for each asset, with weighting `fixed`. */
  readonly weights?: readonly number[];
  /** An asset off its weight by less than this part of the account is left alone. Default: 0. */
  readonly band?: number;
  /** Part of the account that stays cash. Default: 0. */
  readonly reserve?: number;
}

/** One account over many assets, as its JSON files hold it: `members` with rules, or `allocation`. */
export interface Portfolio {
  readonly name?: string;
  readonly interval?: string;
  readonly initial_balance?: number;
  readonly min_balance_threshold?: number;
  readonly members?: readonly PortfolioMember[];
  readonly allocation?: Allocation;
  readonly max_open_positions?: number | null;
  readonly max_gross_exposure?: number | null;
  /** Formula of a number by which entries of one time take turns, larger first. */
  readonly rank_by?: string;
  /** Losses at which everything is sold and entries pause; fractions. */
  readonly guards?: {
    readonly max_drawdown?: number | null;
    readonly daily_loss?: number | null;
    readonly group_stop?: number | null;
    readonly pause_bars?: number;
  };
  readonly execution_config?: ExecutionSettings;
}

export interface PortfolioOptions extends HomeOptions {
  readonly portfolio: Portfolio;
  /** Such as `1h`. Default: the portfolio's. */
  readonly interval?: string;
  /** Bars by asset. Default: the held bars, with all the history that the rules need. */
  readonly bars?: Readonly<Record<string, Bars>>;
  /** First day or time to trade (UTC). Default: the first bar of any member. */
  readonly start?: string;
  /** Last day, included, or time. Default: the last bar of any member. */
  readonly end?: string;
  /** Start this many months before the end. */
  readonly lookbackMonths?: number;
  /** Overrides the settings of the portfolio and of its members. */
  readonly config?: ExecutionSettings;
}

/** A finished run of a portfolio. */
export interface PortfolioBacktest {
  /** Everything that `barline portfolio --json` prints, but the equity curve. */
  readonly result: PortfolioResult;
  readonly metrics: PortfolioResult['metrics'];
  /** Of all members, in the order of their exits. */
  readonly trades: PortfolioResult['trades'];
  /** Account value and cash at the close of each time. */
  readonly equity: Float64Array;
  readonly cash: Float64Array;
  /** Open times of the bars of any member, epoch ms. */
  readonly time: Float64Array;
  /**
   * By member and time: notional over the account value, shorts below 0, and profit since the start,
   * realized and not.
   */
  readonly weights: readonly Float64Array[];
  readonly contributions: readonly Float64Array[];
  /** The data of its page, for `renderPortfolio`. */
  sheet(): PortfolioSheet;
  /** Its page as one HTML page without references to other files. */
  page(): string;
  /** @throws EngineError if it cannot be written */
  savePage(path: string): Promise<void>;
  /** Audits its members and its account, as `barline audit --portfolio` does. */
  audit(options?: AuditOptions): Promise<PortfolioAuditReport>;
}

const OPTIONS = [
  ...(['portfolio', 'interval', 'bars', 'start', 'end', 'lookbackMonths', 'config', 'home'] as const),
] satisfies readonly (keyof PortfolioOptions)[];

/**
 * Runs one account over many assets, in this thread. It counts in the ledger of tries, under each
 * of its assets.
 *
 * @example
 * const { metrics } = await runPortfolio({
 *   portfolio: { allocation: { assets: ['BTC', 'ETH'], rank_by: 'roc(close, 30)', top: 1 } },
 *   interval: '1d',
 * });
 * @throws EngineError with a message that names field, bound and value, for anything that the
 *   caller can fix
 */
export async function runPortfolio(options: PortfolioOptions): Promise<PortfolioBacktest> {
  refuseUnknownKeys(unknownKeys('runPortfolio', options, OPTIONS));
  const services = homeServices(options);
  const request = toRequest(options);
  const run = await conduct(request, services);
  const tried = tryOfPortfolio(run);
  countTry(options, tried.assets, tried.identity);
  const { result, simulation } = run;
  const { equity, cash, timeline, courses } = simulation;
  const sheet = () => buildPortfolioSheet(run);
  const page = () => renderPortfolio(sheet());
  return {
    ...{ result, metrics: result.metrics, trades: result.trades, equity, cash, time: timeline.times },
    ...{ weights: courses?.weights ?? [], contributions: courses?.profits ?? [] },
    sheet,
    page,
    savePage: (path) => writePage(path, page()),
    audit: async ({ cuts = CUTS, seed = SEED } = {}) => {
      checkWhole({ cuts, seed });
      return auditPortfolio(request, { cutCount: cuts, seed }, services);
    },
  };
}

function toRequest({ portfolio, interval, bars = {}, start, end, lookbackMonths, config }: PortfolioOptions) {
  const held = Object.entries(bars).map(([asset, series]) => {
    return [asset, { bars: series, contentHash: series.contentHash, source: series.source }] as const;
  });
  return {
    portfolio: completePortfolio(portfolio),
    interval,
    window: { start, end, lookbackMonths },
    config: { ...config },
    held: Object.fromEntries(held),
  };
}

/** The portfolio with what the rules of its members may leave out. */
export function completePortfolio(portfolio: Portfolio): unknown {
  if (typeof portfolio !== 'object' || portfolio === null || !Array.isArray(portfolio.members)) return portfolio;
  const members = portfolio.members.map((member: PortfolioMember) =>
    typeof member === 'object' && member !== null ? { ...member, strategy: completeStrategy(member.strategy) } : member,
  );
  return { ...portfolio, members };
}
