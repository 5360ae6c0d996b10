import { sha256 } from '../../data/hashes/index.js';
import { bestFirst, hasTraded, mayLead, queryResults } from '../../data/sweeps/index.js';
import {
  assessTrust,
  type BarSeries,
  type Honesty,
  type MetricName,
  MIN_TRADES,
  neighboursOf,
  type Ranking,
  RunIdentity,
  type SweepDataset,
  type SweepDefinition,
  SweepKernel,
  type SweepRun,
  sampleIndices,
  sliceBars,
  withinReach,
} from '../../engine/index.js';
import { isOf } from './dataset-rows.js';
import { outOfSample } from './out-of-sample.js';
import { numberOf } from './read-row.js';
import type { PreparedSweep } from './run-sweep.js';

const SAMPLE_MAX = 500;
const COST_FACTORS = [0.5, 1, 2];
const CACHE_BYTES_MAX = 32 * 1024 * 1024;

/**
 * Judges the finished rows of a sweep, dataset by dataset: how good is the best run by the metric,
 * given how many were tried? It runs a sample again to get the returns.
 *
 * @param minTrades trades that a leader needs, in every training window too
 */
export async function assessSweep(
  prepared: PreparedSweep,
  folder: string,
  by: MetricName,
  minTrades = MIN_TRADES,
): Promise<Honesty[]> {
  const all: Honesty[] = [];
  const ranking = { by, minTrades };
  const { walkForward } = prepared.definition;
  const tested =
    walkForward === null ? null : await outOfSample(prepared, { by: walkForward.metric, minTrades }, folder);
  for (const source of prepared.loaded.keys()) {
    const walked = tested?.get(source) ?? null;
    if (tested !== null && walked === null) continue;
    const one = await assessDataset(prepared, folder, ranking, walked?.newest ?? source);
    if (one !== null) all.push({ ...one, walkForward: walked?.walkForward ?? null });
  }
  return all;
}

async function assessDataset(
  { definition, plan, loaded }: PreparedSweep,
  folder: string,
  ranking: Ranking,
  index: number,
): Promise<Omit<Honesty, 'walkForward'> | null> {
  // biome-ignore lint/style/noNonNullAssertion: index is an index of the datasets
  const dataset = definition.datasets[index]!;
  const { fold } = dataset;
  // biome-ignore lint/style/noNonNullAssertion: every dataset has loaded bars
  const { bars: held } = loaded[fold?.source ?? index]!;
  const { from: first, to } = fold?.train ?? { from: 0, to: held.barCount };
  const bars = sliceBars(held, 0, to);
  const trials = await rankTrials(dataset, folder, ranking, definition.seed);
  if (trials === null) return null;
  const { best, others } = trials;

  const sample = [best, ...others].map((run) => plan.run(run));
  const { costStress, ...evidence } = withinReach(bars, (near) => runAgain(definition, near, first, sample));
  const trust = assessTrust({ ...evidence, leader: 0, trialCount: trials.count, seed: definition.seed });
  const identity = new RunIdentity(definition, sha256);
  return {
    asset: dataset.asset,
    timeframe: dataset.timeframe,
    leader: { run: best, metric: ranking.by, value: trials.value, trades: trials.trades },
    minTrades: ranking.minTrades,
    eligibleTrials: trials.eligible,
    sampledTrials: sample.length,
    ...trust,
    plateau: await plateauOf(neighboursOf(plan.run(best), definition), identity, folder, ranking.by),
    costStress,
  };
}

/** What the rows do not tell: the returns of each run, and more of the first, which is the best. */
function runAgain(definition: SweepDefinition, bars: BarSeries, first: number, runs: readonly SweepRun[]) {
  const kernel = new SweepKernel(definition, bars, first, CACHE_BYTES_MAX);
  try {
    // biome-ignore lint/style/noNonNullAssertion: the best run leads the sample
    const best = runs[0]!;
    const { trades } = kernel.trace(best).simulation;
    return {
      returns: runs.map((run) => kernel.dailyReturns(run)),
      tradeReturns: Float64Array.from(trades, ({ profitLoss, beginningBalance }) => profitLoss / beginningBalance),
      costStress: COST_FACTORS.map((factor) => {
        const { metrics } = kernel.trace(best, factor);
        return { factor, sharpe: metrics.sharpe_ratio, totalReturn: metrics.total_return };
      }),
    };
  } finally {
    kernel.release();
  }
}

/**
 * The best run of a dataset and a sample of the others, best first; ties keep their order. DuckDB
 * ranks the runs, because there may be millions.
 * @returns null if no run traded
 */
async function rankTrials(dataset: SweepDataset, folder: string, ranking: Ranking, seed: number) {
  const traded = `results WHERE ${hasTraded} AND ${isOf(dataset)}`;
  const first = await queryResults(
    [folder],
    `SELECT ${ranking.by}, run_index, total_trades, count(*) OVER (), count(*) FILTER (${mayLead(ranking)}) OVER ()
     FROM ${traded} ORDER BY ${bestFirst(ranking)} LIMIT 1`,
  );
  const [leader] = first.rows;
  if (leader === undefined) return null;
  const value = numberOf(leader[0]);
  const [best, trades, count, eligible] = leader.slice(1).map(Number) as [number, number, number, number];
  const rest = count - 1;
  const places = rest < SAMPLE_MAX ? null : sampleIndices(rest, SAMPLE_MAX - 1, seed);
  const { rows } = await queryResults(
    [folder],
    `SELECT run_index FROM (
       SELECT run_index, row_number() OVER (ORDER BY ${bestFirst(ranking)}) - 2 AS place FROM ${traded}
     ) WHERE place ${places === null ? '>= 0' : `IN (${places.join(', ')})`} ORDER BY place`,
  );
  return { best, value, trades, count, eligible, others: rows.map(([run]) => Number(run)) };
}

async function plateauOf(neighbours: readonly SweepRun[], identity: RunIdentity, folder: string, by: MetricName) {
  const hashes = neighbours.map((run) => `'${identity.configHash(run)}'`);
  if (hashes.length === 0) return { neighbours: 0, mean: null };
  const { rows } = await queryResults(
    [folder],
    `SELECT count(${by}), avg(${by}) FROM results WHERE ${hasTraded} AND config_hash IN (${hashes.join(', ')})`,
  );
  // biome-ignore lint/style/noNonNullAssertion: an aggregate without GROUP BY gives one row
  const [count, mean] = rows[0]!;
  return { neighbours: Number(count), mean: numberOf(mean) };
}
