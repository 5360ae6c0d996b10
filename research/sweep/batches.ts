import { queryResults, type SweepFolder } from '../../data/sweeps/index.js';
import { EngineError } from '../../engine/errors.js';
import { metricNames } from '../../engine/metrics/index.js';
import type { PlanSearch, RunIdentity, SweepPlan } from '../../engine/sweep/index.js';
import { type ChunkResult, type RunRange, runStatuses } from '../../workers/index.js';

/** Divides a sweep into batches. */
interface Batches {
  /**
   * The missing runs, batch by batch; no batch is empty. A batch may depend on the results of the
   * one before.
   */
  of(missing: readonly RunRange[]): Iterable<readonly RunRange[]>;
  /** Records the results of finished runs. */
  record(result: ChunkResult): void;
}

/**
 * One batch if the runs are known in advance. Otherwise the search proposes batches, guided by the
 * rows in the folder and by new results.
 */
export async function openBatches(plan: SweepPlan, identity: RunIdentity, folder: SweepFolder): Promise<Batches> {
  if (plan.search !== null) return openSearch(plan, plan.search, identity, folder);
  return { of: (missing) => (missing.length === 0 ? [] : [missing]), record: () => {} };
}

const OK = runStatuses.indexOf('ok');

/**
 * Every process starts the search from scratch. It feeds the existing rows to the search, which
 * then repeats the proposals that produced them.
 */
async function openSearch(
  plan: SweepPlan,
  search: PlanSearch,
  identity: RunIdentity,
  folder: SweepFolder,
): Promise<Batches> {
  const { metric } = search;
  const values = new Float64Array(plan.totalRuns).fill(NaN);
  const hashes = new Map<number, string>();
  if ((await folder.parts()).length > 0) {
    const { rows } = await queryResults([folder.path], `SELECT run_index, config_hash, status, ${metric} FROM results`);
    for (const [run, hash, status, value] of rows) {
      hashes.set(Number(run), String(hash));
      if (status === 'ok' && typeof value === 'number') values[Number(run)] = value;
    }
  }
  const requireProposed = ({ from, to }: RunRange): void => {
    for (let run = from; run < to; run++) {
      const hash = hashes.get(run);
      if (hash === undefined || hash === identity.configHash(plan.run(run))) continue;
      const message = `run ${run} in ${folder.path} is not the run that the search proposes: rows were changed`;
      throw new EngineError('CONFLICT', message);
    }
  };
  return {
    *of(missing) {
      for (let batch = search.propose(); batch !== null; batch = search.propose()) {
        requireProposed(batch);
        const left = overlap(missing, batch);
        if (left.length > 0) yield left;
        search.tell(values.subarray(batch.from, batch.to));
      }
    },
    record({ from, count, statuses, metrics }) {
      const m = metricNames.indexOf(metric);
      for (let k = 0; k < count; k++) {
        // biome-ignore lint/style/noNonNullAssertion: metrics has one value per run and metric
        if (statuses[k] === OK) values[from + k] = metrics[k * metricNames.length + m]!;
      }
    },
  };
}

const overlap = (ranges: readonly RunRange[], { from, to }: RunRange): RunRange[] =>
  ranges
    .map((range) => ({ from: Math.max(from, range.from), to: Math.min(to, range.to) }))
    .filter((range) => range.from < range.to);
