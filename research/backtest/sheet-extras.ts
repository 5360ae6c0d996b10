import { EngineError } from '../../engine/errors.js';
import type { ExecutionConfig } from '../../engine/execution/index.js';
import { Frame, type ParamValues, resolveParams } from '../../engine/indicators/index.js';
import {
  computeExtendedMetrics,
  computeMetrics,
  type ExtendedMetricName,
  extendedMetricTable,
  type MetricName,
  type Metrics,
  metricTable,
  sharpeWindow,
  stated,
} from '../../engine/metrics/index.js';
import { type BarSeries, barsPerYear, sliceBars, tryParseInterval } from '../../engine/series/index.js';
import { columnsOfCondition, findSignal, type Signal } from '../../engine/signals/index.js';
import { bootstrapReturns, type MonteCarlo, SplitMix64 } from '../../engine/statistics/index.js';
import type { Rule } from '../../engine/strategy/index.js';
import { aggregateBars, type CoarseBars, newestVisible } from '../../engine/timeframes/index.js';
import type { Figures, SheetIndicator, TearSheet } from '../../report/index.js';

/** What a tear sheet shows beside the result of a run. All of it follows from bars and equity. */

/** Most indicators on the page, in the order of the rules. */
const INDICATORS_MAX = 8;

/**
 * The indicators that the rules of a strategy read, with a value for each tradable bar. A value of
 * a longer timeframe stands from the close of its bar on, as the rules see it.
 * @param bars with the history before the first tradable bar
 */
export function sheetIndicators(
  rules: readonly Rule[],
  own: readonly Signal[],
  bars: BarSeries,
  first: number,
): readonly SheetIndicator[] {
  const found = new Map<string, SheetIndicator>();
  for (const { name, params, timeframe } of rules) {
    const signal = findSignal(name, own);
    const coarseMs = timeframe === null ? bars.intervalMs : tryParseInterval(timeframe);
    if (signal === undefined || signal.observes !== undefined || coarseMs === null || coarseMs === undefined) continue;
    const isCoarse = coarseMs !== bars.intervalMs;
    if (coarseMs < bars.intervalMs || coarseMs % bars.intervalMs !== 0) continue;
    try {
      const complete: ParamValues = resolveParams(signal, params);
      const coarse = isCoarse ? aggregateBars(bars, coarseMs) : null;
      const frame = Frame.of(coarse?.bars ?? bars);
      for (const read of columnsOfCondition(signal.condition(complete))) {
        if (read.kind === 'source') continue;
        const label = `${read.key}${isCoarse ? ` on ${timeframe}` : ''}`;
        if (found.has(label) || found.size >= INDICATORS_MAX) continue;
        const column = frame.column(read);
        const values = coarse === null ? column : spread(column, coarse, bars.barCount);
        const shown = values.slice(first);
        found.set(label, { name: label, values: shown, isPrice: liesAmong(shown, bars, first) });
      }
    } catch (error) {
      // a rule that was refused has no indicators; the page says why it was refused
      if (!(error instanceof EngineError)) throw error;
    }
  }
  return [...found.values()];
}

/** The value of the last coarse bar that has closed by the close of each bar. */
const spread = (values: Float64Array, coarse: CoarseBars, barCount: number): Float64Array =>
  Float64Array.from({ length: barCount }, (_, bar) => values[newestVisible(coarse, bar)] ?? Number.NaN);

/** Whether most values lie near the price of their bar, so that one chart can hold both. */
function liesAmong(values: Float64Array, { close }: BarSeries, first: number): boolean {
  let [near, known] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    const ratio = (values[i] ?? 0) / (close[first + i] ?? 1);
    if (Number.isNaN(ratio)) continue;
    known++;
    if (ratio > 0.5 && ratio < 2) near++;
  }
  return known > 0 && near / known > 0.95;
}

/** Metrics that a position held from the first open on has too. */
const comparable: readonly (MetricName | ExtendedMetricName)[] = [
  'total_return',
  'irr_annualized',
  'irr_daily',
  'max_drawdown',
  'max_drawdown_duration',
  'sharpe_ratio',
  'sortino_ratio',
  'calmar_ratio',
  'ending_balance',
  'volatility_annualized',
  'omega_ratio',
  'ulcer_index',
  'skewness',
  'excess_kurtosis',
  'tail_ratio',
  'gain_to_pain_monthly',
];
/** The same metrics of buying at the first open and holding, without costs. */
export function benchmarkFigures(bars: BarSeries, first: number, config: ExecutionConfig): Figures {
  const tradable = sliceBars(bars, first, bars.barCount);
  const units = config.initial_balance / (tradable.open[0] ?? 1);
  const equity = tradable.close.map((price) => price * units);
  const held = { bars, first, config, equity, trades: [], exposedBars: equity.length };
  const metrics = computeMetrics(held);
  const measured: Readonly<Record<string, unknown>> = { ...metrics, ...computeExtendedMetrics(held) };
  const table: Readonly<Record<string, { readonly unit: string }>> = { ...metricTable, ...extendedMetricTable };
  return Object.fromEntries(
    comparable.flatMap((name) => {
      const [known, record] = [measured[name], table[name]];
      const value = name in metricTable ? stated(name as MetricName, metrics).value : known;
      return typeof value !== 'number' || record === undefined ? [] : [[name, { value, unit: record.unit }]];
    }),
  );
}

