import { availableParallelism } from 'node:os';
import { isPerpetual } from '../../data/bars/index.js';
import { sha256 } from '../../data/hashes/index.js';
import { limitWarnings, sidedWarnings } from '../../engine/backtest/index.js';
import { exhaustedFrom } from '../../engine/execution/index.js';
import type { MetricName } from '../../engine/metrics/index.js';
import { honestSlippage, priceDoubts, runFindings } from '../../engine/quality/index.js';
import { type BarSeries, isoTime, sliceBars } from '../../engine/series/index.js';
import { withinReach } from '../../engine/simd/index.js';
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
  firstTrials,
  type JudgedTrials,
  joinTries,
  type Leader,
  leaderFacts,
  leaderPaths,
  luckQuestion,
  MIN_TRADES,
  neighboursOf,
  planIdentity,
  RunIdentity,
  type RunTable,
  type SweepDefinition,
  SweepKernel,
  type SweepRun,
  type TriedSweep,
  tradedIn,
  triedIdentity,
} from '../../engine/sweep/index.js';
import { openTrialThreads } from '../../workers/index.js';
import { furtherOver } from './further.js';
import { judgedRuns } from './judged-runs.js';
import { outOfSample } from './out-of-sample.js';
import { type PreparedSweep, rankedBy } from './prepare-sweep.js';

const COST_FACTORS = [0.5, 1, 2];
const CACHE_BYTES_MAX = 32 * 1024 * 1024;

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
  /** What the runs gave, where the caller ran them; otherwise their rows are read. */
  readonly runs?: RunTable | null;
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
  { minTrades = MIN_TRADES, triedBefore = NEVER, threads = availableParallelism(), runs: kept }: AssessOptions = {},
): Promise<Assessment[]> {
  const all: Omit<Assessment, 'wholeSweep'>[] = [];
  const { definition, plan, loaded } = prepared;
  const { datasets, walkForward } = definition;
  const runs = await judgedRuns({ folder, totalRuns: plan.totalRuns, datasets, kept }, rankedBy(prepared, by));
  const leaders = runs.leaders(minTrades, { isJudged: true });
  const earlier = (asset: string) => {
    const own = runs.tried((place) => datasets[place]?.asset === asset);
    return earlierOn(asset, definition, new Set(own), triedBefore);
  };
  const tested = walkForward === null ? null : outOfSample(prepared, runs, minTrades);
  for (const source of loaded.keys()) {
    const walked = tested?.get(source) ?? null;
    if (tested !== null && walked === null) continue;
    const index = walked?.newest ?? source;
    const leader = leaders.get(index);
    if (leader === undefined) continue;
    const one = await assessDataset(prepared, index, leader, { runs, minTrades, earlier, threads });
    all.push({ ...one, walkForward: walked?.walkForward ?? null });
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
  own: ReadonlySet<string>,
  before: TriedBefore,
): EarlierTries {
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
  readonly runs: RunTable;
  readonly minTrades: number;
  readonly earlier: (asset: string) => EarlierTries;
  readonly threads: number;
}

async function assessDataset(
  prepared: PreparedSweep,
  index: number,
  leader: Leader,
  context: Context,
): Promise<Omit<Assessment, 'walkForward' | 'wholeSweep'>> {
  const { definition, plan } = prepared;
  const { runs, minTrades } = context;
  // biome-ignore lint/style/noNonNullAssertion: index is an index of the datasets
  const dataset = definition.datasets[index]!;
  const judged = runs.trials(index);
  const { trust, paths, costStress, warnings } = await assessIn(prepared, index, leader, judged, context);
  const identity = new RunIdentity(definition, sha256);
  const beside = neighboursOf(plan.run(leader.run), definition).map((run) => identity.configHash(run));
  const { run, value, trades } = leader;
  return {
    asset: dataset.asset,
    timeframe: dataset.timeframe,
    ...(dataset.window && { window: dataset.window }),
    leader: { run, metric: runs.by, value, trades },
    minTrades,
    eligibleTrials: leader.eligible,
    profitableTrials: leader.profitable,
    bestReturn: leader.bestReturn,
    sampledTrials: judged.trials.rowCount,
    ...trust,
    ...paths,
    steps: trust.steps.map(({ row, ...step }) => ({ ...step, run: judged.runs[row] ?? -1 })),
    plateau: runs.plateau(runs.find(new Set(beside))),
    costStress,
    warnings,
  };
}

async function assessIn(
  { definition, plan, loaded }: PreparedSweep,
  index: number,
  leader: Leader,
  judged: JudgedTrials,
  context: Context,
) {
  // biome-ignore lint/style/noNonNullAssertion: index is an index of the datasets
  const dataset = definition.datasets[index]!;
  const { fold } = dataset;
  // biome-ignore lint/style/noNonNullAssertion: every dataset has loaded bars
  const { bars: held, startMs, further } = loaded[fold?.source ?? index]!;
  const run = plan.run(leader.run);
  const { runs, trials } = judged;
  // The threads load while the leader runs again.
  const threads = openTrialThreads(Math.min(leader.count, ASSESSED_MAX), context.threads);
  try {
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
      trials: firstTrials(judged, index * tpe.trials + tpe.startupTrials),
      goodFraction: tpe.goodFraction,
    };
    const input: AssessmentInput = {
      ...known,
      trials,
      leader: runs.indexOf(leader.run),
      trialCount: leader.count,
      startup,
      seed: definition.seed,
      earlier: context.earlier(dataset.asset),
    };
    const trust = assessLeader(input, await threads?.judge(trials, luckQuestion(input)));
    return {
      trust,
      paths: leaderPaths(input),
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
