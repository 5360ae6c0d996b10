import type { ExecutionConfig, Trade } from '../execution/index.js';
import { type BarSeries, barsPerYear, DAY_MS } from '../series/index.js';
import { measureEquity } from './equity.js';
import {
  annualGrowth,
  calmarRatio,
  dailyGrowth,
  meanOf,
  profitFactor,
  type RunFacts,
  type RunMeasures,
  sharpeRatio,
  sortinoRatio,
  totalReturn,
} from './run-facts.js';
import { measureTrades } from './trades.js';

/** The bars that were traded, and the settings. */
interface RunContext {
  readonly bars: BarSeries;
  /** Index of the first tradable bar. */
  readonly first: number;
  readonly config: ExecutionConfig;
}

export interface MetricsInput extends RunContext {
  /** Account value at the close of each tradable bar. */
  readonly equity: Float64Array;
  /** Values that may differ from the one before, see `Simulation`; without it, every value may. */
  readonly movedRanges?: Int32Array;
  /** Where one position was held alone, see `Simulation`. */
  readonly alone?: Float64Array;
  /** In the order they were closed. */
  readonly trades: readonly Trade[];
  /** Bars with a position open after the fills at their open. */
  readonly exposedBars: number;
}

interface Metric {
  readonly unit: 'ratio' | 'fraction' | 'bars' | 'days' | 'trades' | 'amount';
  readonly description: string;
  /** Which values are better, other things being equal. */
  readonly better: 'higher' | 'lower' | 'neither';
  readonly of: (run: RunFacts) => number | null;
}

/**
 * The metrics, one record each. Returns are per bar, ratios are annualized by the bars of a year
 * (365 days around the clock, unless the configuration says otherwise), growth per year by elapsed
 * time. The risk-free rate is 0. Amounts are in the quote currency, fractions are fractions.
 */