const PATHS = 1_000;
/** Enough returns for the distribution; more would only cost time. */
const STEPS_MAX = 3_000;

/**
 * Other courses that the account could have taken: its returns drawn again in blocks. Long runs are
 * drawn by returns of several bars.
 */
export function runMonteCarlo(equity: Float64Array, initialBalance: number, seed: number): TearSheet['monteCarlo'] {
  const join = Math.max(1, Math.ceil(equity.length / STEPS_MAX));
  const steps = Math.floor(equity.length / join);
  const returns = new Float64Array(steps);
  let before = initialBalance;
  for (let k = 0; k < steps; k++) {
    const value = equity[(k + 1) * join - 1] ?? before;
    returns[k] = before > 0 ? value / before - 1 : 0;
    before = value;
  }
  if (returns.every((value) => value === 0)) return null;
  const meanBlock = Math.max(2, Math.round(Math.sqrt(steps)));
  const drawn: MonteCarlo | null = bootstrapReturns(returns, {
    random: new SplitMix64(seed),
    meanBlock,
    pathCount: PATHS,
  });
  if (drawn === null) return null;
  const { pathCount, finalGrowth, maxDrawdown, ruinProbability, fan } = drawn;
  return { pathCount, meanBlockBars: meanBlock * join, finalGrowth, maxDrawdown, ruinProbability, fan, steps };
}

/** Volatility and beta of the returns of the last bars, NaN before the first whole window. */
export function rollingRisk(equity: Float64Array, config: ExecutionConfig, bars: BarSeries): TearSheet['rollingRisk'] {
  const count = equity.length;
  const windowBars = sharpeWindow(count, bars.intervalMs);
  const perYear = barsPerYear(bars.intervalMs, config);
  if (windowBars < 2 || count < windowBars) return null;
  const [own, market] = [new Float64Array(count), new Float64Array(count)];
  let [before, price] = [config.initial_balance, bars.open[0] ?? 1];
  for (let i = 0; i < count; i++) {
    own[i] = before > 0 ? (equity[i] ?? 0) / before - 1 : 0;
    market[i] = (bars.close[i] ?? 0) / price - 1;
    before = equity[i] ?? 0;
    price = bars.close[i] ?? 1;
  }
  const volatility = new Float64Array(count).fill(Number.NaN);
  const beta = new Float64Array(count).fill(Number.NaN);
  // Sums of one window at a time from its own start would cost the window per bar; blocks of a
  // window begin anew, so rounding does not build up.
  const sums = { x: 0, y: 0, xx: 0, xy: 0, yy: 0 };
  const add = (i: number, sign: 1 | -1): void => {
    const [y, x] = [own[i] ?? 0, market[i] ?? 0];
    sums.x += sign * x;
    sums.y += sign * y;
    sums.xx += sign * x * x;
    sums.xy += sign * x * y;
    sums.yy += sign * y * y;
  };
  for (let i = 0; i < count; i++) {
    if (i >= windowBars && i % windowBars === 0) {
      Object.assign(sums, { x: 0, y: 0, xx: 0, xy: 0, yy: 0 });
      for (let k = i - windowBars + 1; k <= i; k++) add(k, 1);
    } else {
      add(i, 1);
      if (i >= windowBars) add(i - windowBars, -1);
    }
    if (i < windowBars - 1) continue;
    const { x, y, xx, xy, yy } = sums;
    const squaredSpread = (squares: number, sum: number) => Math.max(0, squares - (sum * sum) / windowBars);
    volatility[i] = Math.sqrt((squaredSpread(yy, y) / (windowBars - 1)) * perYear);
    const markets = squaredSpread(xx, x);
    if (markets > 1e-18) beta[i] = (xy - (x * y) / windowBars) / markets;
  }
  return { windowBars, volatility, beta };
}

/** A quarter: below it a figure of a year says more about the days than about the strategy. */
const DAYS_MIN = 90;
const DAYS_OF_YEAR = 365;
/** Of a standard normal, two-sided. */
const NORMAL_95 = 1.959963984540054;

/**
 * The caution that figures of a year made of days need; null where the window is long enough or
 * nothing was traded. Without skill the Sharpe ratio of T years has a standard error of about
 * 1 / sqrt(T) (Lo 2002, "The Statistics of Sharpe Ratios").
 */
export function shortWindowCaution({
  num_days,
  total_trades,
}: Pick<Metrics, 'num_days' | 'total_trades'>): string | null {
  if (num_days >= DAYS_MIN || total_trades === 0) return null;
  const luck = NORMAL_95 * Math.sqrt(DAYS_OF_YEAR / Math.max(1, num_days));
  const days = num_days < 1 ? 'less than a day' : num_days === 1 ? '1 day' : `${num_days} days`;
  return (
    `figures of a year (growth, Sharpe, Sortino, Calmar, alpha) come from ${days} here and say little below ` +
    `${DAYS_MIN} days: without any skill the Sharpe ratio lies between -${luck.toFixed(1)} and ${luck.toFixed(1)} in 95 % of such windows`
  );
}
