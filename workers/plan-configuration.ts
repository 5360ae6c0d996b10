import { EngineError } from '../engine/errors.js';
import { viewBars } from '../engine/series/index.js';
import {
  readSweepOver,
  type SweepDefinition,
  type SweepReads,
  type SweepSeries,
  sweepReads,
} from '../engine/sweep/index.js';
import { hashPlan, makePlan } from './sweep-plans.js';
import type { DatasetToPlan, PlanResult, PlanTask } from './sweep-protocol.js';

/**
 * Validates a configuration: lists all its errors, or counts its runs and hashes their identities.
 */
export function planConfiguration({ sweep, toPlan, runsMax }: PlanTask): PlanResult {
  const { definition, errors, warnings } = readSweepOver(sweep, toPlan.map(toSweepSeries));
  const refused = (problems: readonly string[]): PlanResult => ({
    errors: problems,
    warnings,
    totalRuns: 0,
    planHash: null,
    series: [],
    reads: null,
  });
  if (definition === null) return refused(errors);
  const reads = sweepReads(definition);
  if (!isEmpty(reads) && definition.datasets.some(({ further }) => further === undefined)) {
    return { ...refused([]), reads };
  }
  try {
    return { errors: [], reads: null, ...countRuns(sweep, definition, warnings, runsMax) };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return refused([error.message]);
  }
}

function countRuns(
  sweep: unknown,
  definition: SweepDefinition,
  warnings: readonly string[],
  runsMax: number,
): Omit<PlanResult, 'errors' | 'reads'> {
  // The product is 0 unless the search is random.
  const asked = definition.datasets.length * definition.sampleCount;
  if (asked > runsMax) return { warnings, totalRuns: asked, planHash: null, series: [] };
  const plan = makePlan(definition, runsMax);
  const { totalRuns } = plan;
  const all = [...warnings, ...plan.warnings];
  if (totalRuns > runsMax) return { warnings: all, totalRuns, planHash: null, series: [] };
  const runs = definition.datasets.map(() => 0);
  const hash = hashPlan(sweep, { definition, plan }, ({ datasetIndex }) => {
    // biome-ignore lint/style/noNonNullAssertion: a run is of one of the datasets
    runs[datasetIndex]!++;
  });
  // biome-ignore lint/style/noNonNullAssertion: there is a count for each dataset
  const series = definition.datasets.map((dataset, k) => ({ dataset, runs: runs[k]! }));
  return { warnings: all, totalRuns, planHash: hash, series };
}

const isEmpty = ({ details, assets }: SweepReads): boolean =>
  details.length === 0 && Object.values(assets).every((read) => read.length === 0);

const toSweepSeries = (one: DatasetToPlan): SweepSeries =>
  'failure' in one
    ? new EngineError(one.failure.code, one.failure.message)
    : { dataset: one.dataset, bars: () => viewBars(one.shared), startMs: one.startMs };
