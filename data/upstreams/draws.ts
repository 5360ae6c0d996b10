import { inverseNormalCdf, SplitMix64 } from '../../engine/statistics/index.js';
import { sha256 } from '../hashes/index.js';

/** Half a step of a uniform draw: keeps the draw above 0. */
const HALF_STEP = 2 ** -54;

/**
 * Random numbers for generated data. The seed is the hash of what the numbers are for, so the same
 * thing gets the same numbers on every draw.
 */
export class Draws {
  readonly #random: SplitMix64;

  constructor(...what: readonly (string | number)[]) {
    this.#random = new SplitMix64(BigInt(`0x${sha256(what.join('\n')).slice(0, 16)}`));
  }

  /** Uniform in [0, 1). */
  uniform(): number {
    return this.#random.uniform();
  }

  /** A whole number of 0..n-1. */
  below(n: number): number {
    return this.#random.below(n);
  }

  /** One of the items of a list that is not empty. */
  pick<T>(items: readonly T[]): T {
    // biome-ignore lint/style/noNonNullAssertion: the index is below the length
    return items[this.below(items.length)]!;
  }

  /** Standard normal. */
  normal(): number {
    return inverseNormalCdf(this.uniform() + HALF_STEP);
  }

  /** Log-normal: half of the values lie below the median; `spread` is the deviation of the log. */
  around(median: number, spread: number): number {
    return median * Math.exp(spread * this.normal());
  }
}
