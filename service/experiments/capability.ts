import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { openSameBars } from '../../data/tries/index.js';
import { startPortfolioThreads } from '../../research/portfolio/sweep/index.js';
import { BACKGROUND_NICE, openPlanner, type SweepThreads, startThreads, type ThreadUse } from '../../workers/index.js';
import type { QueueSource } from '../../workers/queues/index.js';
import type { Capability, Foundation } from '../capability.js';
import type { Tiers } from '../identity/index.js';
import type { ServiceConfig } from '../settings/config.js';
import { releaseOfEnded, runnerName } from '../work/lease.js';
import { Experiments } from './experiments.js';
import { heldOutWithHome, SqlHeldOutDays } from './held-out.js';
import { PartKeeper, SqlExperimentParts } from './keep-parts.js';
import { ledgerMethods } from './ledger.js';
import { openPortfolioPlanner } from './plan.js';
import { ExperimentReports } from './reports.js';
import { ExperimentRows } from './rows.js';
import { BlockRunner } from './run-blocks.js';
import { SqlExperimentStore } from './store.js';
import { SqlTries } from './tries.js';
import { SqlExperimentWork } from './work.js';

/** Jobs that a launch starts at most; each job starts the next. */
const LAUNCH_JOBS_MAX = 16;

export async function openExperiments(
  { config, state, market, bars: storedBars, sampleDir, jobs, shared, version, onInternalError }: Foundation,
  tiers: Tiers,
): Promise<Capability<'Experiments' | 'Tries'>> {
  const experimentWork = new SqlExperimentWork(state.db);
  const parts = new SqlExperimentParts(state.db);
  await releaseOfEnded(state, experimentWork, parts);
  const home = config.BARLINE_HOME;
  const corpus = join(home, 'corpus');
  const heldOut = (orgId: string) => heldOutWithHome(new SqlHeldOutDays(state.db, orgId), home, orgId);
  const store = new SqlExperimentStore(state.db);
  const [planner, blockPlanner] = [openPlanner(), openPlanner()]; // blocks wait for no validation
  const [portfolioPlanner, blockPortfolioPlanner] = [openPortfolioPlanner(), openPortfolioPlanner()];
  const options = { threads: sweepThreads(config), nice: BACKGROUND_NICE };
  const threads = lazyThreads(() => startThreads(options));
  const portfolioThreads = lazyThreads(() => startPortfolioThreads(options));
  const bars = { bars: market, home, sampleDir };
  const runner = new BlockRunner({
    work: experimentWork,
    shared,
    ...bars,
    planner: blockPlanner,
    portfolioPlanner: blockPortfolioPlanner,
    engineVersion: version,
    threads: threads.get,
    portfolioThreads: portfolioThreads.get,
    heldOut,
    corpus,
    name: runnerName(),
    nowMs: Date.now,
    onInternalError,
  });
  const experiments = new Experiments({
    store,
    tiers,
    shared,
    ...bars,
    planner,
    portfolioPlanner,
    engineVersion: version,
    heldOut,
    nowMs: Date.now,
    nowMicros: microsNow(),
    onLaunched: (runs) => jobs.wake('sweeps', Math.min(Math.ceil(runs / runner.blockRuns), LAUNCH_JOBS_MAX)),
  });
  const running: QueueSource = {
    queue: 'sweeps',
    concurrency: 1,
    async next() {
      const hasRun = await runner.runNext();
      if (hasRun) jobs.wake('joins');
      return hasRun ? 'done' : 'nothing';
    },
    claimable: (max) => experimentWork.claimable(runner.blockRuns, Date.now(), max),
    stop: () => runner.stop(),
  };
  const tries = new SqlTries(state.db, openSameBars(home).namesOf);
  const keeper = new PartKeeper({ parts, tries, files: shared.parts, corpus, nowMs: Date.now });
  const kept = { store, parts, tries, files: shared.parts, heldOut, corpus, home, sampleDir, engineVersion: version };
  const reports = new ExperimentReports({ ...kept, threads: sweepThreads(config) });
  const rows = new ExperimentRows({ store, parts, files: shared.parts, corpus });
  return {
    methods: { ...experimentMethods(experiments, reports, rows), ...ledgerMethods({ tries, bars: storedBars }) },
    sources: [running, joining(keeper, parts)],
    threads: { sweeps: () => bothUse(threads.use(), portfolioThreads.use()) },
    upkeep: () => keeper.clear(),
    endStreams: () => experiments.close(),
    async close() {
      await Promise.all([threads.end(), portfolioThreads.end()]);
      const planners = [planner, blockPlanner, portfolioPlanner, blockPortfolioPlanner];
      await Promise.all(planners.map((one) => one.close()));
      await reports.close();
    },
  };
}