export const metricTable = {
  sharpe_ratio: {
    unit: 'ratio',
    description: 'mean return over its sample standard deviation, annualized; 0 for fewer than 2 bars or no deviation',
    better: 'higher',
    of: sharpeRatio,
  },
  sortino_ratio: {
    unit: 'ratio',
    description:
      'mean return over the root mean square of the negative returns, annualized; 0 without a negative return',
    better: 'higher',
    of: sortinoRatio,
  },
  max_drawdown: {
    unit: 'fraction',
    description: 'largest fall below the highest value so far, the initial balance included; positive',
    better: 'lower',
    of: (run) => run.equity.maxDrawdown,
  },
  max_drawdown_duration: {
    unit: 'bars',
    description: 'longest run of bars below the highest value so far, an unfinished last run included',
    better: 'lower',
    of: (run) => run.equity.maxDrawdownBars,
  },
  total_return: { unit: 'fraction', description: 'growth of the account', better: 'higher', of: totalReturn },
  irr_annualized: {
    unit: 'fraction',
    description: 'compound growth per year; -1 when nothing is left, at most 1000000',
    better: 'higher',
    of: annualGrowth,
  },
  irr_daily: {
    unit: 'fraction',
    description: 'compound growth per day, with the same limits',
    better: 'higher',
    of: dailyGrowth,
  },
  calmar_ratio: {
    unit: 'ratio',
    description: 'irr_annualized over max_drawdown; 0 without drawdown',
    better: 'higher',
    of: calmarRatio,
  },
  num_days: {
    unit: 'days',
    description: 'whole days of the run',
    better: 'neither',
    of: (run) => Math.floor(run.durationMs / DAY_MS),
  },
  avg_daily_return: {
    unit: 'fraction',
    description: 'mean return of the UTC days that have bars, the first against the initial balance',
    better: 'higher',
    of: ({ equity }) => equity.dailyReturnSum / equity.dayCount,
  },
  gain_to_pain_ratio: {
    unit: 'ratio',
    description: 'sum of the daily returns over the absolute sum of the negative ones; 0 without a negative one',
    better: 'higher',
    of: ({ equity }) => (equity.dailyLossSum === 0 ? 0 : equity.dailyReturnSum / -equity.dailyLossSum),
  },
  total_trades: { unit: 'trades', description: 'closed trades', better: 'neither', of: ({ trades }) => trades.count },
  win_rate: {
    unit: 'fraction',
    description: 'trades with a profit; 0 without trades',
    better: 'higher',
    of: ({ trades }) => meanOf(trades.winCount, trades.count),
  },
  profit_factor: {
    unit: 'ratio',
    description:
      'sum of the profits over the absolute sum of the other trades; 0 without profits, null when that sum is 0',
    better: 'higher',
    of: profitFactor,
  },
  expectancy: {
    unit: 'amount',
    description: 'mean profit and loss of a trade',
    better: 'higher',
    of: ({ trades }) => meanOf(trades.profitLossSum, trades.count),
  },
  avg_win: {
    unit: 'amount',
    description: 'mean of the trades with a profit',
    better: 'higher',
    of: ({ trades }) => meanOf(trades.winSum, trades.winCount),
  },
  avg_loss: {
    unit: 'amount',
    description: 'mean of the other trades; 0 or less',
    better: 'higher',
    of: ({ trades }) => meanOf(trades.lossSum, trades.count - trades.winCount),
  },
  max_consecutive_wins: {
    unit: 'trades',
    description: 'longest run of trades with a profit, in closing order',
    better: 'higher',
    of: ({ trades }) => trades.maxConsecutiveWins,
  },
  max_consecutive_losses: {
    unit: 'trades',
    description: 'longest run of the other trades, in closing order',
    better: 'lower',
    of: ({ trades }) => trades.maxConsecutiveLosses,
  },
  avg_bars_held: {
    unit: 'bars',
    description: 'mean holding time',
    better: 'neither',
    of: ({ trades }) => meanOf(trades.barsHeldSum, trades.count),
  },
  exposure: {
    unit: 'fraction',
    description: 'bars with a position open after the fills at their open',
    better: 'neither',
    of: (run) => run.exposedBars / run.barCount,
  },
  total_fees: { unit: 'amount', description: 'fees of both legs', better: 'lower', of: ({ trades }) => trades.feeSum },
  total_slippage_cost: {
    unit: 'amount',
    description: 'slippage of both legs, already inside profit and loss',
    better: 'lower',
    of: ({ trades }) => trades.slippageSum,
  },
  starting_balance: {
    unit: 'amount',
    description: 'initial balance',
    better: 'neither',
    of: (run) => run.startingBalance,
  },
  ending_balance: {
    unit: 'amount',
    description: 'account value at the last close',
    better: 'higher',
    of: (run) => run.endingBalance,
  },
  net_pnl: {
    unit: 'amount',
    description: 'ending less starting balance',
    better: 'higher',
    of: (run) => run.endingBalance - run.startingBalance,
  },
  benchmark_asset_return: {
    unit: 'fraction',
    description: 'last close over first open, less 1: buy and hold without costs',
    better: 'neither',
    of: (run) => run.benchmarkReturn,
  },
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof metricTable;

/** Never NaN or infinite; null only where the table says so. */
export type Metrics = { readonly [Name in MetricName]: ReturnType<(typeof metricTable)[Name]['of']> };

/** Which values of a metric are better. */
export const betterSide = (name: MetricName): Metric['better'] => metricTable[name].better;

/** In the order of the table. */
export const metricNames = Object.keys(metricTable) as MetricName[];

const metricEntries = Object.entries<Metric>(metricTable);
const metrics: readonly Metric[] = Object.values(metricTable);

/**
 * All metrics of a run; all 0 when it has no tradable bar. Two passes over the equity, one over the
 * trades.
 */
export function computeMetrics(input: MetricsInput): Metrics {
  const run = input.equity.length === 0 ? null : facts(input, measure(input));
  const out: Record<string, number | null> = {};
  for (const [name, metric] of metricEntries) out[name] = run === null ? 0 : metric.of(run);
  return out as Metrics;
}

/**
 * Writes the metrics into `out` as numbers in the order of `metricNames`, NaN for null. Many runs
 * may share `out`.
 */
export function writeMetrics(input: MetricsInput, out: Float64Array): void {
  if (input.equity.length === 0) out.fill(0, 0, metrics.length);
  else writeMeasured(input, measure(input), out);
}

/** Writes the metrics of a run that is already measured and has at least one tradable bar. */
export function writeMeasured(context: RunContext, measures: RunMeasures, out: Float64Array): void {
  const run = facts(context, measures);
  for (let m = 0; m < metrics.length; m++) out[m] = metrics[m].of(run) ?? NaN;
}

/** The metrics, with the short names that batch surfaces give as well. */
export function withAliases(values: Metrics) {
  return {
    ...values,
    sharpe: values.sharpe_ratio,
    sortino: values.sortino_ratio,
    calmar: values.calmar_ratio,
    final_balance: values.ending_balance,
  };
}

function measure({ bars, first, equity, trades, exposedBars, config, ...shape }: MetricsInput): RunMeasures {
  const { movedRanges = Int32Array.of(0, equity.length), ...known } = shape;
  return {
    equity: measureEquity(bars, first, equity, { movedRanges, ...known }, config.initial_balance),
    trades: measureTrades(trades),
    exposedBars,
    endingBalance: equity[equity.length - 1],
  };
}

function facts({ bars, first, config }: RunContext, measures: RunMeasures): RunFacts {
  const { equity, trades, exposedBars, endingBalance } = measures;
  const last = bars.barCount - 1;
  return {
    equity,
    trades,
    exposedBars,
    endingBalance,
    barCount: bars.barCount - first,
    barsPerYear: barsPerYear(bars.intervalMs, config),
    durationMs: bars.time[last] + bars.intervalMs - bars.time[first],
    startingBalance: config.initial_balance,
    benchmarkReturn: bars.close[last] / bars.open[first] - 1,
  };
}
