import { sha256 } from '../../data/hashes/index.js';
import type { Hold, SweepFolder } from '../../data/sweeps/index.js';
import { canonicalJson } from '../../engine/canonical-json.js';
import { EngineError } from '../../engine/errors.js';
import type { MetricName } from '../../engine/metrics/index.js';
import { ColumnMemory } from '../../engine/series/index.js';
import { defaultRanking, type Ranking, RunIdentity, RunTable, type SweepDefinition } from '../../engine/sweep/index.js';
import {
  type ChunkResult,
  hashPlan,
  type RunRange,
  readyThreads,
  runSweepChunks,
  type SweepSetup,
  type SweepThreads,
  startThreads,
  ThreadChoice,
} from '../../workers/index.js';
import type { OwnSignals } from '../backtest/prepare-run.js';
import type { Services } from '../backtest/run-backtest.js';
import { openBatches } from './batches.js';
import { btcReturns } from './btc-returns.js';
import { type LoadedDataset, recordedDataset } from './datasets.js';
import { sharedSeries } from './further.js';
import { judgedRuns, keepRuns } from './judged-runs.js';
import { type PreparedSweep, prepareSweep, rankedBy, SWEEP_RUNS_MAX } from './prepare-sweep.js';
import { runElsewhere, type SweepRunner } from './run-elsewhere.js';
import { type FolderOutcome, openForRun, runInFolder } from './sweep-folder.js';
import { type SweepProgress, Tally } from './tally.js';

interface SweepRequest {
  /** Parsed JSON of the configuration. */
  readonly sweep: unknown;
  /** Folder of the sweep and its rows. */
  readonly folder: string;
  readonly experimentId: string;
  /** Most threads to use; a short sweep uses fewer, because that is faster. */
  readonly threads?: number | undefined;
  /** True resumes the sweep in the folder; false requires a folder without one. */
  readonly isResumed: boolean;
  /** Set to a value other than 0 to stop after the current runs, with all finished rows written. */
  readonly stop: Int32Array;
  readonly onProgress: (progress: SweepProgress) => void;
  /** Called once, with the checked plan, before the first run. */
  readonly onPlanned?: (prepared: PreparedSweep, folder: string) => Promise<void>;
  /** Runs the sweep in place of threads here; it names the experiment and the folder. */
  readonly runner?: SweepRunner | undefined;
  /** What the progress calls the best run; by default the highest Sharpe ratio. */
  readonly ranking?: Ranking;
  /** Module that runs in the threads, for measurements. Default: the module of sweeps. */
  readonly task?: URL;
  /** Signals in code that the rules may name. */
  readonly own?: OwnSignals | undefined;
}

export type SweepOutcome = FolderOutcome<PreparedSweep>;

/** What the runs of a sweep gave, to judge them by a metric. */
export const outcomeRuns = ({ folder, total, prepared, runs }: SweepOutcome, by: MetricName): Promise<RunTable> =>
  judgedRuns({ folder, totalRuns: total, datasets: prepared.definition.datasets, kept: runs }, by);

/** Record of a sweep in its folder: enough to plan the sweep again and to detect a change. */
export interface SweepRecord extends PlanRecord {
  readonly version: 1;
  readonly experiment_id: string;
  readonly sweep: unknown;
}

interface PlanRecord {
  readonly engine_version: string;
  readonly datasets: readonly object[];
  readonly total_runs: number;
  readonly plan_hash: string;
  /** Signals in code; absent in a sweep without them. */
  readonly signals?: { readonly from: string; readonly hash: string };
}

/**
 * Memory for masks and columns, shared equally among the threads. A thread with less memory
 * computes more.
 */
const CACHE_BYTES_MAX = 128 * 1024 * 1024;

/**
 * Runs a sweep, or the rest of it, into its folder. The row of a run exists as soon as its chunk is
 * written. After a crash the same call with `isResumed` continues from there.
 *
 * @throws EngineError for anything that the caller can fix
 */
