import { inverseNormalCdf } from './normal.js';

/** True annual Sharpe ratios that a search finds, each with its probability. */
export interface FindableEdge {
  /** Found in half of searches, and in nine of ten. */
  readonly half: number;
  readonly most: number;
}

const MOST = 0.9;

/**
 * What edge the best of so many unrelated trials must truly have to pass at `level`: its t-value,
 * normal with a deviation of 1, must be one that luck's best of as many reaches with that
 * probability. Related trials are fewer, so they find less of an edge too.
 *
 * @param trials 1 or more
 * @param years above 0
 */
export function findableEdge(trials: number, years: number, level: number): FindableEdge {
  const needed = -inverseNormalCdf(-Math.expm1(Math.log1p(-level) / trials));
  const perYear = 1 / Math.sqrt(years);
  return { half: needed * perYear, most: (needed + inverseNormalCdf(MOST)) * perYear };
}
