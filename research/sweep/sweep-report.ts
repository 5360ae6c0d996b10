import { amongRankable, bestFirst, openSweepFolder, queryResults, sqlText } from '../../data/sweeps/index.js';
import { type Honesty, type MetricName, MIN_TRADES } from '../../engine/index.js';
import type { SheetCounts, SheetDataset, SheetRun, SweepSheet } from '../../report/index.js';
import { distributionsOf } from './distribution.js';
import { exploreRuns, variedSettings } from './explore-runs.js';
import { assessSweep } from './honesty.js';
import type { PreparedSweep } from './prepare-sweep.js';
import { type Ask, type ReadRow, runReader, shortRuleColumns } from './read-row.js';
import type { SweepOutcome } from './run-sweep.js';

const BEST_RUNS = 100;
const ERRORS_MAX = 5;

const noRuns: SheetCounts = { ok: 0, no_trades: 0, skipped: 0, error: 0 };

/** What the record of a sweep says about its origin. */
interface Origin {
  readonly engine_version?: unknown;
  readonly sweep?: unknown;
}

/**
 * The page data of a sweep, finished or not. DuckDB aggregates the rows, so that memory is bounded
 * by 20,000 runs, however many there are.
 *
 * @param asked metric that ranks the runs, best first; a walk-forward sweep is always shown by the
 *   metric that made its choices
 * @param assessed one assessment by the metric `asked` for each dataset with a run that traded
 * @param minTrades trades that a leader needs, as in the assessments
 */
export async function sweepReport(
  outcome: SweepOutcome,
  asked: MetricName,
  assessed: readonly Honesty[],
  minTrades = MIN_TRADES,
): Promise<SweepSheet> {
  const { folder, total, done, prepared, warnings } = outcome;
  const { definition, loaded } = prepared;
  const by = rankedBy(prepared, asked);
  const ranking = { by, minTrades };
  const isJudged = by === asked || assessed.length === 0;
  const honesty = isJudged ? assessed : await assessSweep(prepared, folder, by, { minTrades });
  const ask: Ask = (sql) => queryResults([folder], sql);
  const askShown: Ask = (sql) => ask(amongRankable(sql));
  const origin = ((await openSweepFolder(folder).readRecord()) ?? {}) as Origin;
  const counts = done === 0 ? new Map<string, SheetCounts>() : await countsOf(ask);
  const traded = [...counts.values()].reduce((sum, { ok }) => sum + ok, 0);
  const settings = traded === 0 ? [] : await variedSettings(askShown, definition.variants.positionFields());
  const hasShort = definition.short !== null;
  const read = runReader(by, settings, hasShort);
  const bestOf = async (where: string, limit: number): Promise<SheetRun[]> => {
    if (traded === 0) return [];
    const sql = `SELECT ${read.columns} FROM results ${where} ORDER BY ${bestFirst(ranking)} LIMIT ${limit}`;
    return (await askShown(sql)).rows.map((row) => read.run(row as ReadRow));
  };
  const explored =
    traded === 0
      ? null
      : await exploreRuns({ ask: askShown, ranking, settings, shortRules: hasShort ? shortRuleColumns : [] });
  const distributions = explored === null ? new Map() : await distributionsOf(askShown, by, explored, honesty);
  const datasets: SheetDataset[] = [];
  for (const { dataset } of loaded) {
    const { asset, timeframe, start_date, end_date, rows } = dataset;
    const name = `${asset} ${timeframe}`;
    if (datasets.some((other) => other.name === name)) continue; // listed twice, run once
    const isOurs = `WHERE asset = ${sqlText(asset)} AND timeframe = ${sqlText(timeframe)}`;
    const judged = honesty.find((one) => one.asset === asset && one.timeframe === timeframe) ?? null;
    // In a walk-forward sweep the judged run is the newest choice, not the best run of all windows.
    const ofLeader = judged === null ? isOurs : `WHERE run_index = ${judged.leader.run}`;
    datasets.push({
      name,
      startDate: start_date,
      endDate: end_date,
      bars: rows,
      counts: counts.get(name) ?? noRuns,
      leader: (await bestOf(ofLeader, 1))[0] ?? null,
      distribution: distributions.get(name) ?? null,
      honesty: judged,
    });
  }
  return {
    title: definition.name,
    by,
    minTrades,
    total,
    done,
    counts: [...counts.values()].reduce(addCounts, noRuns),
    errors: done === 0 ? [] : await errorsOf(ask),
    datasets,
    explored,
    best: await bestOf('', BEST_RUNS),
    configuration: origin.sweep ?? null,
    manifest: manifestOf(outcome, origin),
    warnings: [...warnings, ...honesty.flatMap((one) => one.warnings)],
  };
}

const manifestOf = ({ experimentId, planHash, prepared }: SweepOutcome, origin: Origin): SweepSheet['manifest'] => ({
  experiment_id: experimentId,
  engine_version: origin.engine_version ?? null,
  plan_hash: planHash,
  seed: prepared.definition.seed,
  search_mode: prepared.definition.mode,
  ...Object.fromEntries(
    prepared.loaded.map(({ dataset }) => [`data ${dataset.asset} ${dataset.timeframe}`, dataset.hash]),
  ),
});

/** The metric that ranks a sweep: one that walks forward is ranked by the metric of its choices. */
export const rankedBy = ({ definition }: PreparedSweep, asked: MetricName): MetricName =>
  definition.walkForward?.metric ?? asked;

async function countsOf(ask: Ask): Promise<Map<string, SheetCounts>> {
  const counts = new Map<string, SheetCounts>();
  const { rows } = await ask('SELECT asset, timeframe, status, count(*) FROM results GROUP BY ALL ORDER BY ALL');
  for (const [asset, timeframe, status, count] of rows) {
    const name = `${asset} ${timeframe}`;
    counts.set(name, { ...(counts.get(name) ?? noRuns), [String(status)]: Number(count) });
  }
  return counts;
}

const addCounts = (a: SheetCounts, b: SheetCounts): SheetCounts => ({
  ok: a.ok + b.ok,
  no_trades: a.no_trades + b.no_trades,
  skipped: a.skipped + b.skipped,
  error: a.error + b.error,
});

async function errorsOf(ask: Ask) {
  const sql = `SELECT coalesce(error_msg, 'no message') AS message, count(*) AS runs FROM results WHERE status = 'error' GROUP BY 1 ORDER BY runs DESC, message LIMIT ${ERRORS_MAX}`;
  return (await ask(sql)).rows.map(([message, count]) => ({ message: String(message), count: Number(count) }));
}
