import type { BacktestEngine } from '../../workers/index.js';
import { isPassing } from '../api-error.js';
import { whileHeld } from '../work/lease.js';
import { type BacktestDeps, execute, failureMessage } from './execute.js';
import type { SqlBacktestStore } from './store.js';
import {
  type BacktestClaim,
  type BacktestContent,
  type BacktestOutcome,
  type BacktestPlan,
  type RunContent,
  UnreadableRun,
} from './stored.js';

interface RunnerOptions {
  /** Unique to this process: another process, or this one after a restart, has another name. */
  readonly name: string;
  /** How long a runner keeps a run without renewing its lease, in ms. */
  readonly leaseMs?: number;
}

/** What a runner of one kind of runs needs. */
interface RunnerParts<Content extends RunContent>
  extends Pick<BacktestDeps, 'nowMs' | 'endNotices' | 'onInternalError'> {
  readonly store: SqlBacktestStore<Content>;
  /** Computes a run. @throws what its caller reads, or what passes and is tried again */
  readonly execute: (plan: BacktestPlan<Content>, signal: AbortSignal) => Promise<ExecutedRun<Content>>;
}

interface ExecutedRun<Content extends RunContent> {
  readonly outcome: BacktestOutcome<Content>;
  readonly executionSeconds: number;
}

const LEASE_MS = 30_000;
/** A run that has crashed its process this often is not tried again. */
const ATTEMPTS_MAX = 3;

/**
 * The outcome of one look for a run; `released` means that no thread was free or the runner was
 * stopped.
 */
export type RunnerStep = 'ended' | 'nothing' | 'released';

/**
 * Takes submitted runs from the store and finishes them. A crash loses nothing: when the lease of a
 * run expires, the next runner takes it, and since runs are deterministic the result is the same.
 */
export class LeasedRunner<Content extends RunContent> {
  readonly #name: string;
  readonly #leaseMs: number;
  readonly #stopping = new AbortController();

  constructor(
    private readonly deps: RunnerParts<Content>,
    { name, leaseMs = LEASE_MS }: RunnerOptions,
  ) {
    this.#name = name;
    this.#leaseMs = leaseMs;
  }

  /** Returns the current runs to the store and takes no more. */
  stop(): void {
    this.#stopping.abort(new Error('the runner was stopped'));
  }

  /** Takes one run and finishes it. */
  async runNext(): Promise<RunnerStep> {
    const { store, nowMs } = this.deps;
    const { signal } = this.#stopping;
    if (signal.aborted) return 'nothing';
    try {
      const claim = await store.claim(this.#name, nowMs(), nowMs() + this.#leaseMs);
      if (claim === null) return 'nothing';
      return await this.#runClaim(claim, signal);
    } catch (error) {
      if (!(error instanceof UnreadableRun)) throw error;
      const unread = { id: error.id, isAwaited: true }; // a call may be waiting
      await this.#end(unread, { error: `the stored run can no longer be read: ${error.message}` }, 0);
      return 'ended';
    }
  }

  async #runClaim({ plan, attempt }: BacktestClaim<Content>, stopping: AbortSignal): Promise<RunnerStep> {
    const { store, nowMs: clock, onInternalError } = this.deps;
    if (attempt > ATTEMPTS_MAX) {
      await this.#end(plan, { error: `given up: ${ATTEMPTS_MAX} attempts ended without a result` }, 0);
      return 'ended';
    }
    const renew = (untilMs: number) => store.renew(this.#name, plan.id, untilMs);
    return whileHeld({ leaseMs: this.#leaseMs, renew, clock, onInternalError }, async (lost) => {
      const start = performance.now();
      const ran = await this.deps.execute(plan, AbortSignal.any([stopping, lost])).catch((failure: unknown) => ({
        failure,
        executionSeconds: (performance.now() - start) / 1000,
      }));
      if (!('failure' in ran)) {
        // If this fails, the run is repeated.
        await this.#end(plan, { outcome: ran.outcome }, ran.executionSeconds);
        return 'ended';
      }
      const { failure, executionSeconds } = ran;
      if (lost.aborted) return 'ended'; // another runner has taken it
      if (stopping.aborted || isPassing(failure)) {
        await store.release(this.#name, plan.id);
        return 'released';
      }
      await this.#end(plan, { error: failureMessage(failure, this.deps) }, executionSeconds);
      return 'ended';
    });
  }

  async #end(
    { id, isAwaited }: Pick<BacktestPlan<Content>, 'id' | 'isAwaited'>,
    end: { readonly outcome: BacktestOutcome<Content> } | { readonly error: string },
    executionSeconds: number,
  ): Promise<void> {
    const { store, nowMs, endNotices } = this.deps;
    const hasEnded = await store.end(this.#name, id, { ...end, executionSeconds, completedAtMs: nowMs() });
    if (hasEnded && isAwaited) await endNotices.tell(id);
  }
}

interface BacktestRunnerOptions extends RunnerOptions {
  /** Engine for runs that no call waits for, which may take longer; `deps.engine` by default. */
  readonly patientEngine?: BacktestEngine;
}

/** Runs strategies. */
export class BacktestRunner extends LeasedRunner<BacktestContent> {
  constructor(deps: BacktestDeps, { patientEngine = deps.engine, ...options }: BacktestRunnerOptions) {
    const perform: RunnerParts<BacktestContent>['execute'] = (plan, signal) => {
      const own = plan.isAwaited ? deps : { ...deps, engine: patientEngine };
      return execute(plan.request, plan.warnings, own, { orgId: plan.orgId, signal });
    };
    super({ ...deps, execute: perform }, options);
  }
}
