import type { Trade } from '../execution/index.js';
import { barsPerYear, DAY_MS } from '../series/index.js';
import { type BetaLine, betaLine } from './beta-line.js';
import { dailyReturns } from './equity.js';
import { type EquityShape, measureEquityShape, monthlyReturns } from './equity-shape.js';
import { type TradeExcursions, tradeExcursions } from './excursions.js';
import type { MetricsInput } from './metrics.js';
import { measurePeriods, type PeriodFacts } from './period-facts.js';
import { barReturns, measureReturns, type ReturnFacts } from './returns.js';
import { sharpeWindow, windowSharpes } from './rolling-sharpe.js';
import { measureTails, type TailFacts } from './tails.js';
import { measureTradeRisk, type TradeRiskFacts } from './trade-risk.js';
import { measureTrades, type TradeFacts } from './trades.js';

const YEAR_MS = 365 * DAY_MS;

/** The facts of a run, measured once, from which the extended metrics are computed. */
export interface ExtendedRunFacts {
  readonly barCount: number;
  readonly exposedBars: number;
  readonly barsPerYear: number;
  /** Days of trading. */
  readonly daysPerYear: number;
  /** From the open of the first tradable bar to the close of the last. */
  readonly years: number;
  readonly benchmarkReturn: number;
  readonly profit: number;
  readonly returns: ReturnFacts;
  readonly tails: TailFacts;
  readonly equity: EquityShape;
  readonly days: PeriodFacts;
  readonly months: PeriodFacts;
  /** Of daily returns; null with fewer than 20 days, or where the asset or the rest never moves. */
  readonly betaLine: BetaLine | null;
  readonly trades: TradeFacts;
  readonly risk: TradeRiskFacts;
  readonly excursions: TradeExcursions;
  readonly closed: readonly Trade[];
  readonly sharpeWindow: number;
  readonly sharpe: Float64Array;
}

/** Means and quotients are NaN for a run without bars or without trades. */
export function measureExtendedRun(input: MetricsInput): ExtendedRunFacts {
  const { bars, first, equity, trades, exposedBars, config } = input;
  const barCount = equity.length;
  const last = first + barCount - 1;
  const returns = barReturns(equity, config.initial_balance);
  const annual = barsPerYear(bars.intervalMs, config);
  const all = Int32Array.of(0, barCount);
  const daily = dailyReturns(bars, first, equity, all, config.initial_balance);
  const window = sharpeWindow(barCount, bars.intervalMs);
  return {
    barCount,
    exposedBars,
    barsPerYear: annual,
    daysPerYear: config.trading_days_per_year,
    years: (bars.time[last] + bars.intervalMs - bars.time[first]) / YEAR_MS,
    benchmarkReturn: bars.close[last] / bars.open[first] - 1,
    profit: equity[barCount - 1] - config.initial_balance,
    returns: measureReturns(returns, bars.close.subarray(first), bars.open[first]),
    equity: measureEquityShape(equity, config.initial_balance),
    days: measurePeriods(daily),
    months: measurePeriods(monthlyReturns(bars.time.subarray(first), equity, config.initial_balance)),
    betaLine: betaLine(daily, dailyReturns(bars, first, bars.close.subarray(first), all, bars.open[first])),
    trades: measureTrades(trades),
    risk: measureTradeRisk(trades),
    excursions: tradeExcursions(bars, trades),
    closed: trades,
    sharpeWindow: window,
    sharpe: windowSharpes(returns, window, annual),
    tails: measureTails(returns), // sorts `returns`, so it comes last
  };
}
