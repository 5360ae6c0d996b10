import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import {
  computeExtendedMetrics,
  type ExtendedMetricName,
  type ExtendedMetrics,
} from '../../../../engine/metrics/index.js';
import { DAY_MS } from '../../../../engine/series/index.js';
import { assertClose, barsOf, configOf, type PriceRow } from '../../../support/execution.js';
import { goldenPath } from '../../../support/tree.js';

/** Metrics against numbers that others have published or computed. */

interface Vector {
  readonly portfolio: readonly number[];
  readonly benchmark: readonly number[];
  readonly expected: Readonly<Record<string, number>>;
}

const bacon: Vector = JSON.parse(readFileSync(goldenPath('metrics-bacon.json'), 'utf8'));

/** Values that grow by the returns, without the start. */
function grow(start: number, returns: readonly number[]): number[] {
  let value = start;
  return returns.map((change) => {
    value *= 1 + change;
    return value;
  });
}

/**
 * Daily bars on which the asset makes the benchmark returns, and an account that makes the
 * portfolio returns.
 */
function measure(portfolio: readonly number[], benchmark: readonly number[], from?: number): ExtendedMetrics {
  const closes = grow(100, benchmark);
  const rows = closes.map((close, k): PriceRow => {
    const open = k === 0 ? 100 : closes[k - 1];
    return [open, Math.max(open, close), Math.min(open, close), close];
  });
  const equity = Float64Array.from(grow(10_000, portfolio));
  const bars = barsOf(rows, DAY_MS, from);
  return computeExtendedMetrics({ bars, first: 0, equity, trades: [], exposedBars: 0, config: configOf({}, DAY_MS) });
}

interface Peers
  extends Readonly<Record<'empyrical' | 'quantstats' | 'statsmodels' | 'pandas', Record<string, number>>> {
  readonly account: readonly number[];
  readonly asset: readonly number[];
}

const measureAlone = (returns: readonly number[]): ExtendedMetrics =>
  measure(
    returns,
    returns.map(() => 0),
  );

test('the returns of Bacon 2008 have the values of NumPy and SciPy', () => {
  const values = measure(bacon.portfolio, bacon.benchmark);
  for (const [name, expected] of Object.entries(bacon.expected)) {
    assertClose(values[name as ExtendedMetricName] as number, expected, name);
  }
});

test('the returns of Bacon 2008 have the values printed in the manual of PerformanceAnalytics', () => {
  const values = measure(bacon.portfolio, bacon.benchmark);
  // BernardoLedoitRatio: Omega at threshold 0.
  assert.equal((values.omega_ratio as number).toFixed(2), '1.78');
  assert.equal((values.excess_kurtosis as number).toFixed(2), '-0.57'); // kurtosis, method "excess"
});

test('the returns in the tests of empyrical have the values stated there', () => {
  // mixed_returns against negative_returns[1:] in empyrical/tests/test_stats.py; its year has 252
  // days
  const mixed = [0.01, 0.1, -0.04, 0.02, 0.03, 0.02, 0.01, -0.1];
  const negative = [-0.06, -0.07, -0.01, -0.09, -0.02, -0.06, -0.08, -0.05];
  const values = measure(mixed, negative);
  assertClose(values.beta as number, -0.71296296296296313, 'beta');
  assertClose(((values.alpha as number) * 252) / 365, -8.306666666666668, 'alpha');
  assertClose((values.volatility_annualized as number) * Math.sqrt(252 / 365), 0.9136465399704637, 'annual_volatility');
});

test('skewness has the value in the documentation of scipy.stats.skew', () => {
  const values = measureAlone([2, 8, 0, 4, 1, 9, 9, 0].map((x) => x / 1_000));
  assertClose(values.skewness as number, 0.2650554122698573, 'skewness');
});

test('excess kurtosis has the value of the example with an outlier in the Wikipedia article on kurtosis', () => {
  const sample = [0, 3, 4, 1, 2, 3, 0, 2, 1, 3, 2, 0, 2, 2, 3, 2, 5, 2, 3, 999];
  const values = measureAlone(sample.map((x) => x / 1_000));
  assert.equal((values.excess_kurtosis as number).toFixed(2), '15.05');
});

test('daily and monthly metrics of 400 days have the values of empyrical, quantstats, statsmodels and pandas', () => {
  const peers: Peers = JSON.parse(readFileSync(goldenPath('metrics-peers.json'), 'utf8'));
  const { empyrical, quantstats, statsmodels, pandas } = peers;
  const values = measure(peers.account, peers.asset, Date.parse('2023-01-01'));
  const expected: Partial<Record<ExtendedMetricName, number>> = {
    volatility_annualized_daily: empyrical.annual_volatility!,
    sharpe_ratio_daily: quantstats.sharpe!,
    sortino_ratio_daily: empyrical.sortino_ratio!,
    omega_ratio_daily: empyrical.omega_ratio!,
    tail_ratio_daily: empyrical.tail_ratio!,
    value_at_risk_95_daily: -empyrical.value_at_risk!,
    value_at_risk_95_normal_daily: -quantstats.value_at_risk!,
    alpha_compounded: empyrical.alpha!,
    alpha_t: statsmodels.alpha_t!,
    beta_daily: statsmodels.beta!,
    sharpe_ratio_monthly: pandas.sharpe!,
    volatility_annualized_monthly: pandas.volatility!,
    value_at_risk_95_monthly: -pandas.quantile_05!,
  };
  for (const [name, value] of Object.entries(expected)) {
    assertClose(values[name as ExtendedMetricName] as number, value, name);
  }
});