export async function runSweep(request: SweepRequest, services: Services): Promise<SweepOutcome> {
  const { runner, sweep, onPlanned } = request;
  if (runner !== undefined) {
    const prepared = await prepareSweep(sweep, services);
    const plan = sweepRecord('', sweep, prepared, services);
    return runElsewhere({ runner, prepared, plan, heldOut: services.heldOut, onPlanned });
  }
  const sweeps = { what: 'sweep', isOurs: (record: unknown) => record !== null };
  const { folder, known } = await openForRun<SweepRecord>(request.folder, request.isResumed, sweeps);
  // The first thread loads its code while the bars are read.
  const threads = startThreads({ ...request, threadsAtOnce: 1 });
  try {
    return await runPlanned(known, { request, services, folder, threads });
  } finally {
    await threads.end();
  }
}

/** State of a running sweep. */
interface Running {
  readonly request: SweepRequest;
  readonly services: Services;
  readonly folder: SweepFolder;
  readonly threads: SweepThreads;
  readonly prepared: PreparedSweep;
  readonly setup: SweepSetup;
  /** Until it resolves, threads may be loading code, and must not be ended. */
  readonly ready: Promise<void>;
  readonly record: SweepRecord;
  readonly hold: Hold;
  /** Null in a resumed sweep. */
  readonly runs: RunTable | null;
}

async function runPlanned(
  known: SweepRecord | null,
  given: Pick<Running, 'request' | 'services' | 'folder' | 'threads'>,
): Promise<SweepOutcome> {
  const { request, services, threads } = given;
  const { sweep, experiment_id: experimentId } = known ?? { sweep: request.sweep, experiment_id: request.experimentId };
  const { own } = request;
  if (known?.signals !== undefined && own === undefined) {
    throw new EngineError(
      'MISSING_FIELD',
      `the sweep uses signals of ${known.signals.from}: --signals must name that module`,
    );
  }
  const prepared = await prepareSweep(sweep, services, own?.signals, known === null ? 'refused' : 'warned');
  await request.onPlanned?.(prepared, given.folder.path);
  const setup = await sweepSetup(experimentId, sweep, prepared, given);
  const { definition, plan } = prepared;
  const worth = new ThreadChoice(known === null ? plan.totalRuns : 0, meanBars(definition), threads.count).count;
  const ready = readyThreads(setup, threads, worth); // while this thread hashes the plan
  try {
    return await runHeld(known, { ...given, prepared, setup, ready });
  } finally {
    await ready;
  }
}

async function runHeld(
  known: SweepRecord | null,
  given: Omit<Running, 'record' | 'hold' | 'runs'>,
): Promise<SweepOutcome> {
  const { request, services, folder, threads, prepared, setup, ready } = given;
  const { own } = request;
  const record = {
    ...sweepRecord(setup.rows.experimentId, setup.sweep, prepared, services),
    ...(own === undefined ? {} : { signals: { from: own.from, hash: own.hash } }),
  };
  if (known !== null) requireSame('sweep', known, record);
  const { declared, warnings } = prepared;
  const run = { folder, isNew: known === null, record, declared, heldOut: services.heldOut };
  const by = rankedBy(prepared, (request.ranking ?? defaultRanking).by);
  const runs = known === null ? new RunTable(by, prepared.plan.totalRuns) : null;
  const done = await runInFolder(run, async (hold) => {
    const all = await runMissing({ ...given, record, hold, runs });
    await ready;
    await threads.end(); // frees their memory before the parts are joined
    return all;
  });
  const { experiment_id: experimentId, total_runs: total, plan_hash: planHash } = record;
  return { experimentId, folder: request.folder, total, done, planHash, warnings, prepared, runs };
}

function sweepRecord(experimentId: string, sweep: unknown, prepared: PreparedSweep, services: Services): SweepRecord {
  const { plan, loaded } = prepared;
  return {
    version: 1,
    experiment_id: experimentId,
    engine_version: services.engineVersion,
    sweep,
    datasets: loaded.map(({ dataset }) => recordedDataset(dataset)),
    total_runs: plan.totalRuns,
    plan_hash: hashPlan(sweep, prepared),
  };
}

