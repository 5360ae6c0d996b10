import type { ExecutionConfig } from '../../../engine/execution/index.js';
import { dailyReturns } from '../../../engine/metrics/index.js';
import { type LeaderFacts, leaderFacts } from '../../../engine/sweep/index.js';
import type { BacktestRun, BacktestTrade } from '../../../research/backtest/index.js';
import type { AccountCourse, PortfolioResult } from '../../../research/portfolio/index.js';

/** What answers judge and speak of: a run of one asset, or one account over several. */
export interface RunFacts {
  /** One symbol, or the symbols of all members: `BTC, ETH, SOL` */
  readonly asset: string;
  readonly timeframe: string;
  readonly start: string;
  readonly config: ExecutionConfig;
  readonly metrics: Readonly<Record<'total_return' | 'exposure', number> & Record<'sharpe_ratio', number | null>>;
  readonly trades: readonly Pick<
    BacktestTrade,
    | ('asset' | 'entry_timestamp' | 'exit_timestamp' | 'side' | 'exit_reason')
    | ('profit_loss' | 'profit_loss_pct' | 'fees' | 'slippage_cost')
  >[];
  /** Value of the account at the close of each bar, and these times, epoch ms. */
  readonly equity: Float64Array;
  readonly closes: Float64Array;
  /** The day on which too little was left for another trade; null where enough was. */
  readonly exhaustedOn: string | null;
  readonly judged: LeaderFacts;
  /** Growth of the asset over the window, or of the assets held evenly, a fraction. */
  readonly marketReturn: number;
  readonly sellsShort: boolean;
  /** How often the rules held; null over several assets. */
  readonly diagnostics: BacktestRun['result']['diagnostics'] | null;
  /** What each member made; empty for one asset. */
  readonly members: readonly { readonly asset: string; readonly trades: number; readonly profit: number }[];
  /** What to know about the bars. */
  readonly cautions: readonly string[];
}

export function factsOfBacktest({ result, bars, first, simulation }: BacktestRun): RunFacts {
  const config = result.execution_config;
  const { equity, movedRanges, trades } = simulation;
  const daily = dailyReturns(bars, first, equity, movedRanges, config.initial_balance);
  return {
    ...{ asset: result.asset, timeframe: result.interval, start: result.window.start, config },
    ...{ metrics: result.metrics, trades: result.trades, equity },
    closes: Float64Array.from(equity, (_, i) => (bars.time[first + i] ?? Number.NaN) + bars.intervalMs),
    exhaustedOn: result.exhausted_on,
    judged: leaderFacts({ bars, first, trades, daily, daysPerYear: config.trading_days_per_year }),
    marketReturn: (bars.close[bars.barCount - 1] ?? Number.NaN) / (bars.open[first] ?? Number.NaN) - 1,
    sellsShort: result.side_metrics !== undefined,
    diagnostics: result.diagnostics,
    members: [],
    cautions: result.data.quality.map(({ message }) => message),
  };
}

export const factsOfPortfolio = (result: PortfolioResult, course: AccountCourse): RunFacts => ({
  asset: result.data.map(({ asset }) => asset).join(', '),
  ...{ timeframe: result.interval, start: result.window.start, config: result.execution_config },
  ...{ metrics: result.metrics, trades: result.trades, equity: course.equity, closes: course.closes },
  ...{ exhaustedOn: course.exhaustedOn, judged: course.facts, marketReturn: course.marketReturn },
  sellsShort: result.trades.some(({ side }) => side === 'exit_short'),
  diagnostics: null,
  members: result.members.map(({ asset, trades, profit }) => ({ asset, trades, profit })),
  cautions: result.warnings,
});
