import { DEVIATION_MIN } from '../metrics/returns.js';
import { type UnionMoments, unionMoments } from './block-moments.js';
import { type PercentileBands, percentileBands } from './percentiles.js';
import type { TrialReturns } from './trial-returns.js';

/** 12870 splits; every two more blocks make about four times as many. */
const BLOCKS_MAX = 16;
/** 924 splits, for more trials than this: time and memory follow trials times splits. */
const BLOCKS_OF_MANY = 12;
const MANY = 20_000;

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
 * eight blocks.
 *
 * @param blockCount even, 2 to 16; by default 16, or 12 with more than 20,000 configurations
 * @returns null with fewer than two configurations or fewer periods than blocks
 * @throws RangeError when the block count is out of bounds
 */
export function backtestOverfitting(
  trials: TrialReturns,
  blockCount = trials.rowCount > MANY ? BLOCKS_OF_MANY : BLOCKS_MAX,
): Overfitting | null {
  if (!(blockCount >= 2 && blockCount <= BLOCKS_MAX && blockCount % 2 === 0)) {
    throw new RangeError(`blockCount must be an even number from 2 to ${BLOCKS_MAX}, was ${blockCount}`);
  }
  const { rowCount, periodCount } = trials;
  if (rowCount < 2 || periodCount < blockCount) return null;

  const edges = Array.from({ length: blockCount + 1 }, (_, b) => Math.floor((b * periodCount) / blockCount));
  const early = unionMoments(trials, edges.slice(0, blockCount / 2 + 1));
  const late = unionMoments(trials, edges.slice(blockCount / 2));
  const halves = halvesOf(blockCount);
  const splits = allocateSplits(2 * halves.length);
  const half = new Float64Array(rowCount);
  const rest = new Float64Array(rowCount);
  const all = 2 ** (blockCount / 2) - 1;
  let split = 0;
  for (const [inEarly, inLate] of halves) {
    measureSharpe(early, inEarly, late, inLate, half);
    measureSharpe(early, all ^ inEarly, late, all ^ inLate, rest);
    recordSplit(splits, split++, half, rest);
    recordSplit(splits, split++, rest, half);
  }
  return summarize(splits);
}

/**
 * Every choice of half the blocks that contains the first block, as bits of the early and of the
 * late blocks. The other choices are the complements of these.
 */
function halvesOf(blockCount: number): (readonly [early: number, late: number])[] {
  const halves: (readonly [number, number])[] = [];
  const sideBits = blockCount / 2;
  for (let mask = 1; mask < 2 ** blockCount; mask += 2) {
    if (bitCount(mask) === sideBits) halves.push([mask & (2 ** sideBits - 1), mask >> sideBits]);
  }
  return halves;
}

function bitCount(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** Sharpe ratio of every row over the blocks of both unions. */
function measureSharpe(one: UnionMoments, first: number, other: UnionMoments, second: number, out: Float64Array): void {
  const rowCount = out.length;
  const count = one.counts[first] + other.counts[second];
  const share = other.counts[second] / count;
  const weight = one.counts[first] * share;
  const scale = 1 / Math.max(1, count - 1);
  const firstAt = first * rowCount;
  const secondAt = second * rowCount;
  for (let i = 0; i < rowCount; i++) {
    const gap = other.means[secondAt + i] - one.means[firstAt + i];
    const mean = one.means[firstAt + i] + gap * share;
    const squares = one.squares[firstAt + i] + other.squares[secondAt + i] + gap * gap * weight;
    const deviation = Math.sqrt(squares * scale);
    out[i] = deviation < DEVIATION_MIN ? 0 : mean / deviation;
  }
}

/**
 * Per split: performance of the in-sample best in both halves, and the logit of its rank out of
 * sample.
 */
interface Splits {
  readonly inSample: Float64Array;
  readonly outOfSample: Float64Array;
  readonly logits: Float64Array;
}

const allocateSplits = (count: number): Splits => ({
  inSample: new Float64Array(count),
  outOfSample: new Float64Array(count),
  logits: new Float64Array(count),
});

function recordSplit(splits: Splits, split: number, inSample: Float64Array, outOfSample: Float64Array): void {
  let best = 0;
  for (let i = 1; i < inSample.length; i++) {
    if (inSample[i] > inSample[best]) best = i;
  }
  const value = outOfSample[best];
  let below = 0;
  let equal = 0; // itself included
  for (let i = 0; i < outOfSample.length; i++) {
    if (outOfSample[i] < value) below++;
    else if (outOfSample[i] === value) equal++;
  }
  const rank = below + (equal + 1) / 2;
  splits.inSample[split] = inSample[best];
  splits.outOfSample[split] = value;
  splits.logits[split] = Math.log(rank / (outOfSample.length + 1 - rank));
}

function summarize({ inSample, outOfSample, logits }: Splits): Overfitting {
  const splitCount = logits.length;
  let overfit = 0;
  let losses = 0;
  for (let k = 0; k < splitCount; k++) {
    if (logits[k] <= 0) overfit++;
    if (outOfSample[k] < 0) losses++;
  }
  return {
    splitCount,
    pbo: overfit / splitCount,
    logits: percentileBands(logits),
    lossProbability: losses / splitCount,
    degradationSlope: slopeOf(inSample, outOfSample),
  };
}

function slopeOf(x: Float64Array, y: Float64Array): number | null {
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
