import { betterSide, type MetricName, ratioDenominator } from '../../engine/metrics/index.js';
import type { Ranking } from '../../engine/sweep/index.js';

/** SQL condition for the runs that can be ranked: a run must have traded. */
export const hasTraded = "status = 'ok'";

/** SQL condition for the runs that may lead. */
export const mayLead = ({ minTrades }: Ranking): string => `total_trades >= ${minTrades}`;

const number = (column: string): string => `nullif(CAST(${column} AS DOUBLE), CAST('NaN' AS DOUBLE))`;

/** SQL of a metric whose denominator a run may lack: one value where it does, another where not. */
function byDenominator(name: MetricName, lacking: (gain: string) => string): string {
  const denominator = ratioDenominator(name);
  if (denominator === null) return number(name);
  const { gain, risk = name } = denominator;
  const lacks = [name, risk].map((column) => `coalesce(${number(column)}, 0) = 0`).join(' AND ');
  return `CASE WHEN ${lacks} AND ${gain} >= 0 THEN ${lacking(gain)} ELSE ${number(name)} END`;
}

const UNBOUNDED = "CAST('Infinity' AS DOUBLE)";

/** SQL of `rankingValue`. */
const rankedValue = (name: MetricName): string =>
  byDenominator(name, (gain) => `CASE WHEN ${gain} > 0 THEN ${UNBOUNDED} END`);

/** SQL of the value of `stated`: the metric of a run that traded, null for a ratio without denominator. */
export const statedColumn = (name: MetricName): string => `(${byDenominator(name, () => 'NULL')})`;

/**
 * The terms of ORDER BY that put the best run first: runs that may lead, then the metric in the
 * direction of its table, null and NaN last, ties by run number. Of ratios above any number the
 * larger gain is the better.
 */
export function bestFirst(ranking: Ranking): string {
  const { by } = ranking;
  const direction = betterSide(by) === 'lower' ? 'ASC' : 'DESC';
  const gain = byDenominator(by, (column) => column);
  const ties = ratioDenominator(by) === null ? '' : `${gain} DESC NULLS LAST, `;
  return `${mayLead(ranking)} DESC, ${rankedValue(by)} ${direction} NULLS LAST, ${ties}experiment_id, run_index`;
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
