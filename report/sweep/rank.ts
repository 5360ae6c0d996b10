/*
 * The order of runs in the pictures of a sweep, for the page and its script. It is the order in
 * which the query ranked the best runs.
 */

/** Said of a run with too few trades to lead. */
export const TOO_FEW = ', with too few trades to lead';

interface Ranked {
  readonly values: Float64Array | Float32Array;
  readonly isLowBetter: boolean;
}

/**
 * Compares two runs that have the metric, the better one first: runs that may lead, then the better
 * value, then the earlier run.
 * @param isFew by run: 1 for one with too few trades to lead
 */
export const betterFirst =
  ({ values, isLowBetter }: Ranked, isFew: Uint8Array) =>
  (a: number, b: number): number => {
    // biome-ignore-start lint/style/noNonNullAssertion: a and b are indices of runs
    const [few, step] = [isFew[a]! - isFew[b]!, values[a]! - values[b]!];
    // biome-ignore-end lint/style/noNonNullAssertion: a and b are indices of runs
    return few || (isLowBetter ? step : -step) || a - b;
  };
