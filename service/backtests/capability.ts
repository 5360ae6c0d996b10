import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { MarketData } from '../../data/providers/index.js';
import { committedOnce } from '../../data/state/index.js';
import type { Quotas } from '../access/index.js';
import {
  type BacktestContent,
  type BacktestDeps,
  BacktestRunner,
  type RunnerStep,
  Slot,
  SqlBacktestStore,
  type StrategySource,
} from './index.js';
import { heldOutWithHome, SqlHeldOutDays, SqlTries } from '../experiments/index.js';
import type { WarningLog } from '../index.js';
import type { State } from '../state/index.js';
import type { StrategyStore } from '../strategies/index.js';

import { openBacktestPool, type ThreadUse } from '../../workers/index.js';
import type { QueueSource } from '../../workers/queues/index.js';
import type { Work } from '../work/job-queues.js';
import type { ServiceConfig } from '../settings/config.js';
import { sharedEndNotices } from './shared-end-notices.js';

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

interface BacktestParts {
  readonly config: ServiceConfig;
  readonly state: State;
  readonly market: MarketData;
  readonly strategies: StrategyStore;
  readonly quotas: Quotas;
  readonly work: Work;
  readonly version: string;
  readonly onInternalError: (error: unknown) => void;
  readonly onWarnings: WarningLog;
}

export interface Backtests {
  readonly deps: BacktestDeps;
  /** The work that a worker does on submitted runs. */
  readonly source: QueueSource;
  threadUse(): ThreadUse;
  /** Starts the threads, so that the first run does not wait for them. */
  start(): void;
  /** Ends the threads. Call it when nothing runs any more. */
  close(): Promise<void>;
}

export async function composeBacktests(parts: BacktestParts): Promise<Backtests> {
  const { config, state, market, strategies, quotas, work, version, onInternalError, onWarnings } = parts;
  const store = new SqlBacktestStore<BacktestContent>(state.db);
  // This is the only process of the store, so the holders are gone.
  if (state.kind === 'embedded') await store.releaseAll();
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
    onQueued: (runs) => work.wake('backtests', Math.min(runs, JOBS_AT_ONCE)),
    endNotices: sharedEndNotices(state, onInternalError),
    onInternalError,
    onWarnings,
  };
  const runner = new BacktestRunner(deps, {
    name: `${process.pid}-${randomUUID()}`,
    patientEngine: pool.within(SUBMITTED_MS_MAX),
  });
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
  return { deps, source, threadUse: () => pool.use(), start: () => pool.start(), close: () => pool.close() };
}

const savedStrategies = (store: StrategyStore): StrategySource => ({
  async find({ userId }, id) {
    const row = await store.find(userId, id);
    if (row === undefined) return null;
    const { name, asset, rules, execution_config: executionConfig } = row;
    return { name, asset, rules: { ...rules }, executionConfig: { ...executionConfig } };
  },
});
