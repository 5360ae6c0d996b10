import { availableParallelism } from 'node:os';
import { isPerpetual } from '../../data/bars/index.js';
import { sha256 } from '../../data/hashes/index.js';
import {
  bestFirst,
  hasTraded,
  mayLead,
  queryResults,
  readReturns,
  statedColumn,
  triedIn,
} from '../../data/sweeps/index.js';
import { EngineError } from '../../engine/errors.js';
import { exhaustedFrom } from '../../engine/execution/index.js';
import type { MetricName } from '../../engine/metrics/index.js';
import { honestSlippage, priceDoubts, runFindings } from '../../engine/quality/index.js';
import { type BarSeries, isoTime, sliceBars } from '../../engine/series/index.js';
import { withinReach } from '../../engine/simd/index.js';
import type { TrialReturns } from '../../engine/statistics/index.js';
import {
  ASSESSED_MAX,
  type Assessment,
  type AssessmentInput,
  assessAcross,
  assessLeader,
  barsOfRun,
  countTries,
  datasetName,
  type EarlierTries,
  type FurtherSeries,
  isAssessed,
  joinTries,
  leaderFacts,
  leaderPaths,
  luckQuestion,
  MIN_TRADES,
  neighboursOf,
  planIdentity,
  type Ranking,
  RunIdentity,
  type SweepDataset,
  type SweepDefinition,
  SweepKernel,
  type SweepRun,
  type TriedSweep,
  tradedIn,
  triedIdentity,
} from '../../engine/sweep/index.js';
import { openTrialThreads } from '../../workers/index.js';
import { limitWarnings, sidedWarnings } from '../backtest/sided-warnings.js';
import { isDatasetSql } from './dataset-rows.js';
import { furtherOver } from './further.js';
import { outOfSample } from './out-of-sample.js';
import type { PreparedSweep } from './prepare-sweep.js';
import { readNumber } from './read-row.js';

const COST_FACTORS = [0.5, 1, 2];
const CACHE_BYTES_MAX = 32 * 1024 * 1024;
/** Runs among which the best of the sample is looked for. The sample has at least one in 100. */
const SEARCHED_MAX = 10_000;

/** What was tried before, by this sweep too if it is recorded already. */
export interface TriedBefore {
  /** Identities of tries by asset, see `joinTries`. */
  readonly tries: ReadonlyMap<string, readonly string[]>;
  /** What judged sweeps were worth, by asset, on any asset. */
  readonly sweeps: ReadonlyMap<string, readonly TriedSweep[]>;
}

interface AssessOptions {
  /** Trades that a leader must have, in every training window too. */
  readonly minTrades?: number;
  readonly triedBefore?: TriedBefore;
  /** Most threads; the figures do not depend on them. Default: one per processor. */
  readonly threads?: number | undefined;
}

/**
 * Judges the finished rows of a sweep, dataset by dataset: how good is the best run by the metric,
 * given how many were tried, on this dataset and on all of them?
 *
 * @throws INVALID_DATA where the rows hold no returns, because an older version wrote them
 */
export async function assessSweep(
  prepared: PreparedSweep,
  folder: string,
  by: MetricName,
  { minTrades = MIN_TRADES, triedBefore = NEVER, threads = availableParallelism() }: AssessOptions = {},
): Promise<Assessment[]> {
  const all: Omit<Assessment, 'wholeSweep'>[] = [];
  const ranking = { by, minTrades };
  const tried = await triedIn(folder);
  const earlier = (asset: string) => earlierOn(asset, prepared.definition, tried, triedBefore);
  const { walkForward } = prepared.definition;
  const tested =
    walkForward === null ? null : await outOfSample(prepared, { by: walkForward.metric, minTrades }, folder);
  for (const source of prepared.loaded.keys()) {
    const walked = tested?.get(source) ?? null;
    if (tested !== null && walked === null) continue;
    const one = await assessDataset(prepared, folder, ranking, walked?.newest ?? source, { earlier, threads });
    if (one !== null) all.push({ ...one, walkForward: walked?.walkForward ?? null });
  }
  const across = assessAcross(all);
  return all.map((one, i) => ({ ...one, wholeSweep: across[i] ?? null }));
}

const NEVER: TriedBefore = { tries: new Map(), sweeps: new Map() };

/**
 * What was tried on an asset outside of a sweep. Tries that the sweep made on other windows of the
 * asset, as one that walks forward does, are none of it: the leader of one window was not picked
 * from several, and where it is, `assessAcross` says so.
 */
