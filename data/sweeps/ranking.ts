import { betterOf, type Ranking } from '../../engine/index.js';

/** SQL condition for the runs that can be ranked: those that traded. */
export const hasTraded = "status = 'ok'";

/** SQL condition for the runs that may lead. */
export const mayLead = ({ minTrades }: Ranking): string => `total_trades >= ${minTrades}`;

/**
 * The terms of ORDER BY that put the best run first: runs that may lead, then the metric in the
 * direction of its table, null and NaN last, ties by run number.
 */
export function bestFirst(ranking: Ranking): string {
  const { by } = ranking;
  const value = `nullif(CAST(${by} AS DOUBLE), CAST('NaN' AS DOUBLE))`;
  const direction = betterOf(by) === 'lower' ? 'ASC' : 'DESC';
  return `${mayLead(ranking)} DESC, ${value} ${direction} NULLS LAST, experiment_id, run_index`;
}

/**
 * Narrows `results` in a query to runs that can be ranked together. Of a walk-forward sweep these
 * are the runs of the newest training window in which a run traded.
 */
export const amongRankable = (sql: string): string => `
  WITH results AS (
    SELECT * FROM temp.results WHERE ${hasTraded} AND (experiment_id, asset, timeframe, end_date) IN (
      SELECT (experiment_id, asset, timeframe, max(end_date)) FROM temp.results WHERE ${hasTraded}
      GROUP BY experiment_id, asset, timeframe
    )
  ) ${sql}`;
