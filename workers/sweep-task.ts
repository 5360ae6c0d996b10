// biome-ignore-all lint/style/noNonNullAssertion: turnTo() sets prepared before its use, with bars
// for every dataset

import { sha256 } from '../data/hashes/index.js';
import { EngineError, errorMessage } from '../engine/errors.js';
import { metricNames } from '../engine/metrics/index.js';
import { type BarSeries, joinBars, type SharedBars, viewBars } from '../engine/series/index.js';
import type { OwnSignal } from '../engine/signals/index.js';
import { BarsWithinReach } from '../engine/simd/index.js';
import {
  type FurtherSeries,
  HistoryKernels,
  isAssessed,
  noFurther,
  RunIdentity,
  readSweepOver,
  type SweepDefinition,
  type SweepKernel,
  type SweepPlan,
  type SweepRun,
  tradedIn,
} from '../engine/sweep/index.js';
import { loadOwnSignals } from './own-signals.js';
import { planConfiguration } from './plan-configuration.js';
import { writeRows } from './result-rows.js';
import { makePlan } from './sweep-plans.js';
import {
  type ChunkResult,
  type ChunkTask,
  type PlanResult,
  type PlanTask,
  rowError,
  runStatuses,
  type SharedFurther,
  type SweepSetup,
} from './sweep-protocol.js';

interface Prepared {
  readonly setup: SweepSetup;
  readonly definition: SweepDefinition;
  readonly plan: SweepPlan;
  readonly identity: RunIdentity;
}

/** Prepared sweeps by experiment, latest last: a thread may alternate between experiments. */
const preparedOf = new Map<string, Prepared>();
const PREPARED_MAX = 3;
/** The current sweep. */
let prepared: Prepared | undefined;
/** Kernels of the current dataset: runs come dataset by dataset. */
let current: { readonly dataset: number; readonly kernels: HistoryKernels } | undefined;
/**
 * A copy of the current series in the memory of this thread, unless threads share it. All copies of
 * all sweeps use that memory in turn.
 */
const reach = new BarsWithinReach();
let held: { readonly source: number; readonly bars: BarSeries; readonly further: FurtherSeries } | undefined;

/** Plans the sweep like every other thread: equal configurations give equal runs. */
export function prepare(setup: SweepSetup, own: readonly OwnSignal[] = []): Prepared {
  const { definition, errors } = readSweepOver(
    setup.sweep,
    setup.datasets.map((dataset, i) => {
      const { shared, startMs } = setup.bars[i]!;
      return { dataset, bars: () => viewBars(shared), startMs };
    }),
    own,
    'warned',
    'relaxed', // the thread that checked it has applied the rule of its way in
  );
  if (definition === null) throw new Error(`a sweep that was checked has errors: ${errors.join('; ')}`);
  const plan = makePlan(definition, setup.runsMax);
  return { setup, definition, plan, identity: new RunIdentity(definition, sha256) };
}

export default async function perform(task: ChunkTask | PlanTask): Promise<ChunkResult | PlanResult> {
  return 'toPlan' in task ? planConfiguration(task) : runChunk(task);
}

/**
 * Computes a chunk and writes its rows in the thread, so that there is no single writer to wait
 * for. A run that fails gets an error row; the chunk fails only if the thread dies.
 */
async function runChunk(task: ChunkTask): Promise<ChunkResult> {
  const own = await loadOwnSignals(task.setup.signalModules ?? []);
  const result = computeChunk(task, own);
  if (result.count === 0) return result;
  const { setup, definition, plan } = prepared!;
  try {
    await writeRows(result, { ...setup.rows, definition, plan, completedMs: Date.now() });
    return result;
  } catch (error) {
    return {
      ...result,
      writeError: `rows cannot be written: ${errorMessage(error)}`,
    };
  }
}

/**
 * Switches to a sweep. It releases what was computed for the previous one, but keeps recent plans.
 */
function turnTo(setup: SweepSetup, own: readonly OwnSignal[]): Prepared {
  const { experimentId } = setup.rows;
  if (prepared?.setup.rows.experimentId === experimentId) return prepared;
  letGo();
  prepared = preparedOf.get(experimentId) ?? prepare(setup, own);
  preparedOf.delete(experimentId);
  preparedOf.set(experimentId, prepared);
  const [oldest] = preparedOf.keys();
  if (preparedOf.size > PREPARED_MAX) preparedOf.delete(oldest!);
  return prepared;
}

