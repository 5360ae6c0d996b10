import type { SplitMix64 } from './random.js';

/**
 * Indices of one resample of the stationary bootstrap: Politis and Romano 1994. Blocks start
 * anywhere with equal chance, have geometric lengths and run on from the end to the start, so that
 * what follows what is kept where it matters and the resample is stationary. One draw for the first
 * index; then one per index for whether a block starts, and one more where it does.
 *
 * @param length of the series, 1 or more
 * @param meanBlock mean length of a block, 1 or more; 1 draws every index for itself
 * @param out filled with indices 0..length-1; as many as it holds
 * @throws RangeError when the mean length is below 1 or not a number
 */
export function stationaryBootstrap(random: SplitMix64, length: number, meanBlock: number, out: Int32Array): void {
  if (!(meanBlock >= 1)) throw new RangeError(`meanBlock must be at least 1, was ${meanBlock}`);
  const startChance = 1 / meanBlock;
  let index = 0;
  for (let k = 0; k < out.length; k++) {
    if (k === 0 || random.uniform() < startChance) index = random.below(length);
    else index = index + 1 === length ? 0 : index + 1;
    out[k] = index;
  }
}
