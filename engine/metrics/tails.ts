/**
 * A tail of 5 % holds one return in twenty. A division by 20 is exact where a product with 0.05 is
 * not.
 */
const TAIL_PARTS = 20;

/** Both tails of the returns per bar; NaN where there are no returns. */
export interface TailFacts {
  readonly lowQuantile: number;
  readonly highQuantile: number;
  /**
   * Mean of the worst twentieth of the returns; the return on its edge counts by the share that
   * falls inside.
   */
  readonly worstMean: number;
}

/**
 * Sorts `returns` in place. Quantiles lie at rank p (n - 1) and are interpolated linearly between
 * the two returns around it: type 7 of Hyndman and Fan, the default of NumPy and R.
 */
export function measureTails(returns: Float64Array): TailFacts {
  returns.sort();
  const count = returns.length;
  const size = count / TAIL_PARTS;
  const whole = Math.floor(size);
  let sum = (size - whole) * returns[whole];
  for (let k = 0; k < whole; k++) sum += returns[k];
  const rank = (count - 1) / TAIL_PARTS;
  return {
    lowQuantile: valueAt(returns, rank),
    highQuantile: valueAt(returns, count - 1 - rank),
    worstMean: sum / size,
  };
}

function valueAt(sorted: Float64Array, rank: number): number {
  const below = Math.floor(rank);
  const above = Math.ceil(rank);
  return sorted[below] + (rank - below) * (sorted[above] - sorted[below]);
}
