import { mustBe } from '../errors.js';
import { betterSide, type MetricName, metricNames } from '../metrics/index.js';
import { nearestName } from '../nearest.js';

/** How the runs of a sweep that traded are ranked. */
export interface Ranking {
  /** Its table says whether higher or lower is better. */
  readonly by: MetricName;
  /** Runs with fewer trades rank after all others. */
  readonly minTrades: number;
}

/** Trades that a leader needs by default: a few lucky ones are no evidence. */
export const MIN_TRADES = 30;
export const MIN_TRADES_MAX = 1_000_000;
export const defaultRanking: Ranking = { by: 'sharpe_ratio', minTrades: MIN_TRADES };

/** Metrics that the rows of sweeps do not have. */
const unstored: readonly MetricName[] = ['avg_win', 'avg_loss', 'total_slippage_cost'];

/** The metrics that can rank runs: one direction is better, and the row of every run has them. */
export const rankingMetrics = metricNames.filter((name) => betterSide(name) !== 'neither' && !unstored.includes(name));

export const isRankingMetric = (value: unknown): value is MetricName =>
  (rankingMetrics as readonly unknown[]).includes(value);

/** Message for a value that cannot rank runs. It names the metrics that can. */
export function notRankable(field: string, value: unknown): string {
  const message = mustBe(field, `one of ${rankingMetrics.join(', ')}`, value);
  if (typeof value !== 'string') return message;
  const metric = metricNames.find((name) => name === value);
  if (metric !== undefined) {
    const isNeutral = betterSide(metric) === 'neither';
    return `${message}, ${isNeutral ? 'of which neither more nor less is better' : 'which rows of sweeps do not have'}`;
  }
  const hint = nearestName(value, rankingMetrics);
  return hint === null ? message : `${message}, did you mean ${hint}?`;
}
