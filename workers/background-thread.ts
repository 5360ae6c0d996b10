import type { Piscina } from 'piscina';
import { errorMessage } from '../engine/errors.js';
import { ThreadFailure } from './backtest-protocol.js';
import { BACKGROUND_NICE } from './sweep-threads.js';
import { openPool } from './thread-pool.js';

interface BackgroundThreadOptions {
  /** The module that runs in the thread. */
  readonly task: URL;
  readonly heapMbMax: number;
  readonly youngMbMax?: number;
  /** How long an idle thread stays, ms. */
  readonly idleMs: number;
  /** Tasks that may wait for the current one. */
  readonly queueMax: number;
  /**
   * Whether an abort also ends the thread of a running task. False for a task that may be in native
   * code: ending that thread would crash the process.
   */
  readonly endsBySignal: boolean;
}

/**
 * One thread for tasks that take seconds. It exists only while there is work. The class queues
 * tasks itself and gives the pool one at a time: a pool without a minimum of threads forgets
 * waiting tasks when the thread of another task dies.
 */
export class BackgroundThread<Task, Answer> {
  #pool: Piscina | null = null;
  /** Settles when all tasks so far have finished or left the queue. */
  #last: Promise<void> = Promise.resolve();
  #count = 0;
  /** The error with which an idle thread last failed. */
  #failure: unknown;
  #isClosed = false;

  constructor(private readonly options: BackgroundThreadOptions) {}

  /**
   * @param prepare makes the task when its turn comes, so that a waiting task takes no memory
   * @throws ThreadFailure `full`, `died` or `closed`; the reason of the signal; the error of the
   *   task
   */
  async run(prepare: () => Promise<Task>, signal?: AbortSignal): Promise<Answer> {
    signal?.throwIfAborted();
    const { queueMax, endsBySignal } = this.options;
    if (this.#count > queueMax) throw new ThreadFailure('full', `the queue of ${queueMax} is full`);
    this.#count++;
    const turn = this.#last;
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    this.#last = turn.then(() => left);
    try {
      await orAborted(turn, signal);
      const task = await prepare();
      signal?.throwIfAborted();
      return await this.#perform(task, endsBySignal ? signal : undefined);
    } finally {
      this.#count--;
      leave();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#pool?.destroy();
  }

  async #perform(task: Task, signal?: AbortSignal): Promise<Answer> {
    if (this.#isClosed) throw new ThreadFailure('closed', 'the thread was ended');
    const pool = this.#open();
    let isGone = false;
    const onGone = () => {
      isGone = true;
    };
    pool.once('workerDestroy', onGone);
    this.#failure = null;
    try {
      return (await pool.run(task, signal === undefined ? {} : { signal })) as Answer;
    } catch (error) {
      signal?.throwIfAborted();
      if (this.#isClosed) throw new ThreadFailure('closed', 'the thread was ended', { cause: error });
      if (!isGone) throw error;
      const cause = this.#failure ?? error;
      throw new ThreadFailure('died', errorMessage(cause), { cause });
    } finally {
      pool.off('workerDestroy', onGone);
    }
  }

  #open(): Piscina {
    if (this.#pool !== null) return this.#pool;
    const { task, heapMbMax, youngMbMax, idleMs } = this.options;
    const pool = openPool({
      filename: task.href,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: idleMs,
      niceIncrement: BACKGROUND_NICE,
      resourceLimits: {
        maxOldGenerationSizeMb: heapMbMax,
        ...(youngMbMax === undefined ? {} : { maxYoungGenerationSizeMb: youngMbMax }),
      },
    });
    pool.on('error', (error) => {
      this.#failure = error;
    });
    pool.on('workerDestroy', () =>
      queueMicrotask(() => {
        if (pool.queueSize === 0) return;
        // The thread died before it took the task, which would hang.
        if (this.#pool === pool) this.#pool = null;
        void pool.destroy();
      }),
    );
    this.#pool = pool;
    return pool;
  }
}

/**
 * @throws the reason of the signal if it aborts before the turn comes
 */
function orAborted(turn: Promise<void>, signal?: AbortSignal): Promise<void> {
  if (signal === undefined) return turn;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    void turn.then(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    });
  });
}
