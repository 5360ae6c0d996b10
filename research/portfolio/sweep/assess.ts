import { sha256 } from '../../../data/hashes/index.js';
import { triedIn } from '../../../data/sweeps/index.js';
import type { TriesLedger } from '../../../data/tries/index.js';
import { exhaustedFrom } from '../../../engine/execution/index.js';
import { type MetricName, marketReturns, stated } from '../../../engine/metrics/index.js';
import { DAY_MS, isoTime } from '../../../engine/series/index.js';
import { findableEdge } from '../../../engine/statistics/index.js';
import {
  ASSESSMENT_P_MAX,
  type Assessment,
  type AssessmentInput,
  assessLeader,
  countTries,
  type EarlierTries,
  joinSweeps,
  joinTries,
  leaderPaths,
  MIN_TRADES,
  type RunTable,
  type SearchPower,
  type TriedSweep,
  triedIdentity,
  unrelatedBefore,
} from '../../../engine/sweep/index.js';
import type { TriedBefore } from '../../sweep/assess-sweep.js';
import { judgedRuns } from '../../sweep/judged-runs.js';
import { joinTested, type TestedFold } from '../../sweep/out-of-sample.js';
import { accountDailyReturns, leaderFacts, marketReturn } from '../account-course.js';
import { portfolioPlanIdentity, portfolioShape } from './identity.js';
import type { PortfolioKernel, PortfolioTrace } from './kernel.js';
import type { PreparedPortfolioSweep } from './run.js';

const COST_FACTORS = [0.5, 1, 2];

/** What was tried before on any of the assets, alone or in a portfolio. */
interface TriedPortfolios {
  readonly tries: readonly string[];
  readonly sweeps: readonly TriedSweep[];
  /** Choices of assets that share none with this sweep, on which the same plan was swept. */
  readonly elsewhere: number;
}

interface AssessOptions {
  readonly minTrades?: number;
  readonly before: TriedPortfolios;
  /** What the portfolios gave, where the caller ran them; otherwise their rows are read. */
  readonly runs?: RunTable | null;
}

/** The metric that ranks portfolios: a walk forward is ranked by the metric of its choices. */
export const portfoliosRankedBy = ({ plan }: PreparedPortfolioSweep, asked: MetricName): MetricName =>
  plan.walkForward?.metric ?? asked;

/**
 * Judges the finished rows of a sweep of portfolios: how good is the best, given how many were
 * tried? Trials are portfolios; their market is the assets held evenly.
 *
 * @returns null where no portfolio traded
 */
export async function assessPortfolioSweep(
  prepared: PreparedPortfolioSweep,
  folder: string,
  by: MetricName,
  { minTrades = MIN_TRADES, before, runs: kept = null }: AssessOptions,
): Promise<Assessment | null> {
  const { plan, datasets, totalRuns } = prepared;
  const runs = await judgedRuns({ folder, totalRuns, datasets, kept }, portfoliosRankedBy(prepared, by));
  const walked = plan.walkForward === null ? null : await walkForward(prepared, runs, minTrades);
  if (plan.walkForward !== null && walked === null) return null;
  const index = walked?.newest ?? 0;
  // biome-ignore lint/style/noNonNullAssertion: index is an index of the datasets
  const dataset = datasets[index]!;
  const leader = runs.leaders(minTrades, { isJudged: true }).get(index);
  if (leader === undefined) return null;
  const trace = await traceRun(prepared, leader.run, { keepsCourses: true });
  const judged = runs.trials(index);
  const { warnings } = trace;
  const input: AssessmentInput = {
    trials: judged.trials,
    leader: judged.runs.indexOf(leader.run),
    trialCount: leader.count,
    startup: null,
    ...leaderFacts(trace),
    seed: plan.seed,
    earlier: earlierTries(prepared, new Set(runs.tried(() => true)), before),
  };
  const trust = assessLeader(input);
  return {
    ...{ asset: dataset.asset, timeframe: dataset.timeframe, minTrades },
    leader: { run: leader.run, metric: runs.by, value: leader.value, trades: leader.trades },
    eligibleTrials: leader.eligible,
    profitableTrials: leader.profitable,
    bestReturn: leader.bestReturn,
    sampledTrials: judged.trials.rowCount,
    ...trust,
    ...leaderPaths(input),
    steps: trust.steps.map(({ row, ...step }) => ({ ...step, run: judged.runs[row] ?? -1 })),
    plateau: runs.plateau(runsBeside(prepared, leader.run)),
    costStress: await stressCosts(prepared, leader.run),
    warnings: [...new Set(warnings)],
    wholeSweep: null,
    walkForward: walked?.walkForward ?? null,
  };
}