/** Throws unless both plans are the same; otherwise rows of two plans would mix. */
export function requireSame(what: 'sweep' | 'experiment', before: PlanRecord, now: PlanRecord): void {
  const changed = (['plan_hash', 'total_runs', 'engine_version', 'datasets', 'signals'] as const).filter(
    (field) => canonicalJson(before[field] ?? null) !== canonicalJson(now[field] ?? null),
  );
  if (changed.length === 0) return;
  const said = changed.map(
    (field) => `${field} was ${canonicalJson(before[field] ?? null)}, is ${canonicalJson(now[field] ?? null)}`,
  );
  throw new EngineError('CONFLICT', `the ${what} cannot continue: ${said.join('; ')}`);
}

/** What the threads need to know about the sweep. */
async function sweepSetup(
  experimentId: string,
  sweep: unknown,
  { definition, loaded }: PreparedSweep,
  { request, services, folder, threads }: Pick<Running, 'request' | 'services' | 'folder' | 'threads'>,
): Promise<SweepSetup> {
  return {
    sweep,
    datasets: loaded.map(({ dataset }) => dataset),
    bars: loaded.map((one) => (loaded.length === 1 ? inPlace(one) : sharedSeries(one))),
    runsMax: SWEEP_RUNS_MAX,
    cacheBytesMax: Math.floor(CACHE_BYTES_MAX / threads.count),
    stop: request.stop,
    ...(request.own === undefined ? {} : { signalModules: request.own.modules }),
    rows: {
      folder: folder.path,
      experimentId,
      engineVersion: services.engineVersion,
      btcReturns: await btcReturns(definition.datasets, loaded, services.store),
    },
  };
}

/** The only series of a sweep: its memory ends with it, so threads need no copies. */
function inPlace(one: LoadedDataset) {
  const series = sharedSeries(one);
  return { ...series, shared: { ...series.shared, memory: ColumnMemory.of(one.bars.close)?.memory } };
}

async function runMissing({ request, folder, threads, prepared, setup, hold, runs }: Running): Promise<number> {
  const { definition, plan } = prepared;
  const missing = missingRanges(await folder.parts(), plan.totalRuns);
  let done = plan.totalRuns - missing.reduce((runs, { from, to }) => runs + to - from, 0);
  const identity = new RunIdentity(definition, sha256);
  const batches = await openBatches(plan, identity, folder);
  if (missing.length === 0) {
    // A finished search still proposes all batches, so that the plan knows the run of each row.
    Array.from(batches.of(missing));
    return done;
  }
  const tally = new Tally(plan.totalRuns, request.ranking ?? defaultRanking, request.onProgress);
  const take = async (result: ChunkResult): Promise<void> => {
    await hold.touch();
    batches.record(result);
    if (runs !== null) keepRuns(runs, result);
    done += result.count;
    tally.add(result, done);
  };
  tally.start(done);
  await runSweepChunks({
    setup,
    threads,
    choice: new ThreadChoice(plan.totalRuns - done, meanBars(definition), threads.count),
    batches: batches.of(missing),
    // biome-ignore lint/style/noNonNullAssertion: the condition checks it
    placesOf: plan.search === null ? undefined : ({ from, to }) => plan.search!.places(from, to),
    onChunk: take,
  });
  return done;
}

const meanBars = ({ datasets }: SweepDefinition): number =>
  datasets.reduce((sum, { rows, fold }) => sum + (fold === undefined ? rows : fold.train.to - fold.train.from), 0) /
  datasets.length;

/** The ranges of runs between the parts. */
export function missingRanges(parts: readonly RunRange[], total: number): RunRange[] {
  const missing: RunRange[] = [];
  let next = 0;
  for (const { from, to } of parts) {
    if (from > next) missing.push({ from: next, to: from });
    next = Math.max(next, to);
  }
  if (next < total) missing.push({ from: next, to: total });
  return missing;
}