function computeChunk({ setup, from, to, places, failure }: ChunkTask, own: readonly OwnSignal[]): ChunkResult {
  const { plan, identity } = turnTo(setup, own);
  if (places !== undefined) plan.search?.adopt(from, places);
  const room = to - from;
  const statuses = new Uint8Array(room);
  const datasets = new Uint32Array(room);
  const elapsedMs = new Float64Array(room);
  const metrics = new Float64Array(room * metricNames.length);
  const configHashes: string[] = [];
  const errors: (string | null)[] = [];
  const returns: (Float32Array | null)[] = [];
  let count = 0;
  for (; count < room && (count === 0 || Atomics.load(setup.stop, 0) === 0); count++) {
    const start = performance.now();
    const run = plan.run(from + count);
    configHashes.push(identity.configHash(run));
    datasets[count] = run.datasetIndex;
    const values = metrics.subarray(count * metricNames.length, (count + 1) * metricNames.length);
    try {
      if (failure !== undefined) throw new EngineError('INVALID_DATA', failure);
      const reason = plan.ruledOut?.(run) ?? null;
      if (reason !== null) values.fill(NaN); // it was not run: its row says why, and no figures
      const kernel = reason === null ? kernelFor(run) : null;
      const status = kernel?.run(run, values) ?? 'skipped';
      statuses[count] = runStatuses.indexOf(status);
      errors.push(reason);
      const isKept = status === 'ok' && isAssessed(from + count, plan.totalRuns);
      returns.push(isKept && kernel !== null ? kernel.periodReturns() : null);
    } catch (error) {
      statuses[count] = runStatuses.indexOf('error');
      values.fill(NaN);
      errors.push(rowError(error));
      returns.push(null);
    }
    elapsedMs[count] = performance.now() - start;
  }
  const cut = <T extends Uint8Array | Uint32Array | Float64Array>(column: T, length: number) =>
    column.slice(0, length) as T;
  return {
    writeError: null,
    from,
    count,
    statuses: cut(statuses, count),
    datasets: cut(datasets, count),
    configHashes,
    errors,
    elapsedMs: cut(elapsedMs, count),
    metrics: cut(metrics, count * metricNames.length),
    returns,
  };
}

function kernelFor(run: SweepRun): SweepKernel {
  const { datasetIndex: dataset } = run;
  if (current?.dataset !== dataset) {
    current?.kernels.release();
    current = undefined;
    current = { dataset, kernels: kernelsOver(dataset) };
  }
  return current.kernels.over(run);
}

/** The kernel of each run over a dataset or fold. */
function kernelsOver(dataset: number): HistoryKernels {
  const { setup, definition } = prepared!;
  const { fold } = definition.datasets[dataset]!;
  const source = fold?.source ?? dataset;
  const series = holdSeries(source);
  const { startMs = -Infinity } = setup.bars[source]!;
  const traded = fold === undefined ? { ...series, startMs } : tradedIn(series, fold.train);
  return new HistoryKernels(definition, traded, setup.cacheBytesMax);
}

/**
 * A series in memory that kernels can reach, with its further ones. Another series and everything derived from
 * it is released first.
 */
function holdSeries(source: number): { readonly bars: BarSeries; readonly further: FurtherSeries } {
  if (held?.source !== source) {
    letGo();
    const { shared, further } = prepared!.setup.bars[source]!;
    const bars = shared.memory === undefined ? reach.hold(viewBars(shared)) : joinBars(shared.memory, shared);
    held = { source, bars, further: further === undefined ? noFurther : viewFurther(bars, further) };
  }
  return held;
}

/** The further series stay where they are: kernels do not read them. */
function viewFurther(bars: BarSeries, { own, others, details }: SharedFurther): FurtherSeries {
  const view = (series: Readonly<Record<string, SharedBars>>) =>
    Object.fromEntries(Object.entries(series).map(([name, shared]) => [name, viewBars(shared)]));
  return {
    others: { ...view(others), ...Object.fromEntries(own.map((name) => [name, bars])) },
    details: view(details),
  };
}

/** Releases all that is held in the memory of this thread. */
function letGo(): void {
  current?.kernels.release();
  current = undefined;
  reach.leave();
  held = undefined;
}
