import { DEVIATION_MIN } from '../metrics/returns.js';
import { type PercentileBands, percentileBands } from './percentiles.js';
import { rankSplits, type SplitRanks } from './split-ranks.js';
import type { TrialReturns } from './trial-returns.js';

/** 12870 splits; every two more blocks make about four times as many. */
const BLOCKS_MAX = 16;
/**
 * 924 splits. With 14 or 16 blocks the probability differs by 3 to 4 points, and from sweep to
 * sweep by 14; on average it is the same (`docs/assessment.md`).
 */
const BLOCKS = 12;

/**
 * How the best configuration of one half of the data does in the other half, over all splits into
 * halves.
 */
export interface Overfitting {
  readonly splitCount: number;
  /**
   * Probability of backtest overfitting: share of splits whose in-sample best ranks in the lower
   * half out of sample.
   */
  readonly pbo: number;
  /**
   * Percentiles of the logits ln(w / (1 - w)), where w is the out-of-sample rank of the in-sample
   * best, counted from the worst, over N + 1.
   */
  readonly logits: PercentileBands;
  /** Share of splits whose in-sample best has a Sharpe ratio below 0 out of sample. */
  readonly lossProbability: number;
  /**
   * Slope of the least-squares line of the out-of-sample on the in-sample Sharpe ratio of the
   * in-sample best; null when its in-sample ratio is the same in every split.
   */
  readonly degradationSlope: number | null;
}

/**
 * Combinatorially symmetric cross-validation: Bailey, Borwein, López de Prado and Zhu 2017, "The
 * probability of backtest overfitting". The periods are cut into contiguous blocks that differ by
 * at most one period; every choice of half the blocks is in sample once, with the other half out of
 * sample. Performance is the Sharpe ratio per period, 0 without deviation. Of equal configurations
 * the first counts as the best; out of sample they share the average of their ranks. A logit of 0,
 * the middle rank, counts as overfit, so configurations that cannot be told apart have PBO 1.
 *
 * Cost follows the splits times the configurations: each half is joined from two unions of up to
 * half the blocks.
 *
 * @param blockCount even, 2 to 16
 * @returns null with fewer than two configurations or fewer periods than blocks
 * @throws RangeError when the block count is out of bounds
 */
export function backtestOverfitting(trials: TrialReturns, blockCount = BLOCKS): Overfitting | null {
  const edges = splitEdges(trials, blockCount);
  return edges === null ? null : measureOverfitting(rankSplits(trials, edges), trials.rowCount);
}

/** First period of each block and the end of the last; null and errors as `backtestOverfitting`. */
export function splitEdges({ rowCount, periodCount }: TrialReturns, blockCount = BLOCKS): number[] | null {
  if (!(blockCount >= 2 && blockCount <= BLOCKS_MAX && blockCount % 2 === 0)) {
    throw new RangeError(`blockCount must be an even number from 2 to ${BLOCKS_MAX}, was ${blockCount}`);
  }
  if (rowCount < 2 || periodCount < blockCount) return null;
  return Array.from({ length: blockCount + 1 }, (_, b) => Math.floor((b * periodCount) / blockCount));
}

export function measureOverfitting({ best, partners, below, equal }: SplitRanks, rowCount: number): Overfitting {
  let overfit = 0;
  let losses = 0;
  const logits = below.map((count, k) => {
    const rank = count + (equal[k] + 1) / 2;
    const logit = Math.log(rank / (rowCount + 1 - rank));
    if (logit <= 0) overfit++;
    if (partners[k] < 0) losses++;
    return logit;
  });
  return {
    splitCount: logits.length,
    pbo: overfit / logits.length,
    logits: percentileBands(logits),
    lossProbability: losses / logits.length,
    degradationSlope: slope(best, partners),
  };
}

function slope(x: Float64Array, y: Float64Array): number | null {
  let xSum = 0;
  let ySum = 0;
  for (let k = 0; k < x.length; k++) {
    xSum += x[k];
    ySum += y[k];
  }
  const xMean = xSum / x.length;
  const yMean = ySum / y.length;
  let squares = 0;
  let products = 0;
  for (let k = 0; k < x.length; k++) {
    squares += (x[k] - xMean) * (x[k] - xMean);
    products += (x[k] - xMean) * (y[k] - yMean);
  }
  return Math.sqrt(squares / x.length) < DEVIATION_MIN ? null : products / squares;
}
