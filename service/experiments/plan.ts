import { EngineError } from '../../engine/errors.js';
import { formatInterval, parseInterval } from '../../engine/series/index.js';
import type { HeldOut, HeldOutDays, SweepDataset } from '../../engine/sweep/index.js';
import { isPortfolioSweep } from '../../research/portfolio/sweep/index.js';
import {
  barsOfSweep,
  cutHeldOut,
  type LoadedDataset,
  loadAllFurther,
  loadDatasets,
  recordedDataset,
  type SweepBars,
} from '../../research/sweep/index.js';
import { type DatasetToPlan, openPlanner, type Planner, type PlanResult, ThreadFailure } from '../../workers/index.js';
import { ApiError } from '../api-error.js';
import type { PlannedPortfolios, PortfolioPlanAnswer, PortfolioPlanTask } from './portfolio-plan-task.js';
import type { StoredPlan } from './tables.js';

/** Each dataset is held in memory while the experiment is planned and while it runs. */
const EXPERIMENT_DATASETS_MAX = 64;

/** Each thread that runs portfolios holds the bars of all their assets. */
const PORTFOLIO_BARS_MAX = 1_000_000;

/** What planning needs. */
export interface PlanDeps {
  readonly bars: SweepBars;
  readonly planner: Planner;
  readonly portfolioPlanner: PortfolioPlanner;
  /** Where threads that plan and run portfolios find the bars. */
  readonly home: string;
  readonly sampleDir: string;
  readonly engineVersion: string;
  /** The days that an organization holds out. */
  readonly heldOut: (orgId: string) => HeldOutDays & { list(): Promise<readonly HeldOut[]> };
  readonly nowMs: () => number;
}

/** Plans experiments over portfolios. */
type PortfolioPlanner = Planner<PortfolioPlanTask, PortfolioPlanAnswer>;

export const openPortfolioPlanner = (): PortfolioPlanner =>
  openPlanner({ task: planTask, threads: 1, endsBySignal: false });

