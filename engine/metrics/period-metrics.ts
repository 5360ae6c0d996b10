import type { ExtendedMetric } from './extended-metric.js';
import type { PeriodFacts } from './period-facts.js';
import { cube, fourthPower } from './powers.js';
import { DEVIATION_MIN } from './returns.js';

/** 5 % quantile of the standard normal. */
const NORMAL_5 = -1.6448536269514729;

/**
 * Extended metrics of the returns of UTC days and UTC months: the last account value of each period
 * over the last value of the period before.
 */
export const periodMetricTable = {
  value_at_risk_95_daily: {
    unit: 'fraction',
    period: 'day',
    description: 'loss of one day at the 5 % quantile of the days, interpolated linearly; at least 0',
    source: 'Hyndman and Fan 1996, type 7',
    of: ({ days }) => Math.max(0, -days.tails.lowQuantile),
  },
  conditional_value_at_risk_95_daily: {
    unit: 'fraction',
    period: 'day',
    description: 'mean loss of the worst 5 % of the days, where the day on the edge counts in part; at least 0',
    source: 'Acerbi and Tasche 2002, expected shortfall',
    of: ({ days }) => Math.max(0, -days.tails.worstMean),
  },
  volatility_annualized_daily: {
    unit: 'fraction per year',
    period: 'day',
    description:
      'sample standard deviation of the returns of days times the root of the trading days of a year; null below 2 days',
    source: 'Hull, Options, Futures, and Other Derivatives, with simple returns',
    of: ({ days, daysPerYear }) => sampleDeviation(days) * Math.sqrt(daysPerYear),
  },
  sharpe_ratio_daily: {
    unit: 'ratio',
    period: 'day',
    description:
      'mean over sample deviation of the returns of days, times the root of the trading days of a year; null without deviation',
    source: 'Sharpe 1994',
    of: ({ days, daysPerYear }) => (days.mean / returnDeviation(days)) * Math.sqrt(daysPerYear),
  },
  sortino_ratio_daily: {
    unit: 'ratio',
    period: 'day',
    description:
      'mean return of a day over the root mean square of the negative ones, times the root of the trading days of a year; null when no day lost',
    source: 'Sortino and Price 1994, target 0',
    of: ({ days, daysPerYear }) => (days.mean / Math.sqrt(days.squaredLossSum / days.count)) * Math.sqrt(daysPerYear),
  },
  value_at_risk_95_normal_daily: {
    unit: 'fraction',
    period: 'day',
    description:
      'loss of one day at the 5 % quantile of a normal with mean and sample deviation of the days; at least 0',
    source: 'quantstats documentation, value_at_risk',
    of: ({ days }) => Math.max(0, -(days.mean + NORMAL_5 * sampleDeviation(days))),
  },
  omega_ratio_daily: {
    unit: 'ratio',
    period: 'day',
    description: 'sum of the returns of days above 0 over the absolute sum of those below; null when no day lost',
    source: 'Keating and Shadwick 2002, threshold 0',
    of: ({ days }) => days.gainSum / -days.lossSum,
  },
  tail_ratio_daily: {
    unit: 'ratio',
    period: 'day',
    description: 'absolute 95 % quantile of the returns of days over the absolute 5 % quantile; null when that is 0',
    source: 'empyrical documentation, tail_ratio',
    of: ({ days }) => Math.abs(days.tails.highQuantile) / Math.abs(days.tails.lowQuantile),
  },
  skewness_daily: {
    unit: 'ratio',
    period: 'day',
    description: 'skewness of the returns of days, without a correction for small samples',
    source: 'Joanes and Gill 1998, g1',
    of: ({ days }) => days.cubedDeviationSum / days.count / cube(populationDeviation(days)),
  },
  excess_kurtosis_daily: {
    unit: 'ratio',
    period: 'day',
    description: 'excess kurtosis of the returns of days, without a correction for small samples',
    source: 'Joanes and Gill 1998, g2',
    of: ({ days }) => days.fourthDeviationSum / days.count / fourthPower(populationDeviation(days)) - 3,
  },
  alpha_compounded: {
    unit: 'fraction per year',
    period: 'day',
    description:
      'daily return beyond beta times that of the asset, compounded over the trading days of a year; null below 20 days',
    source: 'Jensen 1968, annualized as by empyrical',
    of: ({ betaLine, daysPerYear }) => (betaLine === null ? Number.NaN : compounded(betaLine.alpha, daysPerYear)),
  },
  alpha_t: {
    unit: 'ratio',
    period: 'day',
    description: 'daily alpha over its standard error, which allows for changing variance and for autocorrelation',
    source: 'Newey and West 1987',
    of: ({ betaLine }) => betaLine?.t ?? Number.NaN,
  },
  beta_daily: {
    unit: 'ratio',
    period: 'day',
    description: 'slope of the daily returns on those of the asset; null below 20 days',
    source: 'Sharpe 1964',
    of: ({ betaLine }) => betaLine?.beta ?? Number.NaN,
  },
  value_at_risk_95_monthly: {
    unit: 'fraction',
    period: 'month',
    description: 'loss of one month at the 5 % quantile of the months, interpolated linearly; at least 0',
    source: 'Hyndman and Fan 1996, type 7',
    of: ({ months }) => Math.max(0, -months.tails.lowQuantile),
  },
  conditional_value_at_risk_95_monthly: {
    unit: 'fraction',
    period: 'month',
    description: 'mean loss of the worst 5 % of the months, where the month on the edge counts in part; at least 0',
    source: 'Acerbi and Tasche 2002, expected shortfall',
    of: ({ months }) => Math.max(0, -months.tails.worstMean),
  },
  volatility_annualized_monthly: {
    unit: 'fraction per year',
    period: 'month',
    description: 'sample standard deviation of the returns of months times the root of 12; null below 2 months',
    source: 'Hull, Options, Futures, and Other Derivatives, with simple returns',
    of: ({ months }) => sampleDeviation(months) * Math.sqrt(12),
  },
  sharpe_ratio_monthly: {
    unit: 'ratio',
    period: 'month',
    description: 'mean over sample deviation of the returns of months, times the root of 12; null without deviation',
    source: 'Sharpe 1994',
    of: ({ months }) => (months.mean / returnDeviation(months)) * Math.sqrt(12),
  },
} as const satisfies Readonly<Record<string, ExtendedMetric>>;

/** A return of every day, compounded over a year. */
export const compounded = (daily: number, daysPerYear: number): number => Math.expm1(daysPerYear * Math.log1p(daily));

const sampleDeviation = ({ count, squaredDeviationSum }: PeriodFacts): number =>
  count < 2 ? Number.NaN : Math.sqrt(squaredDeviationSum / (count - 1));

/** NaN where the returns do not differ. */
function returnDeviation(facts: PeriodFacts): number {
  const deviation = sampleDeviation(facts);
  return deviation < DEVIATION_MIN ? Number.NaN : deviation;
}

function populationDeviation({ count, squaredDeviationSum }: PeriodFacts): number {
  const deviation = Math.sqrt(squaredDeviationSum / count);
  return deviation < DEVIATION_MIN ? Number.NaN : deviation;
}
