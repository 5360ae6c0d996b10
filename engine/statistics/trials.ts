import { DEVIATION_MIN } from '../metrics/returns.js';

/** How many independent trials a set of related ones is worth. */
export interface EffectiveTrials {
  /** Trials whose returns vary; the other trials do not count anywhere here. */
  readonly trialCount: number;
  /** Average correlation over all pairs of them; null with fewer than two. */
  readonly meanCorrelation: number | null;
  /** From 1 to `trialCount`, usually a fraction; 0 when no trial varies. */
  readonly effectiveCount: number;
}

/**
 * Effective number of trials r + (1 - r) N, where r is the average pairwise correlation of their
 * returns: Bailey and López de Prado 2014, "The deflated Sharpe ratio", appendix A.3. A negative
 * average would make more trials than there are; the result is then N.
 *
 * The average is found without visiting pairs: the sum of N standardized series has the variance N
 * + N (N - 1) r. So the cost follows the returns, with one column of extra memory.
 *
 * @param returns one row per trial, all of the same periods
 * @throws RangeError when the rows differ in length
 */
export function effectiveTrials(returns: readonly Float64Array[]): EffectiveTrials {
  const periodCount = requireEqualLengths(returns);
  const sums = new Float64Array(periodCount);
  let trialCount = 0;
  for (const row of returns) {
    if (addStandardized(row, sums)) trialCount++;
  }
  if (trialCount < 2) return { trialCount, meanCorrelation: null, effectiveCount: trialCount };
  let squares = 0;
  for (const sum of sums) squares += sum * sum;
  const meanCorrelation = (squares / periodCount - trialCount) / (trialCount * (trialCount - 1));
  const effective = meanCorrelation + (1 - meanCorrelation) * trialCount;
  return { trialCount, meanCorrelation, effectiveCount: Math.min(Math.max(effective, 1), trialCount) };
}

/** The common length of all rows; 0 without rows. */
export function requireEqualLengths(rows: readonly Float64Array[]): number {
  const length = rows.length === 0 ? 0 : rows[0].length;
  for (let k = 0; k < rows.length; k++) {
    if (rows[k].length !== length) {
      throw new RangeError(`all rows must have ${length} returns as row 0 has, row ${k} has ${rows[k].length}`);
    }
  }
  return length;
}

/**
 * Adds the row, less its mean and over its standard deviation, to the sums; false when the row has
 * no deviation.
 */
function addStandardized(row: Float64Array, sums: Float64Array): boolean {
  let sum = 0;
  for (const value of row) sum += value;
  const mean = sum / row.length;
  let squares = 0;
  for (const value of row) squares += (value - mean) * (value - mean);
  const deviation = Math.sqrt(squares / row.length);
  if (!(deviation >= DEVIATION_MIN)) return false;
  for (let t = 0; t < row.length; t++) sums[t] += (row[t] - mean) / deviation;
  return true;
}