const experimentMethods = (
  experiments: Experiments,
  reports: ExperimentReports,
  rows: ExperimentRows,
): Capability<'Experiments'>['methods'] => ({
  'Experiments.Create': ({ config }, { caller }) => experiments.create(caller, config),
  'Experiments.List': (request, { caller }) => experiments.list(caller, request),
  'Experiments.Get': ({ experiment_id: id }, { caller }) => experiments.get(caller, id),
  'Experiments.Replace': ({ experiment_id: id = '', config }, { caller }) => experiments.replace(caller, id, config),
  'Experiments.Delete': ({ experiment_id: id }, { caller }) => experiments.remove(caller, id),
  'Experiments.Validate': ({ experiment_id: id }, { caller, signal }) => experiments.validate(caller, id, signal),
  'Experiments.Launch': ({ experiment_id: id }, { caller }) => experiments.launch(caller, id),
  'Experiments.Pause': ({ experiment_id: id }, { caller }) => experiments.pause(caller, id),
  'Experiments.Cancel': ({ experiment_id: id }, { caller }) => experiments.cancel(caller, id),
  'Experiments.GetHonesty': ({ experiment_id: id, ...ranking }, { caller, signal }) =>
    reports.honesty(caller, id, ranking, signal),
  'Experiments.GetReport': ({ experiment_id: id, ...ranking }, { caller, signal }) =>
    reports.page(caller, id, ranking, signal),
  'Experiments.ListRows': (request, { caller }) => rows.list(caller, request),
  'Experiments.ReadRows': (request, { caller }) => rows.read(caller, request),
  'Experiments.WatchProgress': ({ experiment_id: id }, { caller, signal }) => experiments.watch(caller, id, signal),
});

const joining = (keeper: PartKeeper, parts: SqlExperimentParts): QueueSource => ({
  queue: 'joins',
  concurrency: 1,
  next: async () => ((await keeper.joinNext()) ? 'done' : 'nothing'),
  claimable: async () => ((await parts.hasScattered(Date.now())) ? 1 : 0),
  stop: () => keeper.stop(),
});

const sweepThreads = ({ BARLINE_SWEEP_THREADS }: ServiceConfig): number =>
  BARLINE_SWEEP_THREADS ?? Math.max(1, availableParallelism() - 1);

const bothUse = (one: ThreadUse, other: ThreadUse): ThreadUse => ({
  threads: one.threads + other.threads,
  busy: one.busy + other.busy,
  waiting: one.waiting + other.waiting,
});

interface LazyThreads<Threads> {
  get(): Threads;
  use(): ThreadUse;
  end(): Promise<void>;
}

/** Starts threads for the first block, and again for the first block after they broke. */
function lazyThreads<Threads extends Pick<SweepThreads, 'broken' | 'use' | 'end'>>(
  start: () => Threads,
): LazyThreads<Threads> {
  let threads: Threads | null = null;
  return {
    get() {
      if (threads !== null) return threads;
      const started = start();
      started.broken.addEventListener('abort', () => {
        if (threads === started) threads = null; // the next block starts new threads
      });
      threads = started;
      return started;
    },
    use: () => threads?.use() ?? { threads: 0, busy: 0, waiting: 0 },
    async end() {
      await threads?.end();
    },
  };
}

/** Microseconds of the wall clock; strictly increasing, by 1 within the same millisecond. */
function microsNow(): () => number {
  let last = 0;
  return () => {
    last = Math.max(last + 1, Date.now() * 1_000);
    return last;
  };
}
