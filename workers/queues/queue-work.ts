import { JOBS_MAX, type JobQueues, type QueueName } from './open-queues.js';

/** What comes of a look for something to do: `busy` is something that cannot be done just now. */
type LookResult = 'done' | 'nothing' | 'busy';

/** Something that is done job by job, from what the state says there is to do. */
export interface QueueSource {
  readonly queue: QueueName;
  /** Jobs at a time in this process. */
  readonly concurrency: number;
  /** Does some of what there is to do; when that is `done`, somebody is called to look for more. */
  next(): Promise<LookResult>;
  /** What could be begun now, counted up to `max`. */
  claimable(max: number): Promise<number>;
  /** Gives back what is at hand, and begins nothing from now on. */
  stop(): void;
}

const RECONCILE_MS = 5_000;
const BUSY_MS = 250;

/**
 * The work of a process: takes jobs from the queues and looks into the state for what there is to
 * do, and now and then makes up for jobs that were lost, with a Redis that forgot them or a process
 * that died.
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

  /**
   * Adds jobs for what there is to do and no job waits for. One at a time, however long it takes.
   */
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

  /** Resolves when what was at hand is given back or done. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#isStopping = true;
    for (const source of this.sources) source.stop();
    await Promise.all([this.#reconciling, this.queues.stopWork()]);
  }

  async #look(source: QueueSource): Promise<'done' | { readonly againMs: number }> {
    const result = await source.next();
    if (result === 'busy') return { againMs: BUSY_MS };
    return result === 'done' ? { againMs: 0 } : 'done';
  }
}
