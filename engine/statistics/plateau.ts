/**
 * A point of a parameter grid beside its direct neighbours: is it part of a plateau or an isolated
 * peak?
 */
export interface Plateau {
  /** Index in the grid, the last axis fastest. */
  readonly point: number;
  /** Metric of the point itself; null where it is missing. */
  readonly value: number | null;
  /** Neighbours that have a value: up to two per axis. */
  readonly neighbourCount: number;
  /** The plateau score: mean metric of those neighbours; null without neighbours. */
  readonly neighbourMean: number | null;
  /**
   * Value less the mean of its neighbours: 0 on a plateau, above 0 on a peak; null when either is
   * null.
   */
  readonly difference: number | null;
  /**
   * Mean of the neighbours over the value: 1 on a plateau, below 1 on a peak; null where the value
   * is not above 0.
   */
  readonly ratio: number | null;
}

/**
 * Direct neighbours are one step away along one axis. Points at the edge have fewer, and those
 * whose metric is missing are left out.
 *
 * @param axisSizes number of values per axis, the last axis fastest
 * @param metric one per point of the grid, higher is better; NaN or infinite where missing
 * @throws RangeError when the metric does not fit the axes or the point is outside
 */
export function plateauAt(axisSizes: readonly number[], metric: Float64Array, point: number): Plateau {
  requireGrid(axisSizes, metric);
  if (!(Number.isInteger(point) && point >= 0 && point < metric.length)) {
    throw new RangeError(`point must be 0..${metric.length - 1}, was ${point}`);
  }
  let sum = 0;
  let neighbourCount = 0;
  let stride = 1;
  for (let axis = axisSizes.length - 1; axis >= 0; axis--) {
    const step = Math.floor(point / stride) % axisSizes[axis];
    for (const side of [-1, 1]) {
      const isInside = step + side >= 0 && step + side < axisSizes[axis];
      const value = isInside ? metric[point + side * stride] : NaN;
      if (!Number.isFinite(value)) continue;
      sum += value;
      neighbourCount++;
    }
    stride *= axisSizes[axis];
  }
  const value = Number.isFinite(metric[point]) ? metric[point] : null;
  const neighbourMean = neighbourCount === 0 ? null : sum / neighbourCount;
  const isKnown = value !== null && neighbourMean !== null;
  return {
    point,
    value,
    neighbourCount,
    neighbourMean,
    difference: isKnown ? value - neighbourMean : null,
    ratio: isKnown && value > 0 ? neighbourMean / value : null,
  };
}

/**
 * The point with the best neighbours: the highest plateau score among the points that have a value
 * and a neighbour. Of equal scores the higher value wins, then the lower index. Null when there is
 * no such point.
 *
 * @throws RangeError when the metric does not fit the axes
 */
export function bestPlateau(axisSizes: readonly number[], metric: Float64Array): Plateau | null {
  requireGrid(axisSizes, metric);
  let best: Plateau | null = null;
  for (let point = 0; point < metric.length; point++) {
    const plateau = plateauAt(axisSizes, metric, point);
    if (plateau.value === null || plateau.neighbourMean === null) continue;
    if (best === null || isBetter(plateau, best)) best = plateau;
  }
  return best;
}

/** Both plateaus must have a value and a neighbour. */
const isBetter = (one: Plateau, other: Plateau): boolean =>
  // biome-ignore lint/style/noNonNullAssertion: only places with a value are ranked
  one.neighbourMean === other.neighbourMean ? one.value! > other.value! : one.neighbourMean! > other.neighbourMean!;

function requireGrid(axisSizes: readonly number[], metric: Float64Array): void {
  const size = axisSizes.reduce((product, count) => product * count, 1);
  if (size !== metric.length || axisSizes.some((count) => !(Number.isInteger(count) && count >= 0))) {
    throw new RangeError(
      `axes of ${axisSizes.join(' x ')} values have ${size} points, the metric has ${metric.length}`,
    );
  }
}
