import { kernelsIn } from '../simd/kernels.js';
import type { SplitMix64 } from './random.js';

/**
 * Indices of one resample of the stationary bootstrap: Politis and Romano 1994. Blocks start
 * anywhere with equal probability, have geometric lengths and wrap around from the end to the
 * start. So the resample is stationary and keeps the dependence between neighbours. The generator
 * draws once for the first index, then once per index to decide whether a block starts, and once
 * more where it does.
 *
 * @param length of the series, 1 or more
 * @param meanBlock mean length of a block, 1 or more; 1 draws every index independently
 * @param out filled to its end with indices 0..length-1; where it lies in the memory of kernels, in
 *   a fifth of the time
 * @throws RangeError when the mean length is below 1 or not a number
 */
export function stationaryBootstrap(random: SplitMix64, length: number, meanBlock: number, out: Int32Array): void {
  if (!(meanBlock >= 1)) throw new RangeError(`meanBlock must be at least 1, was ${meanBlock}`);
  const startChance = 1 / meanBlock;
  const kernels = kernelsIn([out]);
  if (kernels !== null) {
    random.bits = kernels.drawBlocks(random.bits, length, startChance, out.length, out.byteOffset);
    return;
  }
  let index = 0;
  for (let k = 0; k < out.length; k++) {
    if (k === 0 || random.uniform() < startChance) index = random.below(length);
    else index = index + 1 === length ? 0 : index + 1;
    out[k] = index;
  }
}
