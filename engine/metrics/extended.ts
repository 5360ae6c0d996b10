import type { ExtendedMetric } from './extended-metric.js';
import { type ExtendedRunFacts, measureExtendedRun } from './extended-run.js';
import type { MetricsInput } from './metrics.js';
import { periodMetricTable } from './period-metrics.js';
import { cube, fourthPower } from './powers.js';
import { DEVIATION_MIN, type ReturnFacts } from './returns.js';
import { tradeMetricTable } from './trade-metrics.js';
import type { ExitsByReason } from './trade-risk.js';

/** Extended metrics of the run and of the returns of its bars. */
const runMetricTable = {
  buy_and_hold_return: {
    unit: 'fraction',
    period: 'run',
    description: 'last close over first open, less 1, without costs',
    source: 'definition',
    of: (run) => run.benchmarkReturn,
  },
  alpha: {
    unit: 'fraction per year',
    period: 'bar',
    description: 'mean return less beta times the mean return of the asset, times the bars of a year; not compounded',
    source: 'Jensen 1968',
    of: alpha,
  },
  beta: {
    unit: 'ratio',
    period: 'bar',
    description:
      'covariance with the returns of the asset over their variance; asset returns are close over close, on the first bar close over open',
    source: 'Sharpe 1964',
    of: beta,
  },
  time_in_market: {
    unit: 'fraction',
    period: 'run',
    description: 'bars with a position open after the fills at their open',
    source: 'backtesting.py documentation, exposure time',
    of: (run) => run.exposedBars / run.barCount,
  },
  turnover: {
    unit: 'multiple',
    period: 'run',
    description: 'notional of all entry and exit fills over the mean account value at the closes',
    source: 'SEC Form N-1A, with both sides in place of the lesser one',
    of: turnover,
  },
  turnover_per_year: {
    unit: 'multiple per year',
    period: 'run',
    description: 'turnover over the years of the run',
    source: 'SEC Form N-1A, with both sides in place of the lesser one',
    of: (run) => turnover(run) / run.years,
  },
  volatility_annualized: {
    unit: 'fraction per year',
    period: 'bar',
    description: 'sample standard deviation of the returns times the root of the bars of a year; null below 2 bars',
    source: 'Hull, Options, Futures, and Other Derivatives, with simple returns',
    of: volatility,
  },
  omega_ratio: {
    unit: 'ratio',
    period: 'bar',
    description: 'sum of the returns above 0 over the absolute sum of those below; null when no return is below 0',
    source: 'Keating and Shadwick 2002, threshold 0',
    of: ({ returns }) => returns.gainSum / -returns.lossSum,
  },
  ulcer_index: {
    unit: 'fraction',
    period: 'bar',
    description: 'root mean square of the drawdown at every close, where the initial balance is the first peak',
    source: 'Martin and McCann 1989, as a fraction',
    of: ({ equity, barCount }) => Math.sqrt(equity.squaredDrawdownSum / barCount),
  },
  value_at_risk_95: {
    unit: 'fraction',
    period: 'bar',
    description:
      'loss of one bar at the 5 % quantile of the returns, interpolated linearly at rank 0.05 (n - 1); at least 0',
    source: 'Hyndman and Fan 1996, type 7',
    of: ({ tails }) => Math.max(0, -tails.lowQuantile),
  },
  conditional_value_at_risk_95: {
    unit: 'fraction',
    period: 'bar',
    description: 'mean loss of the worst 5 % of the bars, where the bar on the edge counts in part; at least 0',
    source: 'Acerbi and Tasche 2002, expected shortfall',
    of: ({ tails }) => Math.max(0, -tails.worstMean),
  },
  skewness: {
    unit: 'ratio',
    period: 'bar',
    description: 'third central moment over the cubed population deviation, without a correction for small samples',
    source: 'Joanes and Gill 1998, g1',
    of: ({ returns, barCount }) => returns.cubedDeviationSum / barCount / cube(populationDeviation(returns, barCount)),
  },
  excess_kurtosis: {
    unit: 'ratio',
    period: 'bar',
    description: 'fourth central moment over the squared population variance, less 3, without a correction',
    source: 'Joanes and Gill 1998, g2',
    of: ({ returns, barCount }) =>
      returns.fourthDeviationSum / barCount / fourthPower(populationDeviation(returns, barCount)) - 3,
  },
  tail_ratio: {
    unit: 'ratio',
    period: 'bar',
    description: 'absolute 95 % quantile of the returns over the absolute 5 % quantile; null when the latter is 0',
    source: 'empyrical documentation, tail_ratio',
    of: ({ tails }) => Math.abs(tails.highQuantile) / Math.abs(tails.lowQuantile),
  },
  gain_to_pain_monthly: {
    unit: 'ratio',
    period: 'month',
    description: 'sum of the returns of UTC months over the absolute sum of the negative ones; null when no month lost',
    source: 'Schwager 2012',
    of: ({ months }) => (months.gainSum + months.lossSum) / -months.lossSum,
  },
  recovery_factor: {
    unit: 'ratio',
    period: 'run',
    description:
      'net profit over the largest fall below the highest account value, both as amounts; null without a fall',
    source: 'MetaTrader 5 documentation, recovery factor',
    of: (run) => run.profit / run.equity.maxDrawdownAmount,
  },
  rolling_sharpe_window: {
    unit: 'bars',
    period: 'bar',
    description: 'bars of 30 days, or a quarter of the run if that is shorter, at least 2',
    source: 'definition',
    of: ({ sharpe, sharpeWindow }) => (sharpe.length === 0 ? Number.NaN : sharpeWindow),
  },
  rolling_sharpe_min: {
    unit: 'ratio',
    period: 'bar',
    description: 'lowest annualized Sharpe ratio of a window; a window without deviation has 0; null below 2 bars',
    source: 'Sharpe 1994',
    of: ({ sharpe }) => minOf(sharpe),
  },
  rolling_sharpe_max: {
    unit: 'ratio',
    period: 'bar',
    description: 'highest annualized Sharpe ratio of a window',
    source: 'Sharpe 1994',
    of: ({ sharpe }) => maxOf(sharpe),
  },
  rolling_sharpe_last: {
    unit: 'ratio',
    period: 'bar',
    description: 'annualized Sharpe ratio of the window that ends the run',
    source: 'Sharpe 1994',
    of: ({ sharpe }) => sharpe[sharpe.length - 1],
  },
} as const satisfies Readonly<Record<string, ExtendedMetric>>;

/**
 * Metrics that are computed only on request, one record each, daily ones first. The first return of
 * every period is against the initial balance; years have 365 days; the risk-free rate is 0; a
 * trade without a profit counts as a loss. Amounts are in the quote currency, fractions are
 * fractions.
 */
export const extendedMetricTable = { ...periodMetricTable, ...runMetricTable, ...tradeMetricTable };

export type ExtendedMetricName = keyof typeof extendedMetricTable;

/** The unit of every extended metric, and what it is made of. */
export const extendedMetricUnits = Object.fromEntries(
  Object.entries(extendedMetricTable).map(([name, { unit, period }]) => [name, { unit, period }]),
) as Readonly<Record<ExtendedMetricName, Pick<ExtendedMetric, 'unit' | 'period'>>>;

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

function minOf(column: Float64Array): number {
  let lowest = Infinity;
  for (let i = 0; i < column.length; i++) if (column[i] < lowest) lowest = column[i];
  return lowest;
}

/** Infinite for an empty column, as is `minOf`. */
function maxOf(column: Float64Array): number {
  let highest = -Infinity;
  for (let i = 0; i < column.length; i++) if (column[i] > highest) highest = column[i];
  return highest;
}
