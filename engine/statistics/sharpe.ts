import { type BetaLine, betaLine } from '../metrics/beta-line.js';
import { DEVIATION_MIN } from '../metrics/returns.js';
import { inverseNormalCdf, normalCdf } from './normal.js';

const EULER_GAMMA = 0.5772156649015329;

/**
 * Sharpe ratio and moments of the returns of one strategy, per observation: nothing is annualized.
 */
interface SharpeSample {
  /** Number of returns. */
  readonly observationCount: number;
  /** Mean return over its standard deviation, per observation. */
  readonly sharpe: number;
  readonly skewness: number;
  /** Not the excess kurtosis: 3 for normal returns. */
  readonly kurtosis: number;
}

/**
 * The standard deviation divides by n - 1, as in the metric `sharpe_ratio`; skewness and kurtosis
 * are g1 and g2 + 3 of Joanes and Gill 1998, without a correction for small samples. Null with
 * fewer than two returns, or when they do not differ: the ratio is undefined then.
 */
export function sharpeSample(returns: Float64Array): SharpeSample | null {
  const count = returns.length;
  let sum = 0;
  for (const value of returns) sum += value;
  const mean = sum / count;
  let squares = 0;
  let cubes = 0;
  let fourths = 0;
  for (const value of returns) {
    const deviation = value - mean;
    const square = deviation * deviation;
    squares += square;
    cubes += square * deviation;
    fourths += square * square;
  }
  const deviation = Math.sqrt(squares / (count - 1));
  if (count < 2 || deviation < DEVIATION_MIN) return null;
  const variance = squares / count;
  return {
    observationCount: count,
    sharpe: mean / deviation,
    skewness: cubes / count / variance ** 1.5,
    kurtosis: fourths / count / variance ** 2,
  };
}

/**
 * Probability that the true Sharpe ratio is above `benchmark`, given the one that was measured.
 * Bailey and López de Prado 2012, "The Sharpe ratio efficient frontier". Null with fewer than two
 * observations, or when skewness and kurtosis contradict each other (kurtosis < 1 + skewness²) and
 * leave the ratio without an error variance.
 *
 * @param benchmark Sharpe ratio per observation
 */
export function probabilisticSharpeRatio(sample: SharpeSample, benchmark: number): number | null {
  const { observationCount, sharpe } = sample;
  const variance = errorVariance(sample);
  if (observationCount < 2 || !(variance > 0)) return null;
  return normalCdf(((sharpe - benchmark) * Math.sqrt(observationCount - 1)) / Math.sqrt(variance));
}

/**
 * Variance of the measured ratio times the observations less 1; 1 + SR² / 2 for normal returns
 * (Mertens 2002).
 */
const errorVariance = ({ sharpe, skewness, kurtosis }: Omit<SharpeSample, 'observationCount'>): number =>
  1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe * sharpe;

/**
 * The expected Sharpe ratio of the best of `trialCount` independent trials without skill. Bailey
 * and López de Prado 2014, "The deflated Sharpe ratio". The approximation is below 0 for fewer than
 * about 1.28 trials; the result is 0 there.
 *
 * @param trialCount may be a fraction, see `effectiveTrials`
 * @param variance of the Sharpe ratios of the trials; ratios per observation give a result per
 *   observation
 */
export const expectedMaxSharpe = (trialCount: number, variance: number): number =>
  Math.sqrt(variance) * expectedMaxNormal(trialCount);

/**
 * Expected maximum of `trialCount` draws of a standard normal. Upper tails are computed as lower
 * tails, which keep their digits.
 */
export function expectedMaxNormal(trialCount: number): number {
  if (trialCount <= 1) return 0;
  const first = -inverseNormalCdf(1 / trialCount);
  const second = -inverseNormalCdf(1 / (trialCount * Math.E));
  return Math.max(0, (1 - EULER_GAMMA) * first + EULER_GAMMA * second);
}

/**
 * Number of independent draws of a standard normal whose expected maximum is `maximum`: the inverse
 * of `expectedMaxNormal`, to 12 digits. 1 for a maximum of 0 or less.
 */
