import type { MetricName } from '../metrics/index.js';

/**
 * What may rank runs where the sweep itself chooses among them: more of it is better, and every run
 * has it in its row.
 */
export const rankingMetrics = [
  ...(['sharpe_ratio', 'sortino_ratio', 'calmar_ratio', 'gain_to_pain_ratio'] as const),
  ...(['total_return', 'irr_annualized', 'irr_daily', 'avg_daily_return', 'net_pnl', 'ending_balance'] as const),
  ...(['win_rate', 'expectancy'] as const),
] satisfies readonly MetricName[];
