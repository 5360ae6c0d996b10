import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { committedOnce } from '../../data/state/index.js';
import { openBacktestPool } from '../../workers/index.js';
import type { QueueSource } from '../../workers/queues/index.js';
import type { Quotas } from '../access/index.js';
import type { Capability, Foundation } from '../capability.js';
import { heldOutWithHome, SqlHeldOutDays } from '../experiments/held-out.js';
import { SqlTries } from '../experiments/tries.js';
import type { StrategyStore } from '../strategies/store.js';
import { releaseOfEnded, runnerName } from '../work/lease.js';
import { runBulkBacktest } from './bulk.js';
import { runBatchBacktest, runBatchBulk, submitBatchBacktest } from './bulk-queue.js';
import {
  auditStoredBacktest,
  getBacktestManifest,
  readBacktestColumns,
  renderBacktestReport,
  replayBacktest,
} from './evidence.js';
import { type BacktestDeps, sharedEndNotices } from './execute.js';
import {
  cancelBacktest,
  getBacktest,
  getBacktestStatus,
  getBacktestTrades,
  getSharedBacktestStatus,
  listBacktests,
  setBacktestArchived,
} from './read.js';
import { runSynchronousBacktest, submitBacktest } from './run.js';
import { BacktestRunner, type RunnerStep } from './runner.js';
import { Slot } from './slot.js';
import { SqlBacktestStore } from './store.js';
import type { StrategySource } from './stored.js';

/** A submitted run may take as long as clients poll for it, less some time to store the result. */
const SUBMITTED_MS_MAX = 540_000;
/**
 * One thread for the synchronous run and one for submitted runs, so that neither waits for the
 * other.
 */
const THREADS_MIN = 2;
/**
 * Workers that a bulk request wakes. Each continues while runs are left, because a job per run
 * would cost more than short runs do.
 */
const JOBS_AT_ONCE = 16;

interface BacktestNeeds {
  readonly strategies: StrategyStore;
  readonly quotas: Quotas;
}

interface Backtests extends Capability<'Backtests' | 'Batch'> {
  readonly deps: BacktestDeps;
  /** Submitted runs, whose workers also run portfolios: see `openPortfolios`, which lists it. */
  readonly source: QueueSource;
}

export async function openBacktests(foundation: Foundation, needs: BacktestNeeds): Promise<Backtests> {
  const { config, state, market, jobs, version, onInternalError, onWarnings } = foundation;
  const { strategies, quotas } = needs;
  const store = new SqlBacktestStore(state.db);
  await releaseOfEnded(state, store);
  const threads = Math.max(THREADS_MIN, config.BARLINE_THREADS ?? availableParallelism() - 1);
  const pool = openBacktestPool({ threads });
  const deps: BacktestDeps = {
    market,
    engine: pool,
    slot: new Slot({ waitMs: config.BARLINE_BACKTEST_WAIT_MS }),
    store,
    strategies: savedStrategies(strategies),
    queueLimits: { ofOrganization: config.BARLINE_QUEUED_PER_ORGANIZATION, ofAll: config.BARLINE_QUEUED },
    async admit(caller, runs, key) {
      if (caller.credential === 'wallet') return; // it pays for each call and has no tier
      const once = key === undefined ? key : { userId: caller.userId, key };
      await committedOnce('backtests', () => quotas.consume(caller, 'backtests', runs, once));
    },
    engineVersion: version,
    tries: new SqlTries(state.db),
    heldOut: (orgId) => heldOutWithHome(new SqlHeldOutDays(state.db, orgId), config.BARLINE_HOME, orgId),
    nowMs: Date.now,
    newId: randomUUID,
    onQueued: (runs) => jobs.wake('backtests', Math.min(runs, JOBS_AT_ONCE)),
    endNotices: sharedEndNotices(state, onInternalError),
    onInternalError,
    onWarnings,
  };
  const runner = new BacktestRunner(deps, { name: runnerName(), patientEngine: pool.within(SUBMITTED_MS_MAX) });
  const source: QueueSource = {
    queue: 'backtests',
    concurrency: threads - 1, // one thread is left for the synchronous run
    async next() {
      let step: RunnerStep;
      do step = await runner.runNext();
      while (step === 'ended'); // there may be fewer jobs than runs
      return step === 'released' ? 'busy' : 'nothing';
    },
    claimable: (max) => store.claimable(Date.now(), max),
    stop: () => runner.stop(),
  };
  return {
    deps,
    source,
    threads: { backtests: () => pool.use() },
    close: () => pool.close(),
    reads: ['Backtests.Get', 'Backtests.GetStatus', 'Backtests.ListTrades'],
    methods: backtestMethods(deps, () => pool.start()),
  };
}

/** @param startThread starts a thread of the engine while a run is prepared */
const backtestMethods = (deps: BacktestDeps, startThread: () => void): Backtests['methods'] => ({
  'Backtests.Run': (request, { caller, signal }) => {
    startThread();
    return runSynchronousBacktest(caller, request, deps, { filling: 'required', signal });
  },
  'Backtests.RunBulk': (request, { caller, signal }) =>
    runBulkBacktest(caller, request, deps, { filling: 'required', signal }),
  'Backtests.Submit': (request, { caller }) => submitBacktest(caller, request, deps),
  'Backtests.GetStatus': ({ id }, { caller }) => getBacktestStatus(caller, id, deps),
  'Backtests.Cancel': ({ id }, { caller }) => cancelBacktest(caller, id, deps),
  'Backtests.Get': ({ id }, { caller }) => getBacktest(caller, id, deps),
  'Backtests.ListTrades': (request, { caller }) => getBacktestTrades(caller, request.id, deps, request),
  'Backtests.History': (request, { caller }) => listBacktests(caller, request, deps),
  'Backtests.Archive': ({ id }, { caller }) => setBacktestArchived(caller, id, true, deps),
  'Backtests.Unarchive': ({ id }, { caller }) => setBacktestArchived(caller, id, false, deps),
  'Backtests.GetManifest': ({ id }, { caller }) => getBacktestManifest(caller, id, deps),
  'Backtests.Replay': ({ id }, { caller, signal }) => replayBacktest(caller, id, deps, signal),
  'Backtests.GetAudit': ({ id, ...request }, { caller, signal }) =>
    auditStoredBacktest(caller, id, request, deps, signal),
  'Backtests.ReadColumns': (request, { caller, signal }) => readBacktestColumns(caller, request, deps, signal),
  'Backtests.GetReport': async ({ id }, { caller, signal }) => ({
    html: await renderBacktestReport(caller, id, deps, signal),
  }),
  'Batch.Run': (request, { caller, signal }) => runBatchBacktest(caller, request, deps, signal),
  'Batch.Submit': (request, { caller }) => submitBatchBacktest(caller, request, deps),
  'Batch.GetStatus': ({ backtest_id }, { caller }) => getSharedBacktestStatus(caller, backtest_id, deps),
  'Batch.RunBulk': (request, { caller, signal }) => runBatchBulk(caller, request, deps, signal),
});

const savedStrategies = (store: StrategyStore): StrategySource => ({
  async find({ userId }, id) {
    const row = await store.find(userId, id);
    if (row === undefined) return null;
    const { name, asset, rules, execution_config: executionConfig } = row;
    return { name, asset, rules: { ...rules }, executionConfig: { ...executionConfig } };
  },
});