/** A run of the sweep again, in its window. */
function traceRun(
  { kernel, plan, windows }: PreparedPortfolioSweep,
  run: number,
  options: Parameters<PortfolioKernel['trace']>[2],
): Promise<PortfolioTrace> {
  // biome-ignore lint/style/noNonNullAssertion: every run has a window
  const window = windows[Math.floor(run / plan.combinations)]!;
  return kernel.trace(plan.portfolioAt(run % plan.combinations), window, options);
}

async function stressCosts(prepared: PreparedPortfolioSweep, run: number): Promise<Assessment['costStress']> {
  const stressed: Assessment['costStress'][number][] = [];
  for (const factor of COST_FACTORS) {
    const { metrics, simulation, config, market } = await traceRun(prepared, run, { costs: factor });
    const from = exhaustedFrom(simulation.equity, config);
    stressed.push({
      factor,
      sharpe: metrics.sharpe_ratio,
      totalReturn: metrics.total_return,
      exhaustedOn: from === null ? null : isoTime(market.time[from] ?? Number.NaN).slice(0, 10),
    });
  }
  return stressed;
}

/** The portfolios one step of one axis away; in a drawn sweep, only drawn portfolios. */
function runsBeside({ plan }: PreparedPortfolioSweep, leader: number): number[] {
  const window = Math.floor(leader / plan.combinations) * plan.combinations;
  const own = plan.axisPlaces(leader % plan.combinations);
  const isBeside = (places: readonly number[]): boolean =>
    places.reduce((steps, place, a) => steps + Math.abs(place - (own[a] ?? 0)), 0) === 1;
  const combinations = Array.from({ length: plan.combinations }, (_, c) => c);
  return combinations.filter((c) => isBeside(plan.axisPlaces(c))).map((c) => window + c);
}

function earlierTries(
  { plan, datasets }: PreparedPortfolioSweep,
  own: ReadonlySet<string>,
  before: TriedPortfolios,
): EarlierTries {
  const kept = joinTries(own, before.tries);
  const all = countTries(kept);
  const others = kept.filter((hash) => !own.has(hash)).length;
  const identity = portfolioPlanIdentity(plan);
  const made = new Set(datasets.map((dataset) => triedIdentity(identity, plan.seed, dataset, sha256)));
  return {
    all,
    earlier: kept.length === 0 ? 0 : Math.round((all * others) / kept.length),
    sweeps: before.sweeps.filter(({ sweep }) => !made.has(sweep)),
    otherAssets: before.elsewhere,
  };
}

/** The best portfolio of each training window, over the days that follow it. */
async function walkForward(prepared: PreparedPortfolioSweep, runs: RunTable, minTrades: number) {
  const { plan, kernel, datasets } = prepared;
  const leaders = runs.leaders(minTrades, { isJudged: false });
  const tested: TestedFold[] = [];
  for (const [place, leader] of leaders) {
    // biome-ignore lint/style/noNonNullAssertion: place is an index of a dataset, each of which is a fold
    const { train, test } = datasets[place]!.fold!;
    const window = { start: test.start_date, end: test.end_date };
    const trace = await kernel.trace(plan.portfolioAt(leader.run % plan.combinations), window);
    const { metrics, market, config } = trace;
    tested.push({
      figures: {
        ...{ trainFrom: train.start_date, trainTo: train.end_date, testFrom: test.start_date, testTo: test.end_date },
        ...{ run: leader.run, trialCount: leader.count, trainTrades: leader.trades, inSample: leader.value },
        outOfSample: stated(runs.by, metrics).value,
        totalReturn: metrics.total_return,
        marketReturn: marketReturn(market),
        maxDrawdown: metrics.max_drawdown,
        trades: metrics.total_trades,
      },
      returns: accountDailyReturns(trace),
      market: marketReturns(market, 0),
      daysPerYear: config.trading_days_per_year,
    });
  }
  const newest = [...leaders.keys()].at(-1);
  if (newest === undefined) return null;
  const joined = joinTested(tested, runs.by);
  const foldsLeftOut = datasets.length - leaders.size;
  return { newest, walkForward: { ...joined, metric: runs.by, minTrades, foldsLeftOut } };
}

