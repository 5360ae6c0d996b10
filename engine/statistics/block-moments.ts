import { rowOf, type TrialReturns } from './trial-returns.js';

/**
 * Moments of the returns in every union of a few blocks, for every row of a matrix. Union `u` holds
 * block `b` when bit `b` of `u` is set; its row `i` is at `u * rowCount + i`.
 */
export interface UnionMoments {
  /** Number of returns per union; the same for all rows. */
  readonly counts: Float64Array;
  readonly means: Float64Array;
  /** Sums of squared deviations from the mean. */
  readonly squares: Float64Array;
}

/**
 * Each union is joined from one block and a smaller union by the rule of Chan, Golub and LeVeque
 * 1983. Nothing is ever subtracted, so returns that are equal in two blocks have no deviation in
 * their union.
 *
 * @param edges first period of each block, and the end of the last; every block holds at least one
 *   period
 */
export function unionMoments(trials: TrialReturns, edges: readonly number[]): UnionMoments {
  const { rowCount } = trials;
  const unionCount = 2 ** (edges.length - 1);
  const counts = new Float64Array(unionCount);
  const means = new Float64Array(unionCount * rowCount);
  const squares = new Float64Array(unionCount * rowCount);
  for (let block = 0; block < edges.length - 1; block++) {
    const single = 1 << block;
    counts[single] = edges[block + 1] - edges[block];
    for (let i = 0; i < rowCount; i++) {
      const at = single * rowCount + i;
      const row = rowOf(trials, i);
      means[at] = meanOf(row, edges[block], edges[block + 1]);
      squares[at] = squaresOf(row, edges[block], edges[block + 1], means[at]);
    }
    for (let rest = 1; rest < single; rest++) {
      const union = single | rest;
      counts[union] = counts[single] + counts[rest];
      const share = counts[rest] / counts[union];
      const weight = counts[single] * share;
      for (let i = 0; i < rowCount; i++) {
        const one = single * rowCount + i;
        const other = rest * rowCount + i;
        const gap = means[other] - means[one];
        means[union * rowCount + i] = means[one] + gap * share;
        squares[union * rowCount + i] = squares[one] + squares[other] + gap * gap * weight;
      }
    }
  }
  return { counts, means, squares };
}

function meanOf(row: Float32Array, from: number, to: number): number {
  let sum = 0;
  for (let t = from; t < to; t++) sum += row[t];
  return sum / (to - from);
}

function squaresOf(row: Float32Array, from: number, to: number, mean: number): number {
  let squares = 0;
  for (let t = from; t < to; t++) squares += (row[t] - mean) * (row[t] - mean);
  return squares;
}
