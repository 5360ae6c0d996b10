import { DAY_MS } from '../series/index.js';
import type { EquityFacts } from './equity.js';
import { DEVIATION_MIN } from './returns.js';
import type { TradeFacts } from './trades.js';

/** Measures of the account and the trades of a run. */
export interface RunMeasures {
  readonly equity: EquityFacts;
  readonly trades: TradeFacts;
  /** Bars with a position open after the fills at their open. */
  readonly exposedBars: number;
  readonly endingBalance: number;
}

/** The facts from which the metrics are computed. */
export interface RunFacts extends RunMeasures {
  readonly barCount: number;
  readonly barsPerYear: number;
  /** From the open of the first tradable bar to the close of the last. */
  readonly durationMs: number;
  readonly startingBalance: number;
  readonly benchmarkReturn: number;
}

const GROWTH_MAX = 1_000_000;
const YEAR_MS = 365 * DAY_MS;

export function sharpeRatio({ equity, barCount, barsPerYear }: RunFacts): number {
  if (barCount < 2) return 0;
  const deviation = Math.sqrt(equity.squaredDeviationSum / (barCount - 1));
  return deviation < DEVIATION_MIN ? 0 : (equity.meanReturn / deviation) * Math.sqrt(barsPerYear);
}

export function sortinoRatio({ equity, barCount, barsPerYear }: RunFacts): number {
  const deviation = Math.sqrt(equity.squaredLossSum / barCount);
  return deviation < DEVIATION_MIN ? 0 : (equity.meanReturn / deviation) * Math.sqrt(barsPerYear);
}

export function totalReturn({ startingBalance, endingBalance }: RunFacts): number {
  return endingBalance / startingBalance - 1;
}

export function annualGrowth(run: RunFacts): number {
  return growthPer(YEAR_MS, run);
}

export function dailyGrowth(run: RunFacts): number {
  return growthPer(DAY_MS, run);
}

/** With one deposit and no withdrawals the internal rate of return is the compound growth rate. */
function growthPer(periodMs: number, { startingBalance, endingBalance, durationMs }: RunFacts): number {
  if (endingBalance <= 0) return -1;
  return Math.min((endingBalance / startingBalance) ** (1 / (durationMs / periodMs)) - 1, GROWTH_MAX);
}

export function calmarRatio(run: RunFacts): number {
  return run.equity.maxDrawdown === 0 ? 0 : annualGrowth(run) / run.equity.maxDrawdown;
}

export function profitFactor({ trades }: RunFacts): number | null {
  if (trades.winCount === 0) return 0;
  return trades.lossSum === 0 ? null : trades.winSum / -trades.lossSum;
}

export const meanOf = (sum: number, count: number): number => (count === 0 ? 0 : sum / count);
