import type { MetricName } from '../metrics/index.js';

/**
 * The metrics by which a sweep itself may choose among its runs: higher is better, and the row of
 * every run has them.
 */
export const rankingMetrics = [
  ...(['sharpe_ratio', 'sortino_ratio', 'calmar_ratio', 'gain_to_pain_ratio'] as const),
  ...(['total_return', 'irr_annualized', 'irr_daily', 'avg_daily_return', 'net_pnl', 'ending_balance'] as const),
  ...(['win_rate', 'expectancy'] as const),
] satisfies readonly MetricName[];
