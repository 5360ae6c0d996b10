import {
  backtestOverfitting,
  bootstrapReturns,
  deflatedSharpeRatio,
  effectiveTrials,
  expectedMaxSharpe,
  type MonteCarlo,
  minBacktestLengthYears,
  minTrackRecordLength,
  type Overfitting,
  probabilisticSharpeRatio,
  realityCheck,
  reshuffleTrades,
  SplitMix64,
  sharpeSample,
} from '../statistics/index.js';

const DAYS_PER_YEAR = 365;
/**
 * Mean days that stay together in a resample: about as long as the size of crypto returns persists.
 */
const MEAN_BLOCK_DAYS = 10;

/** What is known of the trials of one dataset. */
export interface TrustInput {
  /** Daily returns of trials, equally long; all that traded, or a sample of them. */
  readonly returns: readonly Float64Array[];
  /** Index of the leader in `returns`. */
  readonly leader: number;
  /** Trials that traded, those outside the sample included. */
  readonly trialCount: number;
  /** Returns of the leader's trades, each a fraction of the account before it. */
  readonly tradeReturns: Float64Array;
  readonly seed: number;
}

/**
 * How far the leader of a sweep may be trusted. Sharpe ratios are annual; null where the data is
 * too short to say.
 */
export interface Trust {
  readonly trialCount: number;
  /** Number of independent trials that would be as lucky. */
  readonly effectiveTrialCount: number;
  readonly days: number;
  readonly sharpe: number | null;
  /**
   * Probability that the true Sharpe ratio is above 0, as if the leader had been the only trial.
   */
  readonly probabilisticSharpe: number | null;
  /** Expected best Sharpe ratio of that many trials without skill. */
  readonly luckySharpe: number | null;
  /** Probability that the true Sharpe ratio is above what luck gives the best of that many. */
  readonly deflatedSharpe: number | null;
  /** Days that it takes to show with 95 % confidence that the Sharpe ratio is above 0. */
  readonly minTrackRecordDays: number | null;
  /** Years below which the best of that many trials has a Sharpe ratio of 1 by luck. */
  readonly minBacktestYears: number;
  readonly overfitting: Overfitting | null;
  /** Share of resamples in which the best of trials without skill does as well. */
  readonly realityCheckP: number | null;
  /** The trades of the leader in other orders. */
  readonly reshuffled: MonteCarlo | null;
  /** The days of the leader, resampled in blocks. */
  readonly bootstrapped: MonteCarlo | null;
}

export function assessTrust({ returns, leader, trialCount, tradeReturns, seed }: TrustInput): Trust {
  const best = returns[leader];
  const sample = sharpeSample(best);
  const annual = Math.sqrt(DAYS_PER_YEAR);
  const correlation = Math.max(0, effectiveTrials(returns).meanCorrelation ?? 0);
  const effectiveTrialCount = Math.max(1, correlation + (1 - correlation) * trialCount);
  const variance = varianceOf(returns.map((one) => sharpeSample(one)?.sharpe ?? 0));
  const random = () => new SplitMix64(seed);
  return {
    trialCount,
    effectiveTrialCount,
    days: best.length,
    sharpe: sample === null ? null : sample.sharpe * annual,
    probabilisticSharpe: sample && probabilisticSharpeRatio(sample, 0),
    luckySharpe: returns.length < 2 ? null : expectedMaxSharpe(effectiveTrialCount, variance) * annual,
    deflatedSharpe: sample && deflatedSharpeRatio(sample, effectiveTrialCount, variance),
    minTrackRecordDays: sample && minTrackRecordLength(sample, 0),
    minBacktestYears: minBacktestLengthYears(effectiveTrialCount),
    overfitting: backtestOverfitting(returns),
    realityCheckP: realityCheck(returns, { random: random(), meanBlock: MEAN_BLOCK_DAYS })?.pValue ?? null,
    reshuffled: reshuffleTrades(tradeReturns, { random: random() }),
    bootstrapped: bootstrapReturns(best, { random: random(), meanBlock: MEAN_BLOCK_DAYS }),
  };
}

/** Sample variance; 0 for fewer than two values. */
function varianceOf(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}
