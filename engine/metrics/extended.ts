import { type ExtendedRunFacts, measureExtendedRun } from './extended-run.js';
import type { MetricsInput } from './metrics.js';
import { DEVIATION_MIN, type ReturnFacts } from './returns.js';
import { type ExitsByReason, groupExits } from './trade-risk.js';

interface ExtendedMetric {
  readonly unit:
    | 'ratio'
    | 'fraction'
    | 'fraction per year'
    | 'multiple'
    | 'multiple per year'
    | 'bars'
    | 'amount'
    | 'trades and amount';
  readonly description: string;
  /** Where the formula is published. */
  readonly source: string;
  /** NaN or infinite where it is undefined. */
  readonly of: (run: ExtendedRunFacts) => number | ExitsByReason;
}

/**
 * Metrics that are computed only on request, one record each. Returns are per bar, the first
 * against the initial balance; years have 365 days; the risk-free rate is 0; a trade without a
 * profit counts as a loss. Amounts are in the quote currency, fractions are fractions.
 */
export const extendedMetricTable = {
  buy_and_hold_return: {
    unit: 'fraction',
    description: 'last close over first open, less 1, without costs',
    source: 'definition',
    of: (run) => run.benchmarkReturn,
  },
  alpha: {
    unit: 'fraction per year',
    description: 'mean return less beta times the mean return of the asset, times the bars of a year',
    source: 'Jensen 1968',
    of: alpha,
  },
  beta: {
    unit: 'ratio',
    description:
      'covariance with the returns of the asset over their variance; asset returns are close over close, on the first bar close over open',
    source: 'Sharpe 1964',
    of: beta,
  },
  time_in_market: {
    unit: 'fraction',
    description: 'bars with a position open after the fills at their open',
    source: 'backtesting.py documentation, exposure time',
    of: (run) => run.exposedBars / run.barCount,
  },
  turnover: {
    unit: 'multiple',
    description: 'notional of all entry and exit fills over the mean account value at the closes',
    source: 'SEC Form N-1A, with both sides in place of the lesser one',
    of: turnover,
  },
  turnover_per_year: {
    unit: 'multiple per year',
    description: 'turnover over the years of the run',
    source: 'SEC Form N-1A, with both sides in place of the lesser one',
    of: (run) => turnover(run) / run.years,
  },
  volatility_annualized: {
    unit: 'fraction per year',
    description: 'sample standard deviation of the returns times the root of the bars of a year; null below 2 bars',
    source: 'Hull, Options, Futures, and Other Derivatives, with simple returns',
    of: volatility,
  },
  omega_ratio: {
    unit: 'ratio',
    description: 'sum of the returns above 0 over the absolute sum of those below; null when no return is below 0',
    source: 'Keating and Shadwick 2002, threshold 0',
    of: ({ returns }) => returns.gainSum / -returns.lossSum,
  },
  ulcer_index: {
    unit: 'fraction',
    description: 'root mean square of the drawdown at every close, where the initial balance is the first peak',
    source: 'Martin and McCann 1989, as a fraction',
    of: ({ equity, barCount }) => Math.sqrt(equity.squaredDrawdownSum / barCount),
  },
  value_at_risk_95: {
    unit: 'fraction',
    description:
      'loss of one bar at the 5 % quantile of the returns, interpolated linearly at rank 0.05 (n - 1); at least 0',
    source: 'Hyndman and Fan 1996, type 7',
    of: ({ tails }) => Math.max(0, -tails.lowQuantile),
  },
  conditional_value_at_risk_95: {
    unit: 'fraction',
    description: 'mean loss of the worst 5 % of the bars, where the bar on the edge counts in part; at least 0',
    source: 'Acerbi and Tasche 2002, expected shortfall',
    of: ({ tails }) => Math.max(0, -tails.worstMean),
  },
  skewness: {
    unit: 'ratio',
    description: 'third central moment over the cubed population deviation, without a correction for small samples',
    source: 'Joanes and Gill 1998, g1',
    of: ({ returns, barCount }) => returns.cubedDeviationSum / barCount / populationDeviation(returns, barCount) ** 3,
  },
  excess_kurtosis: {
    unit: 'ratio',
    description: 'fourth central moment over the squared population variance, less 3, without a correction',
    source: 'Joanes and Gill 1998, g2',
    of: ({ returns, barCount }) =>
      returns.fourthDeviationSum / barCount / populationDeviation(returns, barCount) ** 4 - 3,
  },
  tail_ratio: {
    unit: 'ratio',
    description: 'absolute 95 % quantile of the returns over the absolute 5 % quantile; null when the latter is 0',
    source: 'empyrical documentation, tail_ratio',
    of: ({ tails }) => Math.abs(tails.highQuantile) / Math.abs(tails.lowQuantile),
  },
  system_quality_number: {
    unit: 'ratio',
    description:
      'root of the number of trades times mean over sample deviation of profit and loss per amount at risk between entry and stop; no cap at 100 trades',
    source: 'Van Tharp, SQN on R-multiples',
    of: systemQuality,
  },
  kelly_fraction: {
    unit: 'fraction',
    description: 'win rate less loss rate over payoff ratio; negative when trading loses, null without a payoff ratio',
    source: 'Kelly 1956',
    of: kelly,
  },
  gain_to_pain_monthly: {
    unit: 'ratio',
    description: 'sum of the returns of UTC months over the absolute sum of the negative ones; null when no month lost',
    source: 'Schwager 2012',
    of: ({ months }) => months.returnSum / -months.lossSum,
  },
  recovery_factor: {
    unit: 'ratio',
    description:
      'net profit over the largest fall below the highest account value, both as amounts; null without a fall',
    source: 'MetaTrader 5 documentation, recovery factor',
    of: (run) => run.profit / run.equity.maxDrawdownAmount,
  },
  payoff_ratio: {
    unit: 'ratio',
    description: 'mean profit of winning trades over the absolute mean of the others; null unless both exist',
    source: 'Kelly 1956, the odds of a bet',
    of: payoff,
  },
  avg_mae: {
    unit: 'fraction',
    description: 'mean over trades of the maximum adverse excursion from the entry price',
    source: 'Sweeney 1996',
    of: ({ excursions }) => meanOf(excursions.mae),
  },
  worst_mae: {
    unit: 'fraction',
    description: 'largest maximum adverse excursion',
    source: 'Sweeney 1996',
    of: ({ excursions }) => maxOf(excursions.mae),
  },
  avg_mfe: {
    unit: 'fraction',
    description: 'mean over trades of the maximum favourable excursion from the entry price',
    source: 'Sweeney 1996',
    of: ({ excursions }) => meanOf(excursions.mfe),
  },
  best_mfe: {
    unit: 'fraction',
    description: 'largest maximum favourable excursion',
    source: 'Sweeney 1996',
    of: ({ excursions }) => maxOf(excursions.mfe),
  },
  exits_by_reason: {
    unit: 'trades and amount',
    description: 'closed trades and their mean profit and loss, per exit reason; the mean is null without trades',
    source: 'definition',
    of: ({ closed }) => groupExits(closed),
  },
  fees_paid: {
    unit: 'amount',
    description: 'fees of both legs; 0 without trades',
    source: 'definition',
    of: ({ trades }) => trades.feeSum,
  },
  slippage_paid: {
    unit: 'amount',
    description: 'slippage of both legs, already inside profit and loss; 0 without trades',
    source: 'definition',
    of: ({ trades }) => trades.slippageSum,
  },
  rolling_sharpe_window: {
    unit: 'bars',
    description: 'bars of 30 days, or a quarter of the run if that is shorter, at least 2',
    source: 'definition',
    of: ({ sharpe, sharpeWindow }) => (sharpe.length === 0 ? Number.NaN : sharpeWindow),
  },
  rolling_sharpe_min: {
    unit: 'ratio',
    description: 'lowest annualized Sharpe ratio of a window; a window without deviation has 0; null below 2 bars',
    source: 'Sharpe 1994',
    of: ({ sharpe }) => minOf(sharpe),
  },
  rolling_sharpe_max: {
    unit: 'ratio',
    description: 'highest annualized Sharpe ratio of a window',
    source: 'Sharpe 1994',
    of: ({ sharpe }) => maxOf(sharpe),
  },
  rolling_sharpe_last: {
    unit: 'ratio',
    description: 'annualized Sharpe ratio of the window that ends the run',
    source: 'Sharpe 1994',
    of: ({ sharpe }) => sharpe[sharpe.length - 1],
  },
} as const satisfies Readonly<Record<string, ExtendedMetric>>;