export function earlierOn(
  asset: string,
  definition: SweepDefinition,
  tried: ReadonlyMap<string, readonly string[]>,
  before: TriedBefore,
): EarlierTries {
  const own = new Set(tried.get(asset));
  const kept = joinTries(own, before.tries.get(asset) ?? []);
  const all = countTries(kept);
  // Exact up to `TRIES_KEPT`; above, the lowest hashes are a random sample.
  const others = kept.filter((hash) => !own.has(hash)).length;
  const plan = planIdentity(definition, sha256);
  const isHere = new Set(definition.datasets.map((dataset) => dataset.asset));
  const made = new Set(definition.datasets.map((dataset) => triedIdentity(plan, definition.seed, dataset, sha256)));
  const here = before.sweeps.get(asset) ?? [];
  const isCounted = new Set(here.map(({ sweep }) => sweep)); // another name of the same bars has them too
  return {
    all,
    earlier: kept.length === 0 ? 0 : Math.round((all * others) / kept.length),
    sweeps: here.filter(({ sweep }) => !made.has(sweep)),
    otherAssets: [...before.sweeps].filter(
      ([other, sweeps]) => !isHere.has(other) && sweeps.some((one) => one.plan === plan && !isCounted.has(one.sweep)),
    ).length,
  };
}

/** What each judged dataset of a sweep was worth, for the ledger of tries. */
export function triedSweeps(
  { definition }: PreparedSweep,
  honesty: readonly Assessment[],
): { readonly asset: string; readonly tried: TriedSweep }[] {
  const plan = planIdentity(definition, sha256);
  return honesty.flatMap(({ asset, timeframe, window, trialCount, effectiveTrialCount, effectiveBeyondMarket }) =>
    definition.datasets
      .filter((dataset) => datasetName(dataset) === datasetName({ asset, timeframe, window }))
      .map((dataset) => ({
        asset,
        tried: {
          sweep: triedIdentity(plan, definition.seed, dataset, sha256),
          plan,
          tries: trialCount,
          unrelated: Math.max(effectiveTrialCount, effectiveBeyondMarket),
        },
      })),
  );
}

interface Context {
  readonly earlier: (asset: string) => EarlierTries;
  readonly threads: number;
}

async function assessDataset(
  prepared: PreparedSweep,
  folder: string,
  ranking: Ranking,
  index: number,
  context: Context,
): Promise<Omit<Assessment, 'walkForward' | 'wholeSweep'> | null> {
  const { definition, plan } = prepared;
  // biome-ignore lint/style/noNonNullAssertion: index is an index of the datasets
  const dataset = definition.datasets[index]!;
  const leader = await findLeader(dataset, folder, ranking, plan.totalRuns);
  if (leader === null) return null;
  const { trust, paths, judged, costStress, warnings } = await assessIn(prepared, folder, index, leader, context);
  const identity = new RunIdentity(definition, sha256);
  return {
    asset: dataset.asset,
    timeframe: dataset.timeframe,
    ...(dataset.window && { window: dataset.window }),
    leader: { run: leader.run, metric: ranking.by, value: leader.value, trades: leader.trades },
    minTrades: ranking.minTrades,
    eligibleTrials: leader.eligible,
    profitableTrials: leader.profitable,
    bestReturn: leader.bestReturn,
    sampledTrials: judged.trials.rowCount,
    ...trust,
    ...paths,
    steps: trust.steps.map(({ row, ...step }) => ({ ...step, run: judged.runs[row] ?? -1 })),
    plateau: await measurePlateau(neighboursOf(plan.run(leader.run), definition), identity, folder, ranking.by),
    costStress,
    warnings,
  };
}

async function assessIn(
  { definition, plan, loaded }: PreparedSweep,
  folder: string,
  index: number,
  leader: { readonly run: number; readonly count: number },
  context: Context,
) {
  // biome-ignore lint/style/noNonNullAssertion: index is an index of the datasets
  const dataset = definition.datasets[index]!;
  const { fold } = dataset;
  // biome-ignore lint/style/noNonNullAssertion: every dataset has loaded bars
  const { bars: held, startMs, further } = loaded[fold?.source ?? index]!;
  const run = plan.run(leader.run);
  // The threads load while the rows are read.
  const threads = openTrialThreads(Math.min(leader.count, ASSESSED_MAX), context.threads);
  try {
    const judged = await assessedTrials(dataset, folder);
    const { costStress, warnings, ...known } = withinReach(
      sliceBars(held, 0, fold?.train.to ?? held.barCount),
      (near) => {
        const series = { bars: near, further: furtherOver(near, further) };
        const traded = fold === undefined ? { ...series, startMs } : tradedIn(series, fold.train);
        const read = barsOfRun(run, definition, traded);
        return collectEvidence({ definition, further: read.further }, read.bars, read.first, run, dataset.asset);
      },
    );
    const { tpe } = definition;
    const startup = tpe && {
      trials: judged.before(index * tpe.trials + tpe.startupTrials),
      goodFraction: tpe.goodFraction,
    };
    const input: AssessmentInput = {
      ...known,
      trials: judged.trials,
      leader: judged.rowOf(leader.run),
      trialCount: leader.count,
      startup,
      seed: definition.seed,
      earlier: context.earlier(dataset.asset),
    };
    const trust = assessLeader(input, await threads?.judge(judged.trials, luckQuestion(input)));
    return {
      trust,
      paths: leaderPaths(input),
      judged,
      costStress,
      warnings: [...(dataset.notes ?? []), ...warnings].map(
        (message) => `${dataset.asset} ${dataset.timeframe}, run ${leader.run}: ${message}`,
      ),
    };
  } finally {
    await threads?.end();
  }
}