/** The task runs in the form of this file: compiled, or through a loader. */
const planTask = new URL(`./portfolio-plan-task${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

export type Configuration = Readonly<Record<string, unknown>>;

/** An experiment to plan, and the organization whose turn it takes. */
interface ToPlan {
  readonly orgId: string;
  readonly config: Configuration;
}

/** The result of checking and planning a configuration. */
export interface Planned {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly totalRuns: number;
  /** Null if there are errors or more runs than were counted. */
  readonly found: FoundPlan | null;
}

interface FoundPlan {
  readonly planHash: string;
  readonly plan: StoredPlan;
  /** The bars that the plan was made with, in the order of the configuration. */
  readonly loaded: readonly LoadedDataset[];
  /** Every dataset; one entry per fold if it has folds. */
  readonly datasets: readonly SweepDataset[];
  /** Days to hold out before the first run. */
  readonly declared: readonly HeldOut[];
  /** The plan of an experiment over portfolios, for which no bars are loaded here; null of others. */
  readonly portfolios: PlannedPortfolios | null;
}

const refused = (error: string): Planned => ({ errors: [error], warnings: [], totalRuns: 0, found: null });

/**
 * Runs that a random search asks for, by the numbers of its configuration alone. With folds it has
 * more, and an exhausted space has fewer. Null for other searches and for invalid numbers.
 */
export function requestedRuns({ search_mode, n_random, datasets }: Configuration): number | null {
  const isRandom = search_mode === 'random' && Number.isSafeInteger(n_random) && Array.isArray(datasets);
  return isRandom ? Number(n_random) * datasets.length : null;
}

/**
 * Checks a configuration and builds its plan in a thread. Bars are loaded once the thread is free.
 * @param runsMax as in `PlanTask`
 * @throws as `Planner.plan`
 */
export async function planExperiment(
  toPlan: ToPlan,
  runsMax: number,
  deps: PlanDeps,
  signal?: AbortSignal,
): Promise<Planned> {
  return isPortfolioSweep(toPlan.config)
    ? planPortfolios(toPlan, runsMax, deps, signal)
    : planStrategies(toPlan, runsMax, deps, signal);
}

async function planPortfolios(
  { orgId, config }: ToPlan,
  runsMax: number,
  { portfolioPlanner, home, sampleDir, engineVersion, heldOut }: PlanDeps,
  signal?: AbortSignal,
): Promise<Planned> {
  const prepare = async () => {
    const given = { config, home, sampleDir, engineVersion, barsMax: PORTFOLIO_BARS_MAX };
    return { ...given, heldOut: await heldOut(orgId).list() };
  };
  const answer = await portfolioPlanner.plan(prepare, signal, orgId);
  if ('refusal' in answer) return refused(answer.refusal);
  const { planned } = answer;
  const { warnings, totalRuns, planHash, datasets, declared } = planned;
  if (totalRuns > runsMax) return { errors: [], warnings, totalRuns, found: null };
  const [{ asset, timeframe }] = datasets as readonly [SweepDataset]; // a sweep has a window
  const plan: StoredPlan = {
    engineVersion,
    datasets: datasets.map(recordedDataset),
    series: [{ key: `${asset}_${timeframe}`, from: 0, to: totalRuns }],
  };
  const found = { planHash, plan, loaded: [], datasets, declared, portfolios: planned };
  return { errors: [], warnings, totalRuns, found };
}

async function planStrategies(
  { orgId, config }: ToPlan,
  runsMax: number,
  { bars: held, planner, engineVersion, heldOut, nowMs }: PlanDeps,
  signal?: AbortSignal,
): Promise<Planned> {
  const { datasets: entries, search_mode } = config;
  if (search_mode === 'tpe') {
    // TPE picks runs from the results of earlier ones, which distant workers learn too late.
    return refused('search_mode must be grid or random here, was tpe: the command line runs such sweeps');
  }
  if (Array.isArray(entries) && entries.length > EXPERIMENT_DATASETS_MAX) {
    return refused(`datasets must be a list with at most ${EXPERIMENT_DATASETS_MAX} datasets, had ${entries.length}`);
  }
  const bars = barsOfSweep(config, held);
  let loaded: readonly (LoadedDataset | EngineError)[] = [];
  let cut: Pick<Awaited<ReturnType<typeof cutHeldOut>>, 'declared' | 'warnings'> = { declared: [], warnings: [] };
  const prepare = async () => {
    const whole = await loadDatasets(config, bars, signal);
    const { datasets, ...rest } = await cutHeldOut(config, whole, heldOut(orgId), nowMs());
    [loaded, cut] = [datasets, rest];
    return { sweep: config, toPlan: loaded.map(toPlan), runsMax };
  };
  let result = await planner.plan(prepare, signal, orgId);
  const aboutFurther: string[] = [];
  const { reads } = result;
  if (reads !== null) {
    const prepareFurther = async () => {
      const further = await loadAllFurther(reads, loaded as readonly LoadedDataset[], bars);
      if (further !== null) loaded = further.loaded;
      aboutFurther.push(...(further?.warnings ?? []));
      return { sweep: config, toPlan: loaded.map((one) => withFurther(toPlan(one))), runsMax };
    };
    try {
      result = await planner.plan(prepareFurther, signal, orgId);
    } catch (error) {
      if (error instanceof EngineError) return refused(error.message);
      throw error;
    }
  }
  const { errors, totalRuns, planHash } = result;
  const warnings = [...cut.warnings, ...aboutFurther, ...result.warnings];
  if (planHash === null) return { errors, warnings, totalRuns, found: null };
  const sound = loaded as readonly LoadedDataset[];
  const plan = {
    engineVersion,
    datasets: sound.map(({ dataset }) => recordedDataset(dataset)),
    series: runsBySeries(result),
  };
  const datasets = result.series.map(({ dataset }) => dataset);
  const { declared } = cut;
  const found = { planHash, plan, loaded: sound, datasets, declared, portfolios: null };
  return { errors, warnings, totalRuns, found };
}

const toPlan = (one: LoadedDataset | EngineError): DatasetToPlan =>
  one instanceof EngineError
    ? { failure: { code: one.code, message: one.message } }
    : { dataset: one.dataset, shared: one.shared, startMs: one.startMs };

/** A dataset whose further series are known, be they none. */
const withFurther = (one: DatasetToPlan): DatasetToPlan =>
  'failure' in one ? one : { ...one, dataset: { ...one.dataset, further: one.dataset.further ?? [] } };

/** Runs of each series; consecutive folds of a series count as one. */
function runsBySeries({ series }: PlanResult): StoredPlan['series'] {
  const all: { key: string; from: number; to: number }[] = [];
  let from = 0;
  for (const { dataset, runs } of series) {
    const { asset, timeframe } = dataset;
    const key = `${asset}_${formatInterval(parseInterval(timeframe))}`;
    const last = all.at(-1);
    if (last?.key === key) last.to += runs;
    else all.push({ key, from, to: from + runs });
    from += runs;
  }
  return all;
}

const RETRY_SECONDS = 5;

/**
 * Awaits the answer of a thread that other calls wait for too.
 * @throws ENGINE_BUSY with `retry_after` if too many calls wait or the service is stopping
 */
export async function orBusy<T>(what: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ThreadFailure) || (error.fault !== 'full' && error.fault !== 'closed')) throw error;
    const message = `no ${what} can start now: ${error.message}`;
    throw new ApiError('ENGINE_BUSY', message, { retry_after: RETRY_SECONDS });
  }
}
