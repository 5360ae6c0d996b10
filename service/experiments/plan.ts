import type { StoredPlan } from '../../data/state/index.js';
import {
  EngineError,
  formatInterval,
  type HeldOut,
  type HeldOutDays,
  parseInterval,
  type SweepDataset,
} from '../../engine/index.js';
import {
  cutHeldOut,
  type LoadedDataset,
  loadAllFurther,
  loadDatasets,
  recordedDataset,
  type SweepBars,
} from '../../research/sweep/index.js';
import type { DatasetToPlan, Planner, PlanResult } from '../../workers/index.js';

/** Each dataset is held in memory while the experiment is planned and while it runs. */
const EXPERIMENT_DATASETS_MAX = 64;

/** What planning needs. */
export interface PlanDeps {
  readonly bars: SweepBars;
  readonly planner: Planner;
  readonly engineVersion: string;
  /** The days that an organization holds out. */
  readonly heldOut: (orgId: string) => HeldOutDays;
  readonly nowMs: () => number;
}

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
  { orgId, config }: ToPlan,
  runsMax: number,
  { bars, planner, engineVersion, heldOut, nowMs }: PlanDeps,
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
  let loaded: readonly (LoadedDataset | EngineError)[] = [];
  let cut: Pick<Awaited<ReturnType<typeof cutHeldOut>>, 'declared' | 'warnings'> = { declared: [], warnings: [] };
  const prepare = async () => {
    const whole = await loadDatasets(entries, bars, signal);
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
    series: seriesOf(result),
  };
  const datasets = result.series.map(({ dataset }) => dataset);
  return { errors, warnings, totalRuns, found: { planHash, plan, loaded: sound, datasets, declared: cut.declared } };
}

const toPlan = (one: LoadedDataset | EngineError): DatasetToPlan =>
  one instanceof EngineError
    ? { failure: { code: one.code, message: one.message } }
    : { dataset: one.dataset, shared: one.shared };

/** A dataset whose further series are known, be they none. */
const withFurther = (one: DatasetToPlan): DatasetToPlan =>
  'failure' in one ? one : { ...one, dataset: { ...one.dataset, further: one.dataset.further ?? [] } };

/** Runs of each series; consecutive folds of a series count as one. */
function seriesOf({ series }: PlanResult): StoredPlan['series'] {
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