/** What the rows do not tell of the leader and its market. */
function collectEvidence(
  { definition, further }: { readonly definition: SweepDefinition; readonly further: FurtherSeries },
  bars: BarSeries,
  first: number,
  leader: SweepRun,
  asset: string,
) {
  const kernel = new SweepKernel(definition, bars, first, CACHE_BYTES_MAX, further);
  try {
    const { input, simulation, config } = kernel.trace(leader);
    const { trades } = simulation;
    const slippage = honestSlippage(priceDoubts(bars, trades, config));
    return {
      warnings: [
        ...runFindings({ run: input, trades, isPerpetual: isPerpetual(asset) }).map(({ message }) => message),
        ...sidedWarnings(simulation, bars, config, definition.short !== null),
        ...limitWarnings(simulation, config),
      ],
      ...leaderFacts({
        ...{ bars, first, trades, daily: kernel.dailyReturns(leader) },
        daysPerYear: config.trading_days_per_year,
      }),
      honest: slippage === null ? null : { slippage, daily: kernel.dailyReturns(leader, slippage) },
      costStress: COST_FACTORS.map((factor) => {
        const { metrics, simulation, config } = kernel.trace(leader, factor);
        const from = exhaustedFrom(simulation.equity, config);
        return {
          factor,
          sharpe: metrics.sharpe_ratio,
          totalReturn: metrics.total_return,
          exhaustedOn: from === null ? null : isoTime(bars.time[first + from] ?? Number.NaN).slice(0, 10),
        };
      }),
    };
  } finally {
    kernel.release();
  }
}

type Counts = [run: number, trades: number, count: number, eligible: number, profitable: number, bestReturn: number];

/**
 * The best run of a dataset, among those whose returns were kept. DuckDB ranks the runs, because
 * there may be millions.
 * @returns null if no run traded
 */
export async function findLeader(dataset: SweepDataset, folder: string, ranking: Ranking, totalRuns: number) {
  const among = `FROM results WHERE ${hasTraded} AND ${isDatasetSql(dataset)}`;
  // The counts apart: a filtered count in a window over all rows costs rows squared.
  const { rows } = await queryResults(
    [folder],
    `SELECT ${statedColumn(ranking.by)}, run_index, total_trades, traded, eligible, profitable, best_return
     FROM results, (
       SELECT count(*) AS traded, count(*) FILTER (${mayLead(ranking)}) AS eligible,
         count(*) FILTER (total_return > 0) AS profitable, max(total_return) AS best_return ${among}
     )
     WHERE ${hasTraded} AND ${isDatasetSql(dataset)}
     ORDER BY ${bestFirst(ranking)} LIMIT ${totalRuns <= ASSESSED_MAX ? 1 : SEARCHED_MAX}`,
  );
  const best = rows.find(([, run]) => isAssessed(Number(run), totalRuns));
  if (best === undefined) return null;
  const [run, trades, count, eligible, profitable, bestReturn] = best.slice(1).map(Number) as Counts;
  return { run, trades, count, eligible, profitable, bestReturn, value: readNumber(best[0]) };
}

/** The returns of the runs of a dataset that traded, by run. */
export async function assessedTrials(dataset: SweepDataset, folder: string) {
  const stored = await readReturns(folder, `${hasTraded} AND ${isDatasetSql(dataset)}`);
  if (stored === null) {
    const message = 'the rows of this sweep hold no returns, because an older version wrote them: run the sweep again';
    throw new EngineError('INVALID_DATA', message, { folder });
  }
  const { runs, periodCount, values } = stored;
  const trials: TrialReturns = { rowCount: runs.length, periodCount, values };
  return {
    runs,
    trials,
    rowOf: (run: number) => runs.indexOf(run),
    /** The trials with a lower run number. */
    before(end: number): TrialReturns {
      const rowCount = runs.findIndex((run) => run >= end);
      const count = rowCount === -1 ? runs.length : rowCount;
      return { rowCount: count, periodCount, values: values.subarray(0, count * periodCount) };
    },
  };
}

async function measurePlateau(neighbours: readonly SweepRun[], identity: RunIdentity, folder: string, by: MetricName) {
  const hashes = neighbours.map((run) => `'${identity.configHash(run)}'`);
  if (hashes.length === 0) return { neighbours: 0, mean: null };
  const { rows } = await queryResults(
    [folder],
    `SELECT count(*), avg(${statedColumn(by)}) FROM results WHERE ${hasTraded} AND config_hash IN (${hashes.join(', ')})`,
  );
  // biome-ignore lint/style/noNonNullAssertion: an aggregate without GROUP BY gives one row
  const [count, mean] = rows[0]!;
  return { neighbours: Number(count), mean: readNumber(mean) };
}