export type ExtendedMetricName = keyof typeof extendedMetricTable;

/** JSON-safe: null where a metric is undefined, never NaN or infinite. */
export type ExtendedMetrics = {
  readonly [Name in ExtendedMetricName]: Name extends 'exits_by_reason' ? ExitsByReason : number | null;
};

const metricEntries = Object.entries<ExtendedMetric>(extendedMetricTable);

/**
 * All extended metrics of a run. Cost: a few passes over equity and trades, one sort of the
 * returns, and the bars that each trade held.
 */
export function computeExtendedMetrics(input: MetricsInput): ExtendedMetrics {
  const run = measureExtendedRun(input);
  const out: Record<string, number | null | ExitsByReason> = {};
  for (const [name, metric] of metricEntries) {
    const value = metric.of(run);
    out[name] = typeof value === 'object' || Number.isFinite(value) ? value : null;
  }
  return out as ExtendedMetrics;
}

function beta({ returns, barCount }: ExtendedRunFacts): number {
  const assetDeviation = Math.sqrt(returns.assetSquaredDeviationSum / barCount);
  return assetDeviation < DEVIATION_MIN ? Number.NaN : returns.codeviationSum / returns.assetSquaredDeviationSum;
}

function alpha(run: ExtendedRunFacts): number {
  return (run.returns.mean - beta(run) * run.returns.assetMean) * run.barsPerYear;
}

