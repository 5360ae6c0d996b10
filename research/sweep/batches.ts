import { queryResults, type SweepFolder } from '../../data/sweeps/index.js';
import { EngineError, metricNames, type PlanSearch, type RunIdentity, type SweepPlan } from '../../engine/index.js';
import { type ChunkResult, type RunRange, runStatuses } from '../../workers/index.js';

/** In which portions a sweep is run. */
interface Batches {
  /**
   * What is missing, batch by batch; none of them is empty. The next one may need the results of
   * the one before.
   */
  of(missing: readonly RunRange[]): Iterable<readonly RunRange[]>;
  /** Takes note of finished runs. */
  record(result: ChunkResult): void;
}

/**
 * All at once where the runs are known; otherwise as the search proposes them, from the rows of the
 * folder and those to come.
 */
export async function openBatches(plan: SweepPlan, identity: RunIdentity, folder: SweepFolder): Promise<Batches> {
  if (plan.search !== null) return openSearch(plan, plan.search, identity, folder);
  return { of: (missing) => (missing.length === 0 ? [] : [missing]), record: () => {} };
}

const OK = runStatuses.indexOf('ok');

/**
 * The search begins anew with every process: it is told what rows say, and so proposes what it did
 * when they were made.
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
      const message = `run ${run} in ${folder.path} is not the one that the search proposes: rows were changed`;
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
        // biome-ignore lint/style/noNonNullAssertion: one value for each run of the batch
        if (statuses[k] === OK) values[from + k] = metrics[k * metricNames.length + m]!;
      }
    },
  };
}

const overlap = (ranges: readonly RunRange[], { from, to }: RunRange): RunRange[] =>
  ranges
    .map((range) => ({ from: Math.max(from, range.from), to: Math.min(to, range.to) }))
    .filter((range) => range.from < range.to);
