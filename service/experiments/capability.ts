import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { MarketData } from '../../data/providers/index.js';
import { openSameBars } from '../../data/tries/index.js';
import {
  BlockRunner,
  ExperimentReports,
  Experiments,
  experimentMethods,
  heldOutWithHome,
  openPortfolioPlanner,
  PartKeeper,
  SqlExperimentParts,
  SqlExperimentStore,
  SqlExperimentWork,
  SqlHeldOutDays,
  SqlTries,
  startPortfolioThreads,
} from './index.js';
import type { Tiers } from '../identity/index.js';
import type { State } from '../state/index.js';
import type { UseCasesOf } from '../use-cases.js';
import { BACKGROUND_NICE, openPlanner, type SweepThreads, startThreads, type ThreadUse } from '../../workers/index.js';
import type { QueueSource } from '../../workers/queues/index.js';
import type { Work } from '../work/job-queues.js';
import type { ServiceConfig } from '../settings/config.js';

export interface ExperimentParts {
  readonly config: ServiceConfig;
  readonly state: State;
  readonly market: MarketData;
  /** Folder of the bundled bars. */
  readonly sampleDir: string;
  readonly tiers: Tiers;
  readonly work: Work;
  readonly version: string;
  readonly onInternalError: (error: unknown) => void;
}

interface ComposedExperiments {
  readonly useCases: UseCasesOf<'Experiments'>;
  /** The work that a worker does: run blocks of experiments, and join the files of their rows. */
  readonly sources: readonly QueueSource[];
  threadUse(): ThreadUse;
  /** Deletes rows that no experiment refers to. */
  readonly upkeep: () => Promise<void>;
  /** Ends the streams that watch progress. */
  endStreams(): void;
  close(): Promise<void>;
}

/** Jobs that a launch starts at most; each job starts the next. */
const LAUNCH_JOBS_MAX = 16;

export async function composeExperiments(given: ExperimentParts): Promise<ComposedExperiments> {
  const { config, state, market, sampleDir, tiers, work, version, onInternalError } = given;
  const experimentWork = new SqlExperimentWork(state.db);
  const parts = new SqlExperimentParts(state.db);
  // This is the store's only process, so former holders of blocks and joins are gone.
  if (state.kind === 'embedded') await Promise.all([experimentWork.releaseAll(), parts.releaseAll()]);
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
    ...bars,
    planner: blockPlanner,
    portfolioPlanner: blockPortfolioPlanner,
    engineVersion: version,
    threads: threads.get,
    portfolioThreads: portfolioThreads.get,
    heldOut,
    corpus,
    name: `${process.pid}-${randomUUID()}`,
    nowMs: Date.now,
    onInternalError,
  });
  const experiments = new Experiments({
    store,
    tiers,
    ...bars,
    planner,
    portfolioPlanner,
    engineVersion: version,
    heldOut,
    nowMs: Date.now,
    nowMicros: microsNow(),
    onLaunched: (runs) => work.wake('sweeps', Math.min(Math.ceil(runs / runner.blockRuns), LAUNCH_JOBS_MAX)),
  });
  const running: QueueSource = {
    queue: 'sweeps',
    concurrency: 1,
    async next() {
      const hasRun = await runner.runNext();
      if (hasRun) work.wake('joins');
      return hasRun ? 'done' : 'nothing';
    },
    claimable: (max) => experimentWork.claimable(runner.blockRuns, Date.now(), max),
    stop: () => runner.stop(),
  };
  const tries = new SqlTries(state.db, openSameBars(home).namesOf);
  const keeper = new PartKeeper({ parts, tries, corpus, nowMs: Date.now });
  const kept = { store, parts, tries, heldOut, corpus, home, sampleDir, engineVersion: version };
  const reports = new ExperimentReports({ ...kept, threads: sweepThreads(config) });
  return {
    useCases: experimentMethods(experiments, reports),
    sources: [running, joiningOf(keeper, parts)],
    threadUse() {
      const [own, portfolios] = [threads.use(), portfolioThreads.use()];
      return {
        threads: own.threads + portfolios.threads,
        busy: own.busy + portfolios.busy,
        waiting: own.waiting + portfolios.waiting,
      };
    },
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

const joiningOf = (keeper: PartKeeper, parts: SqlExperimentParts): QueueSource => ({
  queue: 'joins',
  concurrency: 1,
  next: async () => ((await keeper.joinNext()) ? 'done' : 'nothing'),
  claimable: async () => ((await parts.hasScattered(Date.now())) ? 1 : 0),
  stop: () => keeper.stop(),
});

const sweepThreads = ({ BARLINE_SWEEP_THREADS }: ServiceConfig): number =>
  BARLINE_SWEEP_THREADS ?? Math.max(1, availableParallelism() - 1);

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