/** Adds the portfolios of a sweep that traded to the ledger, under each of their assets. */
export async function recordPortfolioTries(
  prepared: PreparedPortfolioSweep,
  runs: RunTable,
  ledger: TriesLedger,
): Promise<TriedPortfolios> {
  const tries = runs.tried(() => true);
  for (const asset of prepared.plan.assets) await ledger.add(asset, tries);
  return triedOn(prepared, ledger);
}

async function triedOn(prepared: PreparedPortfolioSweep, ledger: TriesLedger): Promise<TriedPortfolios> {
  const tries = new Map<string, readonly string[]>();
  for (const name of ledgerNames(prepared)) tries.set(name, await ledger.read(name));
  return triedTogether(prepared, { tries, sweeps: await ledger.sweeps() });
}

/**
 * What was tried on any of the assets of a sweep: whoever picks the assets tried all that was
 * tried on each of them.
 */
export function triedTogether(prepared: PreparedPortfolioSweep, { tries, sweeps }: TriedBefore): TriedPortfolios {
  const names = ledgerNames(prepared);
  const own = joinSweeps(...names.map((name) => sweeps.get(name) ?? []));
  return {
    tries: joinTries(...names.map((name) => tries.get(name) ?? [])),
    sweeps: own,
    elsewhere: choicesElsewhere(portfolioShape(prepared.plan), sweeps, new Set(own.map(({ sweep }) => sweep))),
  };
}

function choicesElsewhere(shape: string, sweeps: TriedBefore['sweeps'], own: ReadonlySet<string>): number {
  const assetsBySweep = new Map<string, string[]>();
  for (const [asset, listed] of sweeps) {
    for (const { sweep, plan } of listed) {
      if (plan !== shape || own.has(sweep)) continue;
      assetsBySweep.set(sweep, [...(assetsBySweep.get(sweep) ?? []), asset]);
    }
  }
  return new Set([...assetsBySweep.values()].map((assets) => assets.sort().join(' '))).size;
}

/** The assets, and the name of them together, under which older versions counted portfolios. */
const ledgerNames = ({ plan, datasets }: PreparedPortfolioSweep): string[] => [
  ...new Set([...plan.assets, datasets[0]?.asset ?? '']),
];

/** Adds what the judged sweep was worth: later ones are judged by it. */
export async function recordJudgedPortfolios(
  prepared: PreparedPortfolioSweep,
  honesty: Assessment | null,
  ledger: TriesLedger,
): Promise<void> {
  for (const { asset, tried } of judgedPortfolios(prepared, honesty)) await ledger.addSweep(asset, tried);
}

/** What a judged sweep was worth, by asset and in each of its windows. */
export function judgedPortfolios(
  { plan, datasets }: Pick<PreparedPortfolioSweep, 'plan' | 'datasets'>,
  honesty: Assessment | null,
): { readonly asset: string; readonly tried: TriedSweep }[] {
  if (honesty === null) return [];
  const identity = portfolioPlanIdentity(plan);
  return datasets.flatMap((dataset) => {
    const tried = {
      sweep: triedIdentity(identity, plan.seed, dataset, sha256),
      plan: portfolioShape(plan),
      tries: honesty.trialCount,
      unrelated: Math.max(honesty.effectiveTrialCount, honesty.effectiveBeyondMarket),
    };
    return plan.assets.map((asset) => ({ asset, tried }));
  });
}

/**
 * What edge a sweep could find at all, known before its first run.
 * @param folder of the sweep, whose rows are not earlier tries; it may hold none yet
 */
export async function portfolioPower(
  prepared: PreparedPortfolioSweep,
  folder: string,
  ledger: TriesLedger,
): Promise<SearchPower | null> {
  const { plan, datasets } = prepared;
  const dataset = datasets.at(-1);
  if (dataset === undefined) return null;
  const { asset, timeframe, start_date, end_date } = dataset;
  const years = ((Date.parse(end_date) - Date.parse(start_date)) / DAY_MS + 1) / prepared.daysPerYear;
  const own = new Set([...(await triedIn(folder)).values()].flat());
  const earlier = earlierTries(prepared, own, await triedOn(prepared, ledger));
  const tries = plan.combinations;
  return {
    ...{ asset, timeframe, tries, years, earlierTries: earlier.earlier },
    ...findableEdge(Math.max(1, tries + unrelatedBefore(earlier, 1)), years, ASSESSMENT_P_MAX),
  };
}
