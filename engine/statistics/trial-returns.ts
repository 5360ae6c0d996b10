import { DEVIATION_MIN } from '../metrics/returns.js';

/**
 * Returns of the trials of a sweep: one row per trial, all over the same periods. Single precision
 * halves the memory; its rounding is far below the noise of any return.
 */
export interface TrialReturns {
  readonly rowCount: number;
  readonly periodCount: number;
  /** Fractions, row after row. */
  readonly values: Float32Array;
}

/** Rows `from` to `to` (exclusive). */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** Most periods of a row. Longer histories are summed over several days. */
const PERIODS_MAX = 256;

/** How the days of a window are joined to periods of equal length; the last may be shorter. */
interface ReturnPeriods {
  readonly count: number;
  readonly daysEach: number;
}

export function returnPeriods(dayCount: number): ReturnPeriods {
  const daysEach = Math.max(1, Math.ceil(dayCount / PERIODS_MAX));
  return { count: Math.ceil(dayCount / daysEach), daysEach };
}

/** Sums daily returns by period. @param out one value per period */
export function sumByPeriod(daily: Float64Array, { count, daysEach }: ReturnPeriods, out: Float32Array): void {
  for (let period = 0; period < count; period++) {
    let sum = 0;
    const end = Math.min(daily.length, (period + 1) * daysEach);
    for (let day = period * daysEach; day < end; day++) sum += daily[day];
    out[period] = sum;
  }
}

export const trialRow = ({ periodCount, values }: TrialReturns, row: number): Float32Array =>
  values.subarray(row * periodCount, (row + 1) * periodCount);

/**
 * The t-value of a trial by its daily returns, as `testBestOfMany` has it from its row: mean over
 * the standard error of independent returns, by period. 0 where they never differ.
 */
export function tValue(daily: Float64Array): number {
  const periods = returnPeriods(daily.length);
  const { count } = periods;
  const sums = new Float32Array(count);
  sumByPeriod(daily, periods, sums);
  const mean = sums.reduce((sum, one) => sum + one, 0) / count;
  const deviation = Math.sqrt(sums.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (count - 1));
  return deviation >= DEVIATION_MIN ? (mean / deviation) * Math.sqrt(count) : 0;
}
