import { traced } from '../../data/tracing/index.js';
import { JOBS_MAX, type JobQueues, type QueueName } from './open-queues.js';

/** Result of a look for work. `busy` means that there is work which cannot be done yet. */
type LookResult = 'done' | 'nothing' | 'busy';

/** A kind of work that is done job by job; the state says what there is to do. */
export interface QueueSource {
  readonly queue: QueueName;
  /** Jobs at the same time in this process. */
  readonly concurrency: number;
  /** Does some of the work. After `done` a worker is woken to look for more. */
  next(): Promise<LookResult>;
  /** Number of tasks that could start now, counted up to `max`. */
  claimable(max: number): Promise<number>;
  /** Returns current tasks and starts no more. */
  stop(): void;
}

const RECONCILE_MS = 5_000;
const BUSY_MS = 250;

/**
 * The work of a process. It takes jobs from the queues and looks in the state for the work. At
 * intervals it adds jobs in place of lost ones, after Redis forgot them or a process died.
 */
export class QueueWork {
  #timer: NodeJS.Timeout | undefined;
  #reconciling: Promise<void> | null = null;
  #isStopping = false;

  constructor(
    private readonly queues: JobQueues,
    private readonly sources: readonly QueueSource[],
    private readonly onError: (error: unknown) => void,
  ) {}

  start(): void {
    for (const source of this.sources) {
      const { queue, concurrency } = source;
      this.queues.work(queue, { concurrency, process: () => this.#look(source) });
    }
    void this.reconcile();
    this.#timer = setInterval(() => void this.reconcile(), RECONCILE_MS);
    this.#timer.unref();
  }

  /** Adds jobs if there is work but no job waits. Only one reconciliation runs at a time. */
  reconcile(): Promise<void> {
    this.#reconciling ??= this.#reconcile().finally(() => {
      this.#reconciling = null;
    });
    return this.#reconciling;
  }

  async #reconcile(): Promise<void> {
    for (const { queue, claimable } of this.sources) {
      if (this.#isStopping) return;
      try {
        const count = await claimable(JOBS_MAX);
        if (count > 0 && (await this.queues.waiting(queue)) === 0) await this.queues.add(queue, count);
      } catch (error) {
        this.onError(error);
      }
    }
  }

  /** Resolves when current tasks are returned or done. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#isStopping = true;
    for (const source of this.sources) source.stop();
    await Promise.all([this.#reconciling, this.queues.stopWork()]);
  }

  async #look(source: QueueSource): Promise<'done' | { readonly againMs: number }> {
    const result = await traced({ name: `job ${source.queue}`, kind: 'CONSUMER' }, () => source.next());
    if (result === 'busy') return { againMs: BUSY_MS };
    return result === 'done' ? { againMs: 0 } : 'done';
  }
}
