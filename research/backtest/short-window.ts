import type { Metrics } from '../../engine/metrics/index.js';

/** A quarter: below it a figure of a year says more about the days than about the strategy. */
const DAYS_MIN = 90;
const DAYS_OF_YEAR = 365;
/** Of a standard normal, two-sided. */
const NORMAL_95 = 1.959963984540054;

/**
 * The caution that figures of a year made of days need; null where the window is long enough or
 * nothing was traded. Without skill the Sharpe ratio of T years has a standard error of about
 * 1 / sqrt(T) (Lo 2002, "The Statistics of Sharpe Ratios").
 */
export function shortWindowCaution({
  num_days,
  total_trades,
}: Pick<Metrics, 'num_days' | 'total_trades'>): string | null {
  if (num_days >= DAYS_MIN || total_trades === 0) return null;
  const luck = NORMAL_95 * Math.sqrt(DAYS_OF_YEAR / Math.max(1, num_days));
  const days = num_days < 1 ? 'less than a day' : num_days === 1 ? '1 day' : `${num_days} days`;
  return (
    `figures of a year (growth, Sharpe, Sortino, Calmar, alpha) come from ${days} here and say little below ` +
    `${DAYS_MIN} days: without any skill the Sharpe ratio lies between -${luck.toFixed(1)} and ${luck.toFixed(1)} in 95 % of such windows`
  );
}
