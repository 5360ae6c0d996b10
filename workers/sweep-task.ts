import { sha256 } from '../data/hashes/index.js';
import {
  EngineError,
  metricNames,
  planSweep,
  RunIdentity,
  readSweep,
  type SweepDefinition,
  SweepKernel,
  type SweepPlan,
  viewBars,
  WindowKernels,
} from '../engine/index.js';
import { writeRows } from './result-rows.js';
import { type ChunkResult, type ChunkTask, runStatuses, type SweepSetup } from './sweep-protocol.js';

/** Characters of an error message that a row keeps. */
const ERROR_LENGTH_MAX = 200;

interface Prepared {
  readonly setup: SweepSetup;
  readonly definition: SweepDefinition;
  readonly plan: SweepPlan;
  readonly identity: RunIdentity;
}

let prepared: Prepared | undefined;
/** Of the dataset at hand: runs come dataset by dataset, so one kernel at a time is enough. */
let kernel: { readonly dataset: number; readonly kernel: SweepKernel } | undefined;
/** Of the series whose folds are at hand. */
let folds: { readonly source: number; readonly kernels: WindowKernels } | undefined;

/** Plans the sweep as every other thread does: the same configuration gives the same runs. */
export function prepare(setup: SweepSetup): Prepared {
  let next = 0;
  const { definition, errors } = readSweep(
    setup.sweep,
    () => setup.datasets[next++]!,
    (dataset) => viewBars(setup.bars[setup.datasets.indexOf(dataset)]!.shared),
  );
  if (definition === null) throw new Error(`a sweep that was checked has errors: ${errors.join('; ')}`);
  const plan = planSweep(definition, { sha256, runsMax: setup.runsMax });
  return { setup, definition, plan, identity: new RunIdentity(definition, sha256) };
}

/**
 * One chunk of runs and its rows, in a thread, so that nothing waits for one writer. A run that fails is a row; only what kills the
 * thread is a failure of the chunk.
 */
export default async function runChunk(task: ChunkTask): Promise<ChunkResult> {
  const result = computeChunk(task);
  const { setup, definition, plan } = prepared!;
  try {
    await writeRows(result, { ...setup.rows, definition, plan, completedMs: Date.now() });
    return { ...result, isWritten: true };
  } catch (error) {
    return {
      ...result,
      writeError: `rows cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

function computeChunk({ setup, from, to, places }: ChunkTask): ChunkResult {
  prepared ??= prepare(setup);
  const { plan, identity } = prepared;
  if (places !== undefined) plan.search?.adopt(from, places);
  const room = to - from;
  const statuses = new Uint8Array(room);
  const elapsedMs = new Float64Array(room);
  const metrics = new Float64Array(room * metricNames.length);
  const configHashes: string[] = [];
  const errors: (string | null)[] = [];
  let count = 0;
  for (; count < room && (count === 0 || Atomics.load(setup.stop, 0) === 0); count++) {
    const start = performance.now();
    const run = plan.run(from + count);
    configHashes.push(identity.configHash(run));
    const values = metrics.subarray(count * metricNames.length, (count + 1) * metricNames.length);
    try {
      statuses[count] = runStatuses.indexOf(kernelFor(run.datasetIndex).run(run, values));
      errors.push(null);
    } catch (error) {
      statuses[count] = runStatuses.indexOf('error');
      values.fill(NaN);
      errors.push(messageOf(error));
    }
    elapsedMs[count] = performance.now() - start;
  }
  const cut = <T extends Uint8Array | Float64Array>(column: T, length: number) => column.slice(0, length) as T;
  return {
    isWritten: false,
    writeError: null,
    from,
    count,
    statuses: cut(statuses, count),
    configHashes,
    errors,
    elapsedMs: cut(elapsedMs, count),
    metrics: cut(metrics, count * metricNames.length),
  };
}

function kernelFor(dataset: number): SweepKernel {
  if (kernel?.dataset !== dataset) {
    kernel?.kernel.release();
    const { setup, definition } = prepared!;
    const { fold } = definition.datasets[dataset]!;
    const { shared, first } = setup.bars[fold?.source ?? dataset]!;
    const made =
      fold === undefined
        ? new SweepKernel(definition, viewBars(shared), first, setup.cacheBytesMax)
        : kernelsFor(fold.source).over(fold.train);
    kernel = { dataset, kernel: made };
  }
  return kernel.kernel;
}

function kernelsFor(source: number): WindowKernels {
  if (folds?.source !== source) {
    const { setup, definition } = prepared!;
    const bars = viewBars(setup.bars[source]!.shared);
    folds = { source, kernels: new WindowKernels(definition, bars, setup.cacheBytesMax) };
  }
  return folds.kernels;
}

function messageOf(error: unknown): string {
  const text = error instanceof EngineError ? error.message : `internal error: ${String(error)}`;
  return text.slice(0, ERROR_LENGTH_MAX);
}
