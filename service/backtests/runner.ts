import { asApiError } from '../api-error.js';
import { type BacktestDeps, execute, failureMessage } from './execute.js';
import { type BacktestEnd, type Claim, UnreadableRun } from './store.js';

export interface RunnerOptions {
  /** Of this process; another process, or the same one started again, has another. */
  readonly name: string;
  /** How long a run stays with a runner that says nothing, in ms. */
  readonly leaseMs?: number;
  /** How long to rest when there is nothing to do, in ms; `wake` ends the rest. */
  readonly idleMs?: number;
}

const LEASE_MS = 30_000;
const IDLE_MS = 1_000;
/** A run that takes its process with it so often is not tried again. */
export const ATTEMPTS_MAX = 3;

/**
 * Takes submitted runs from the store, one at a time, and ends them. What it needs to go on after a crash is in the store: a
 * run whose lease has ended is taken by whoever comes next, and since runs are deterministic it ends as it would have.
 */
export class BacktestRunner {
  readonly #name: string;
  readonly #leaseMs: number;
  readonly #idleMs: number;
  #stopping: AbortController | null = null;
  #loop: Promise<void> = Promise.resolve();
  /** Ends the rest at hand. */
  #rise: () => void = () => {};
  /** Something came while a run was at hand; then there is no rest after it. */
  #isWoken = false;

  constructor(
    private readonly deps: BacktestDeps,
    { name, leaseMs = LEASE_MS, idleMs = IDLE_MS }: RunnerOptions,
  ) {
    this.#name = name;
    this.#leaseMs = leaseMs;
    this.#idleMs = idleMs;
  }

  /** Works until `stop`. */
  start(): void {
    if (this.#stopping !== null) return;
    this.#stopping = new AbortController();
    this.#loop = this.#work(this.#stopping.signal);
  }

  /** There is something new in the store. */
  wake(): void {
    this.#isWoken = true;
    this.#rise();
  }

  /** Gives the run at hand back to the store and ends. */
  async stop(): Promise<void> {
    this.#stopping?.abort(new Error('the runner was stopped'));
    this.wake();
    await this.#loop;
    this.#stopping = null;
  }

  /**
   * Takes one run and ends it; false when there is nothing to do at the moment. A run that the signal stops, or for which no
   * thread is free, goes back to the store.
   */
  async runNext(signal?: AbortSignal): Promise<boolean> {
    const { store, nowMs } = this.deps;
    try {
      const claim = await store.claim(this.#name, nowMs(), nowMs() + this.#leaseMs);
      if (claim === null) return false;
      return await this.#runClaim(claim, signal);
    } catch (error) {
      if (!(error instanceof UnreadableRun)) throw error;
      await this.#end(error.id, { error: `the run cannot be read any more: ${error.message}` }, 0);
      return true;
    }
  }

  async #work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const hasRun = await this.runNext(signal).catch((error: unknown) => {
        this.deps.onInternalError(error); // the store is away; it is asked again after a rest
        return false;
      });
      if (!hasRun && !signal.aborted) await this.#rest();
    }
  }

  #rest(): Promise<void> {
    return new Promise((resolve) => {
      const timeout = setTimeout(resolve, this.#isWoken ? 0 : this.#idleMs);
      timeout.unref();
      this.#isWoken = false;
      this.#rise = () => {
        clearTimeout(timeout);
        resolve();
      };
    });
  }

  async #runClaim({ plan, attempt }: Claim, signal?: AbortSignal): Promise<boolean> {
    const { id, request } = plan;
    if (attempt > ATTEMPTS_MAX) {
      await this.#end(id, { error: `given up: ${ATTEMPTS_MAX} attempts ended without a result` }, 0);
      return true;
    }
    const lost = new AbortController();
    const ending = new AbortController();
    const stop = () => ending.abort(signal?.reason);
    lost.signal.addEventListener('abort', () => ending.abort(lost.signal.reason));
    signal?.addEventListener('abort', stop);
    const renewing = setInterval(() => void this.#renew(id, lost), this.#leaseMs / 3);
    renewing.unref();
    const start = performance.now();
    try {
      const { outcome, executionSeconds } = await execute(request, plan.warnings, this.deps, { signal: ending.signal });
      await this.#end(id, { outcome }, executionSeconds);
      return true;
    } catch (error) {
      if (lost.signal.aborted) return true; // another runner has it
      if (signal?.aborted || asApiError(error)?.code === 'ENGINE_BUSY') {
        await this.deps.store.release(this.#name, id);
        return false;
      }
      await this.#end(id, { error: failureMessage(error, this.deps) }, (performance.now() - start) / 1000);
      return true;
    } finally {
      clearInterval(renewing);
      signal?.removeEventListener('abort', stop);
    }
  }

  async #renew(id: string, lost: AbortController): Promise<void> {
    const { store, nowMs, onInternalError } = this.deps;
    try {
      if (!(await store.renew(this.#name, id, nowMs() + this.#leaseMs))) lost.abort(new Error('the lease was lost'));
    } catch (error) {
      onInternalError(error); // the lease may still hold; the next renewal tells
    }
  }

  async #end(
    id: string,
    end: { readonly outcome: Extract<BacktestEnd, { outcome: unknown }>['outcome'] } | { readonly error: string },
    executionSeconds: number,
  ): Promise<void> {
    const { store, nowMs } = this.deps;
    await store.end(this.#name, id, { ...end, executionSeconds, completedAtMs: nowMs() });
  }
}
