import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import type { ChunkResult, ChunkTask } from './sweep-protocol.js';
import { openPool, type ThreadUse } from './thread-pool.js';

export interface ThreadOptions {
  /** Default: one per processor. */
  readonly threads?: number | undefined;
  /** Threads to start at once; the others start when there is work. Default: all. */
  readonly threadsAtOnce?: number | undefined;
  /**
   * Maximum heap of a thread in MB. A thread that needs more dies, and another one repeats its
   * chunk.
   */
  readonly heapMbMax?: number | undefined;
  /** `nice` increment of the threads. Default 0. */
  readonly nice?: number | undefined;
  /**
   * Module that runs in the threads, for measurements and fault tests. Default: the module of
   * sweeps.
   */
  readonly task?: URL | undefined;
}

/** Threads for the chunks of one sweep, or for other tasks of a module. */
export interface SweepThreads<Task = ChunkTask, Result = ChunkResult> {
  /** Most threads that work at the same time. */
  readonly count: number;
  use(): ThreadUse;
  /** Rejects if the thread dies; the pool replaces the thread. */
  run(task: Task): Promise<Result>;
  /**
   * Aborts when no thread is left, because they fail before their first task. A sweep must stop
   * listening when it ends, since the threads outlive it.
   */
  readonly broken: AbortSignal;
  /**
   * Ends the threads. Call it only when no chunk is being written: ending a thread while it writes
   * or loads its code would crash the process. It waits for threads that are still loading.
   */
  end(): Promise<void>;
}

const HEAP_MB_MAX = 1_024;
/**
 * The garbage of a run is short-lived. More room would only let threads grow (measured: 70 MB each,
 * without a gain in speed).
 */
const YOUNG_MB_MAX = 8;

/**
 * `nice` increment of threads for background work, while callers wait for answers of the same
 * process.
 */
export const BACKGROUND_NICE = 10;

/**
 * Starts threads, which load their code at once. The work comes with every chunk, so the bars can
 * be read meanwhile.
 */
export function startThreads<Task = ChunkTask, Result = ChunkResult>(
  options: ThreadOptions,
): SweepThreads<Task, Result> {
  const { threads = availableParallelism(), heapMbMax = HEAP_MB_MAX, nice = 0, task = sweepTask } = options;
  const { threadsAtOnce = threads } = options;
  const pool = openPool({
    filename: task.href,
    minThreads: threadsAtOnce,
    maxThreads: threads,
    maxQueue: threads,
    idleTimeout: Number.POSITIVE_INFINITY, // threads end only in `end`
    niceIncrement: nice,
    resourceLimits: { maxOldGenerationSizeMb: heapMbMax, maxYoungGenerationSizeMb: YOUNG_MB_MAX },
  });
  const breaking = new AbortController();
  // A thread that fails between tasks does no harm while there are others.
  pool.on('error', (error) => pool.threads.length === 0 && breaking.abort(error));
  /**
   * Settled when a thread has loaded its code, which is the first that it says, or has failed to.
   */
  const begun = new Map<Worker, Promise<unknown>>();
  const begins = (worker: Worker) =>
    new Promise((resolve) => {
      worker.once('message', resolve).once('exit', resolve);
    });
  const watch = () => {
    for (const worker of pool.threads) if (!begun.has(worker)) begun.set(worker, begins(worker));
  };
  watch();
  pool.on('workerDestroy', () => queueMicrotask(watch)); // another thread takes its place
  const loaded = Promise.all(begun.values());
  const end = async (): Promise<void> => {
    // An idle thread does not keep the process alive.
    for (const worker of pool.threads) worker.ref();
    await Promise.all(pool.threads.map((worker) => begun.get(worker)));
    await pool.destroy();
  };
  let ended: Promise<void> | null = null;
  let inHand = 0;
  return {
    count: threads,
    async run(chunk) {
      await loaded; // an earlier chunk would start another thread
      inHand++;
      const result = (pool.run(chunk) as Promise<Result>).finally(() => inHand--);
      watch(); // watches a thread that `run` may have started, before its first message
      return result;
    },
    use: () => ({ threads: pool.threads.length, busy: inHand - pool.queueSize, waiting: pool.queueSize }),
    broken: breaking.signal,
    end() {
      ended ??= end();
      return ended;
    },
  };
}

/** Threads load the same form of the code as this module: compiled, or through a loader. */
const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
export const sweepTask = new URL(`./sweep-task${extension}`, import.meta.url);