export function independentTrials(maximum: number): number {
  let [low, high] = [0, 60]; // logarithms
  if (!(maximum > expectedMaxNormal(1.3))) return 1;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (expectedMaxNormal(Math.exp(middle)) < maximum) low = middle;
    else high = middle;
  }
  return Math.exp((low + high) / 2);
}

/** Probability that the largest of `trialCount` draws of a standard normal is at least `value`. */
export const independentShare = (trialCount: number, value: number): number =>
  -Math.expm1(trialCount * Math.log1p(-normalCdf(-value)));

/**
 * Probability that the true Sharpe ratio of the best of several trials is above what luck alone
 * would have shown: the probabilistic Sharpe ratio against `expectedMaxSharpe`. Bailey and López de
 * Prado 2014. Null where the probabilistic Sharpe ratio is null.
 *
 * @param sample of the best trial
 * @param trialCount independent trials, see `effectiveTrials`
 * @param variance of the trials' Sharpe ratios per observation
 */
export const deflatedSharpeRatio = (sample: SharpeSample, trialCount: number, variance: number): number | null =>
  probabilisticSharpeRatio(sample, expectedMaxSharpe(trialCount, variance));

/**
 * The number of observations at which the probabilistic Sharpe ratio against `benchmark` reaches
 * `confidence`, if all measured moments stay the same; not rounded. Bailey and López de Prado 2012.
 * Null when the ratio is not above the benchmark, where no length is enough, and when the moments
 * contradict each other, see `probabilisticSharpeRatio`.
 *
 * @throws RangeError when the confidence is not in [0.5, 1)
 */
export function minTrackRecordLength(
  sample: Omit<SharpeSample, 'observationCount'>,
  benchmark: number,
  confidence = 0.95,
): number | null {
  if (!(confidence >= 0.5 && confidence < 1)) {
    throw new RangeError(`confidence must be at least 0.5 and below 1, was ${confidence}`);
  }
  const variance = errorVariance(sample);
  if (!(sample.sharpe > benchmark) || !(variance > 0)) return null;
  return 1 + variance * (inverseNormalCdf(confidence) / (sample.sharpe - benchmark)) ** 2;
}

/**
 * Years that a backtest must cover so that the best of `trialCount` independent trials without
 * skill is not expected to show an annualized Sharpe ratio above `expectedMax`. Bailey, Borwein,
 * López de Prado and Zhu 2014, "Pseudo-mathematics and financial charlatanism". 0 for one trial or
 * fewer.
 *
 * @param expectedMax above 0, per year
 */
export const minBacktestLengthYears = (trialCount: number, expectedMax = 1): number =>
  (expectedMaxNormal(trialCount) / expectedMax) ** 2;

/** The returns of an account, explained by the market's returns. */
export interface MarketLine extends BetaLine {
  /** Probability of such a t-value or a higher one without skill. */
  readonly pValue: number;
}

/** The line with its p-value; null where `betaLine` is. */
export function marketLine(returns: Float64Array, market: Float64Array): MarketLine | null {
  const line = betaLine(returns, market);
  return line === null ? null : { ...line, pValue: normalCdf(-line.t) };
}

/** True annual Sharpe ratios that a search finds, each with its probability. */
export interface FindableEdge {
  /** Found in half of searches, and in nine of ten. */
  readonly half: number;
  readonly most: number;
}

const MOST = 0.9;

/**
 * What edge the best of so many unrelated trials must truly have to pass at `level`: its t-value,
 * normal with a deviation of 1, must be one that luck's best of as many reaches with that
 * probability. Related trials are fewer, so they find less of an edge too.
 *
 * @param trials 1 or more
 * @param years above 0
 */
export function findableEdge(trials: number, years: number, level: number): FindableEdge {
  const needed = -inverseNormalCdf(-Math.expm1(Math.log1p(-level) / trials));
  const perYear = 1 / Math.sqrt(years);
  return { half: needed * perYear, most: (needed + inverseNormalCdf(MOST)) * perYear };
}
