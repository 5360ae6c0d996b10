import type { BarStore } from '../../data/bars/index.js';
import type { StoredPlan } from '../../data/state/index.js';
import { EngineError, formatInterval, parseInterval } from '../../engine/index.js';
import type { DatasetToPlan, Planner, PlanResult } from '../../workers/index.js';
import { type LoadedDataset, loadDatasets } from '../sweep/datasets.js';

/** More runs than this are not planned by the service, whatever a tier allows: each is looked at before the first one runs. */
export const EXPERIMENT_RUNS_MAX = 1_000_000;

/** What it takes to plan. */
export interface PlanDeps {
  readonly bars: BarStore;
  readonly planner: Planner;
  readonly engineVersion: string;
}

export type Configuration = Readonly<Record<string, unknown>>;

/** A configuration after it was looked at. */
export interface Planned {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly totalRuns: number;
  /** Null where there are errors, or more runs than were counted. */
  readonly found: { readonly planHash: string; readonly plan: StoredPlan } | null;
  readonly loaded: readonly (LoadedDataset | EngineError)[];
}

/**
 * Checks a configuration and builds its plan, in a thread.
 * @param runsMax runs are counted up to one more
 */
export async function planExperiment(
  config: Configuration,
  runsMax: number,
  { bars, planner, engineVersion }: PlanDeps,
): Promise<Planned> {
  if (config.search_mode === 'tpe') {
    // Its runs follow from the results of earlier ones, and workers far apart have those of each other late.
    const error = 'search_mode must be grid or random here, was tpe: the command line runs such sweeps';
    return { errors: [error], warnings: [], totalRuns: 0, found: null, loaded: [] };
  }
  const entries = Array.isArray(config.datasets) ? config.datasets.filter(isObject) : [];
  const loaded = await loadDatasets(entries, bars);
  const result = await planner.plan({ sweep: config, toPlan: loaded.map(toPlan), runsMax });
  const { errors, warnings, totalRuns, planHash } = result;
  const datasets = loaded.flatMap((one) => (one instanceof EngineError ? [] : [one.dataset]));
  const found = planHash === null ? null : { planHash, plan: { engineVersion, datasets, series: seriesOf(result) } };
  return { errors, warnings, totalRuns, found, loaded };
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

const toPlan = (one: LoadedDataset | EngineError): DatasetToPlan =>
  one instanceof EngineError
    ? { failure: { code: one.code, message: one.message } }
    : { dataset: one.dataset, shared: one.shared };

/** Runs of each series; folds of one, which follow each other, are one. */
function seriesOf({ series }: PlanResult): StoredPlan['series'] {
  const all: { key: string; from: number; to: number }[] = [];
  let from = 0;
  for (const { asset, timeframe, runs } of series) {
    const key = `${asset}_${formatInterval(parseInterval(timeframe))}`;
    const last = all.at(-1);
    if (last?.key === key) last.to += runs;
    else all.push({ key, from, to: from + runs });
    from += runs;
  }
  return all;
}
