import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { ChunkResult, ChunkTask } from './sweep-protocol.js';

export interface ThreadOptions {
  /** Without it one per processor. */
  readonly threads?: number | undefined;
  /**
   * Threads that are started at once; the others start when there is work for them. All without it.
   */
  readonly threadsAtOnce?: number | undefined;
  /** Heap of a thread in MB; a thread that needs more dies, and its chunk is done by another. */
  readonly heapMbMax?: number | undefined;
  /** By how much the threads give way to others, as `nice` counts; 0 without it. */
  readonly nice?: number | undefined;
  /**
   * The module that runs in the threads, for those that measure or break them; the sweep's own
   * without it.
   */
  readonly task?: URL | undefined;
}

/** Threads for the chunks of one sweep. */
export interface SweepThreads {
  /** The most that work at the same time. */
  readonly count: number;
  /** Rejects when the thread dies; another takes its place. */
  run(task: ChunkTask): Promise<ChunkResult>;
  /** Rejects when none is left, because they fail before their first task. */
  readonly broken: Promise<never>;
  /**
   * To be called when no chunk is being written: a thread that is ended while it writes, or loads
   * its code, takes the process with it. So those that are still loading are waited for.
   */
  end(): Promise<void>;
}

const HEAP_MB_MAX = 1_024;
/**
 * What a run leaves behind is gone with it; more room would only let threads grow (measured: 70 MB
 * each, for no speed).
 */
const YOUNG_MB_MAX = 8;

/** Of threads whose work nobody waits for while others wait for answers of the same process. */
export const BACKGROUND_NICE = 10;

/**
 * Starts threads, which load their code at once: what they are to run comes with every chunk, so
 * bars can be read meanwhile.
 */
export function startThreads(options: ThreadOptions): SweepThreads {
  const { threads = availableParallelism(), heapMbMax = HEAP_MB_MAX, nice = 0, task = sweepTask } = options;
  const { threadsAtOnce = threads } = options;
  const pool = new Piscina({
    filename: task.href,
    minThreads: threadsAtOnce,
    maxThreads: threads,
    maxQueue: threads,
    idleTimeout: Number.POSITIVE_INFINITY, // none is ended before `end`
    niceIncrement: nice,
    resourceLimits: { maxOldGenerationSizeMb: heapMbMax, maxYoungGenerationSizeMb: YOUNG_MB_MAX },
  });
  const broken = new Promise<never>((_, reject) => {
    // A thread that fails between tasks harms nobody while there are others.
    pool.on('error', (error) => pool.threads.length === 0 && reject(error));
  });
  broken.catch(() => {}); // nobody listens yet
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
  pool.on('workerDestroy', () => queueMicrotask(watch)); // another takes its place
  const loaded = Promise.all(begun.values());
  const end = async (): Promise<void> => {
    for (const worker of pool.threads) worker.ref(); // an idle thread does not keep the process alive
    await Promise.all(pool.threads.map((worker) => begun.get(worker)));
    await pool.destroy();
  };
  let ended: Promise<void> | null = null;
  return {
    count: threads,
    async run(chunk) {
      await loaded; // a chunk that comes earlier would start another thread
      const result = pool.run(chunk) as Promise<ChunkResult>;
      watch(); // the thread that it may have started, before that says anything
      return result;
    },
    broken,
    end() {
      ended ??= end();
      return ended;
    },
  };
}

/** The code runs as it was found: compiled, or through a loader. */
const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
export const sweepTask = new URL(`./sweep-task${extension}`, import.meta.url);
