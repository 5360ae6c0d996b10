import type { SplitMix64 } from './random.js';
import { stationaryBootstrap } from './stationary-bootstrap.js';
import { requireEqualLengths } from './trials.js';

/** Runs of consecutive periods held at a time, 8 MB: a batch has as many resamples as fit. */
const RUNS_MAX = 2 ** 20;

export interface RealityCheckOptions {
  readonly random: SplitMix64;
  /**
   * Mean block length of the bootstrap, periods: about as long as a return depends on earlier ones.
   */
  readonly meanBlock: number;
  /** 1000 when left out. */
  readonly resampleCount?: number;
  /** Return per period that the strategies must beat; 0 when left out. */
  readonly benchmark?: Float64Array;
}

export interface RealityCheck {
  /** Row of the strategy with the highest mean excess return, the first among equals. */
  readonly best: number;
  /** Mean return per period over the benchmark. */
  readonly bestMeanExcess: number;
  /** Probability of a best as good as this when no strategy beats the benchmark. */
  readonly pValue: number;
}

/**
 * White's reality check, "A reality check for data snooping" (2000), for mean excess returns: does
 * the best of several strategies beat the benchmark by more than luck would give the best of that
 * many? From its mean in a resample each strategy subtracts its mean in the data. The p-value is
 * the share of resamples in which the largest difference is at least the largest mean of the data
 * (both times the root of the periods, which cancels). All strategies share the periods of a
 * resample. Strategies that never differ from the benchmark have p-value 1.
 *
 * Cost follows strategies times resamples times blocks, because the returns of a block are summed
 * by one subtraction.
 *
 * @param returns finite, one row per strategy, all of the same periods
 * @returns null without strategies or with fewer than two periods
 * @throws RangeError when rows or benchmark differ in length, or a count or block length is below 1
 */
export function realityCheck(returns: readonly Float64Array[], options: RealityCheckOptions): RealityCheck | null {
  const { random, meanBlock, resampleCount = 1000, benchmark } = options;
  if (!(Number.isInteger(resampleCount) && resampleCount >= 1)) {
    throw new RangeError(`resampleCount must be a whole number of at least 1, was ${resampleCount}`);
  }
  const periodCount = requireEqualLengths(benchmark === undefined ? returns : [benchmark, ...returns]);
  if (returns.length === 0 || periodCount < 2) return null;

  const means = returns.map((row) => meanExcess(row, benchmark));
  let best = 0;
  for (let i = 1; i < means.length; i++) {
    if (means[i] > means[best]) best = i;
  }

  const resamples = new Resamples(random, periodCount, meanBlock);
  const prefix = new Float64Array(periodCount + 1);
  let asGood = 0;
  for (let left = resampleCount; left > 0; ) {
    const batch = resamples.draw(left);
    left -= batch;
    const maxima = new Float64Array(batch).fill(-Infinity);
    for (let i = 0; i < returns.length; i++) {
      sumDeviations(returns[i], benchmark, means[i], prefix);
      resamples.raiseToMeans(prefix, maxima);
    }
    for (const maximum of maxima) {
      if (maximum >= means[best]) asGood++;
    }
  }
  return { best, bestMeanExcess: means[best], pValue: asGood / resampleCount };
}

function meanExcess(row: Float64Array, benchmark: Float64Array | undefined): number {
  let sum = 0;
  for (let t = 0; t < row.length; t++) sum += row[t] - (benchmark === undefined ? 0 : benchmark[t]);
  return sum / row.length;
}

/**
 * Running sums of the excess returns less their mean. Centring keeps the sums small, so they keep
 * their digits.
 */
function sumDeviations(row: Float64Array, benchmark: Float64Array | undefined, mean: number, out: Float64Array): void {
  let sum = 0;
  for (let t = 0; t < row.length; t++) {
    sum += row[t] - (benchmark === undefined ? 0 : benchmark[t]) - mean;
    out[t + 1] = sum;
  }
}

/** Resamples as runs of consecutive periods, each stored as its first period and its end. */
class Resamples {
  readonly #random: SplitMix64;
  readonly #meanBlock: number;
  readonly #indices: Int32Array;
  readonly #runs: Int32Array;
  /** End of each resample in `#runs`. */
  #ends: number[] = [];

  constructor(random: SplitMix64, periodCount: number, meanBlock: number) {
    this.#random = random;
    this.#meanBlock = meanBlock;
    this.#indices = new Int32Array(periodCount);
    this.#runs = new Int32Array(2 * Math.max(RUNS_MAX, periodCount));
  }

  /**
   * Replaces the resamples by new ones, as many as fit, at least 1 and at most `countMax`.
   *
   * @returns their number
   */
  draw(countMax: number): number {
    this.#ends = [];
    let at = 0;
    while (this.#ends.length < countMax && at + 2 * this.#indices.length <= this.#runs.length) {
      at = this.#drawOne(at);
      this.#ends.push(at);
    }
    return this.#ends.length;
  }

  #drawOne(start: number): number {
    const indices = this.#indices;
    stationaryBootstrap(this.#random, indices.length, this.#meanBlock, indices);
    let at = start;
    for (let from = 0; from < indices.length; ) {
      let to = from + 1;
      while (to < indices.length && indices[to] === indices[to - 1] + 1) to++;
      this.#runs[at++] = indices[from];
      this.#runs[at++] = indices[to - 1] + 1;
      from = to;
    }
    return at;
  }

  /** Raises the maximum of each resample to its mean of the series with these running sums. */
  raiseToMeans(prefix: Float64Array, maxima: Float64Array): void {
    const runs = this.#runs;
    let at = 0;
    for (let k = 0; k < maxima.length; k++) {
      const end = this.#ends[k];
      let sum = 0;
      for (; at < end; at += 2) sum += prefix[runs[at + 1]] - prefix[runs[at]];
      const mean = sum / this.#indices.length;
      if (mean > maxima[k]) maxima[k] = mean;
    }
  }
}