function volatility({ returns, barCount, barsPerYear }: ExtendedRunFacts): number {
  return barCount < 2 ? Number.NaN : Math.sqrt((returns.squaredDeviationSum / (barCount - 1)) * barsPerYear);
}

function turnover({ risk, equity }: ExtendedRunFacts): number {
  return risk.notionalSum / equity.mean;
}

/** NaN without deviation, because skewness and kurtosis divide by it. */
function populationDeviation({ squaredDeviationSum }: ReturnFacts, barCount: number): number {
  const deviation = Math.sqrt(squaredDeviationSum / barCount);
  return deviation < DEVIATION_MIN ? Number.NaN : deviation;
}

function systemQuality({ risk, trades }: ExtendedRunFacts): number {
  const deviation = Math.sqrt(risk.riskMultipleSquaredDeviationSum / (trades.count - 1));
  return deviation < DEVIATION_MIN ? Number.NaN : (Math.sqrt(trades.count) * risk.riskMultipleMean) / deviation;
}

function payoff({ trades }: ExtendedRunFacts): number {
  const lossCount = trades.count - trades.winCount;
  return trades.winSum / trades.winCount / -(trades.lossSum / lossCount);
}

/** Written as (b p - q) / b, so that infinite odds b give NaN instead of the win rate. */
function kelly(run: ExtendedRunFacts): number {
  const odds = payoff(run);
  const winRate = run.trades.winCount / run.trades.count;
  return (odds * winRate - (1 - winRate)) / odds;
}

/** NaN for an empty column. */
function meanOf(column: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < column.length; i++) sum += column[i];
  return sum / column.length;
}

/** Infinite for an empty column, as is `minOf`. */
function maxOf(column: Float64Array): number {
  let highest = -Infinity;
  for (let i = 0; i < column.length; i++) if (column[i] > highest) highest = column[i];
  return highest;
}

function minOf(column: Float64Array): number {
  let lowest = Infinity;
  for (let i = 0; i < column.length; i++) if (column[i] < lowest) lowest = column[i];
  return lowest;
}
