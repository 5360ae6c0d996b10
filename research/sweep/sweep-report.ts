import { amongRankable, bestFirst, openSweepFolder, queryResults, sqlText } from '../../data/sweeps/index.js';
import type { MetricName } from '../../engine/metrics/index.js';
import { type Assessment, leadersFirst, MIN_TRADES, madeOf } from '../../engine/sweep/index.js';
import type { SheetDataset, SheetRun, SweepSheet, TearSheet } from '../../report/index.js';
import type { OwnSignals } from '../backtest/prepare-run.js';
import { type RunServices, runBacktest } from '../backtest/run-backtest.js';
import { buildTearSheet } from '../backtest/tear-sheet.js';
import { assessSweep } from './assess-sweep.js';
import { loadDistributions } from './distribution.js';
import { exploreRuns } from './explore-runs.js';
import { rankedBy } from './prepare-sweep.js';
import { type Ask, runReader, shortRuleColumns } from './read-row.js';
import { findDefinition } from './run-definition.js';
import type { SweepOutcome } from './run-sweep.js';
import { BEST_RUNS, countRuns, noRuns } from './sheet-counts.js';

/** What the record of a sweep says about its origin. */
interface Origin {
  readonly engine_version?: unknown;
  readonly sweep?: unknown;
}

interface ReportOptions {
  /** Trades that a leader needs, as in the assessments. */
  readonly minTrades?: number;
  /** Run the leader again, for its curve and trades; without them the page has none. */
  readonly services?: Pick<RunServices, 'store' | 'engineVersion'> | undefined;
  /** Signals in code that the rules name. */
  readonly own?: OwnSignals | undefined;
}

/**
 * The page data of a sweep, finished or not. DuckDB aggregates the rows, so that memory is bounded
 * by 20,000 runs, however many there are.
 *
 * @param asked metric that ranks the runs, best first; a walk-forward sweep is always shown by the
 *   metric that made its choices
 * @param assessed one assessment by the metric `asked` for each dataset with a run that traded
 */
export async function sweepReport(
  outcome: Omit<SweepOutcome, 'runs'>,
  asked: MetricName,
  assessed: readonly Assessment[],
  { minTrades = MIN_TRADES, services, own }: ReportOptions = {},
): Promise<SweepSheet> {
  const { folder, total, done, prepared, warnings } = outcome;
  const { definition, loaded } = prepared;
  const by = rankedBy(prepared, asked);
  const ranking = { by, minTrades };
  const isAssessed = by === asked || assessed.length === 0;
  const honesty = isAssessed ? assessed : await assessSweep(prepared, folder, by, { minTrades });
  const ask: Ask = (sql) => queryResults([folder], sql);
  const askShown: Ask = (sql) => ask(amongRankable(sql));
  const origin = ((await openSweepFolder(folder).readRecord()) ?? {}) as Origin;
  const ran = await countRuns(ask, done);
  const traded = ran.counts.ok;
  const settings = definition.variants.axisColumns().map(({ name }) => name);
  const hasShort = definition.short !== null;
  const read = runReader(by, settings, hasShort);
  const bestRuns = async (where: string, limit: number): Promise<SheetRun[]> => {
    if (traded === 0) return [];
    const sql = `SELECT ${read.columns} FROM results ${where} ORDER BY ${bestFirst(ranking)} LIMIT ${limit}`;
    return (await askShown(sql)).rows.map((row) => read.run(row));
  };
  const explored =
    traded === 0
      ? null
      : await exploreRuns({ ask: askShown, ranking, settings, shortRules: hasShort ? shortRuleColumns : [] });
  const distributions = explored === null ? new Map() : await loadDistributions(askShown, by, explored, honesty);
  const datasets: SheetDataset[] = [];
  for (const { dataset } of loaded) {
    const { asset, timeframe, start_date, end_date, rows } = dataset;
    const name = `${asset} ${timeframe}`;
    if (datasets.some((other) => other.name === name)) continue; // listed twice, run once
    const isOurs = `WHERE asset = ${sqlText(asset)} AND timeframe = ${sqlText(timeframe)}`;
    const judged = honesty.find((one) => one.asset === asset && one.timeframe === timeframe) ?? null;
    // In a walk-forward sweep the judged run is the newest choice, not the best run of all windows.
    const ofLeader = judged === null ? isOurs : `WHERE run_index = ${judged.leader.run}`;
    const leader = (await bestRuns(ofLeader, 1))[0] ?? null;
    datasets.push({
      name,
      startDate: start_date,
      endDate: end_date,
      bars: rows,
      counts: ran.byDataset.get(name) ?? noRuns,
      leader,
      definition:
        leader === null || origin.sweep === undefined ? null : await findDefinition([folder], String(leader.run)),
      distribution: distributions.get(name) ?? null,
      honesty: judged,
    });
  }
  return {
    title: definition.name,
    by,
    minTrades,
    madeOf: madeOf(definition).map(({ words }) => words),
    total,
    done,
    counts: ran.counts,
    errors: ran.errors,
    datasets,
    account: await leaderSheet(datasets, honesty, { services, own }),
    explored,
    best: await bestRuns('', BEST_RUNS),
    configuration: origin.sweep ?? null,
    manifest: sheetManifest(outcome, origin),
    warnings: [...warnings, ...honesty.flatMap((one) => one.warnings)],
  };
}

/** The leader of all datasets, run again; null where no run traded. */
async function leaderSheet(
  datasets: readonly SheetDataset[],
  honesty: readonly Assessment[],
  { services, own }: ReportOptions,
): Promise<TearSheet | null> {
  // Where windows are walked, the choice that did best out of sample is the one to use next.
  const walked = honesty.filter(({ walkForward }) => walkForward !== null);
  const outOfSample = ({ walkForward }: Assessment): number => walkForward?.sharpe ?? Number.NEGATIVE_INFINITY;
  const ranked = walked.length === 0 ? leadersFirst(honesty) : walked.sort((a, b) => outOfSample(b) - outOfSample(a));
  const run = ranked[0]?.leader.run;
  const definition = datasets.find(({ leader }) => leader !== null && leader.run === run)?.definition ?? null;
  if (definition === null || services === undefined) return null;
  const { strategy, interval, start, end } = definition;
  return buildTearSheet(await runBacktest({ strategy, interval, window: { start, end }, own }, services));
}

const sheetManifest = (
  { experimentId, planHash, prepared }: Omit<SweepOutcome, 'runs'>,
  origin: Origin,
): SweepSheet['manifest'] => ({
  experiment_id: experimentId,
  engine_version: origin.engine_version ?? null,
  plan_hash: planHash,
  seed: prepared.definition.seed,
  search_mode: prepared.definition.mode,
  ...Object.fromEntries(
    prepared.loaded.map(({ dataset }) => [`data ${dataset.asset} ${dataset.timeframe}`, dataset.hash]),
  ),
});
