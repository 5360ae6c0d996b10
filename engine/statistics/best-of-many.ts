import { DEVIATION_MIN } from '../metrics/returns.js';
import { kernelsIn } from '../simd/kernels.js';
import { type BestOfMany, joinMaxima, judgeMaxima, Maxima, type MaximaPart, shareAtLeast } from './lucky-maxima.js';
import type { SplitMix64 } from './random.js';
import { Resamples } from './resample-means.js';
import { sharedMemory } from './shared-memory.js';
import { type RowRange, type TrialReturns, trialRow } from './trial-returns.js';

export const RESAMPLES = 1_000;

interface BestOfManyOptions {
  readonly random: SplitMix64;
  /**
   * Mean block length of the bootstrap, periods: about as long as a return depends on earlier ones.
   */
  readonly meanBlock: number;
  /** 1000 when left out. */
  readonly resampleCount?: number;
  /** Returns of the market over the same periods. */
  readonly market?: Float64Array;
  /** What `random` would draw, kept by the caller. */
  readonly resamples?: Resamples;
}

export interface BestOfManyTests {
  /** Against a return of 0. */
  readonly own: BestOfMany;
  /**
   * Against the part that the market explains: the returns less beta times the market's returns.
   */
  readonly beyondMarket: BestOfMany | null;
}

/**
 * Tests whether the best of many trials is better than the best of as many trials without skill.
 * All of them share the periods of a resample, so related trials count as what they are.
 *
 * - White 2000, "A reality check for data snooping".
 * - Hansen 2005, "A test for superior predictive ability": t-values instead of means, and trials
 *   far below 0 do not dilute the test (its consistent p-value, with the threshold sqrt(2 log log
 *   n)).
 * - Romano and Wolf 2005, "Stepwise multiple testing as formalized data snooping": after the best
 *   trial, the second is compared with the best of the others, and so on.
 *
 * A t-value divides by the standard error of independent returns; that returns depend on each other
 * shows in the resamples, which keep blocks of them together. An error that allows for it in each
 * trial would be so noisy that the best of thousands is one whose error came out too small:
 * measured, 11 to 28 % of sweeps without skill pass at 5 %. Cost follows trials times periods times
 * resamples; memory hardly grows with the trials.
 *
 * @returns null without trials or with fewer than two periods
 * @throws RangeError when a count or the block length is below 1
 */
export function testBestOfMany(trials: TrialReturns, options: BestOfManyOptions): BestOfManyTests | null {
  return isTestable(trials) ? joinLuck([luckPart(trials, options)]) : null;
}

export const isTestable = ({ rowCount, periodCount }: TrialReturns): boolean => rowCount > 0 && periodCount >= 2;

/** What `joinLuck` needs of a range of the trials. */
export interface LuckPart {
  readonly own: MaximaPart;
  readonly beyondMarket: MaximaPart | null;
}

/** @param options with a generator in the same state for every range */
export function luckPart(
  trials: TrialReturns,
  options: BestOfManyOptions,
  { from, to }: RowRange = { from: 0, to: trials.rowCount },
): LuckPart {
  const { random, meanBlock, resampleCount = RESAMPLES, market } = options;
  const { periodCount, values } = trials;
  const drawn = options.resamples === undefined ? new Resamples(random, resampleCount, periodCount, meanBlock) : null;
  // biome-ignore lint/style/noNonNullAssertion: one of the two is there
  const resamples = options.resamples ?? drawn!;
  const maxima = () => new Maxima(from, to - from, periodCount, resampleCount, meanBlock);
  const own = maxima();
  const beyond = market === undefined ? null : maxima();
  const each = 2 * Math.ceil(resampleCount / 2); // the kernels take an even number
  const room = sharedMemory().allocate(2 * each);
  const kernels = kernelsIn([room]);
  if (kernels === null) throw new Error('the kernels reach their own memory');
  const excess = room.subarray(0, resampleCount);
  const marketMeans = room.subarray(each, each + resampleCount);
  try {
    const marketMean = market === undefined ? 0 : meanOf(market);
    const moves = market?.map((one) => one - marketMean) ?? null;
    const squares = moves?.reduce((sum, move) => sum + move * move, 0) ?? 0;
    if (market !== undefined) resamples.forEachRow(Float32Array.from(market), (_, means) => marketMeans.set(means));
    resamples.forEachRow(values.subarray(from * periodCount, to * periodCount), (place, means) => {
      const row = from + place;
      const { mean, deviation, beta, residual } = line(trialRow(trials, row), moves, squares);
      own.add(row, mean, deviation, means);
      if (beyond === null) return;
      kernels.combine(1, means.byteOffset, -beta, marketMeans.byteOffset, resampleCount, excess.byteOffset);
      beyond.add(row, mean - beta * marketMean, residual, excess);
    });
    return { own: own.part(), beyondMarket: beyond?.part() ?? null };
  } finally {
    for (const held of [drawn, own, beyond]) held?.release();
    sharedMemory().free(room);
  }
}

/** The tests from the parts of adjoining ranges, in their order. */
export function joinLuck(parts: readonly LuckPart[]): BestOfManyTests {
  const beyond = parts.map(({ beyondMarket }) => beyondMarket).filter((part) => part !== null);
  return {
    own: judgeMaxima(joinMaxima(parts.map(({ own }) => own))),
    beyondMarket: beyond.length === 0 ? null : judgeMaxima(joinMaxima(beyond)),
  };
}

function meanOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let k = 0; k < values.length; k++) sum += values[k];
  return sum / values.length;
}

interface Line {
  readonly mean: number;
  /** Standard deviation of the returns, and of what remains of them beyond the market. */
  readonly deviation: number;
  readonly residual: number;
  /** Slope on the returns of the market; 0 where the market never moves. */
  readonly beta: number;
}

/**
 * The least-squares line of returns on the market's returns.
 * @param moves returns of the market less their mean, and `squares` the sum of their squares
 */
function line(returns: Float32Array, moves: Float64Array | null, squares: number): Line {
  const mean = meanOf(returns);
  let variance = 0;
  let products = 0;
  for (let k = 0; k < returns.length; k++) {
    const deviation = returns[k] - mean;
    variance += deviation * deviation;
    if (moves !== null) products += deviation * moves[k];
  }
  const beta = Math.sqrt(squares / returns.length) < DEVIATION_MIN ? 0 : products / squares;
  const perPeriod = (sum: number) => Math.sqrt(Math.max(0, sum) / (returns.length - 1));
  return { mean, deviation: perPeriod(variance), beta, residual: perPeriod(variance - beta * products) };
}

/** Probability that the best of trials without skill has a t-value of at least `t`. */
export const luckyShare = ({ luckyTs }: BestOfMany, t: number): number => shareAtLeast(luckyTs, t);

/** t-value that the best of trials without skill has on average. */
export const luckyT = ({ luckyTs }: BestOfMany): number => meanOf(luckyTs);
