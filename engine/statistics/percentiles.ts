/** Five percentiles of a distribution, in the unit of its values. */
export interface PercentileBands {
  readonly p5: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p95: number;
}

/**
 * Percentile `percent` lies at rank percent / 100 (n - 1) of the sorted values and is interpolated
 * linearly between the two values around it: type 7 of Hyndman and Fan 1996, the default of NumPy
 * and R. With a single value, every percentile is that value.
 *
 * @param values at least one; sorted in place
 */
export function percentileBands(values: Float64Array): PercentileBands {
  values.sort();
  return {
    p5: percentile(values, 5),
    p25: percentile(values, 25),
    p50: percentile(values, 50),
    p75: percentile(values, 75),
    p95: percentile(values, 95),
  };
}

function percentile(sorted: Float64Array, percent: number): number {
  const rank = (percent * (sorted.length - 1)) / 100; // one division: whole ranks stay whole
  const below = Math.floor(rank);
  const above = Math.ceil(rank);
  return sorted[below] + (rank - below) * (sorted[above] - sorted[below]);
}
