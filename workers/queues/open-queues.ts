import type { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  assertSchemaCompatibility,
  createPostgresBackend,
  createRedisBackend,
  type JobsOptions,
  type Queue,
  type QueueOptions,
  runMigrations,
  SchemaMigrationRequiredError,
  type Worker,
  withBackend,
} from 'bullmq';
import { DependencyFault } from '../../data/outage.js';
import { isSettledWithin } from '../../data/settled-within.js';
import { asStoreFailure, type QueueClient, type QueuePool } from '../../data/state/index.js';

/** One queue per kind of work, so that no kind waits for another. */
export const queueNames = ['backtests', 'sweeps', 'joins'] as const;
export type QueueName = (typeof queueNames)[number];

/**
 * How a worker does a job. The state holds the work; a job only wakes a worker that looks for it
 * there. A surplus job costs one look, and a lost job is replaced when a worker compares the queue
 * with the state.
 */
interface JobWork {
  /** Jobs at the same time in this process. */
  readonly concurrency: number;
  /** Does one job. With `againMs` there is more: any worker may continue after that many ms. */
  process(): Promise<'done' | { readonly againMs: number }>;
}

/** Queues that wake workers in this process and others. */
export interface JobQueues {
  /**
   * Adds `count` jobs, up to `JOBS_MAX` waiting ones; each job wakes one worker. Never fails: a job
   * that cannot be added is lost.
   */
  add(name: QueueName, count?: number): Promise<void>;
  /** Number of waiting jobs. */
  waiting(name: QueueName): Promise<number>;
  /** Jobs by state: waiting, delayed, active. */
  counts(name: QueueName): Promise<Readonly<Record<string, number>>>;
  /** Works on a queue until `close`. */
  work(name: QueueName, work: JobWork): void;
  /** Takes no more jobs; resolves when the current ones are done. */
  stopWork(): Promise<void>;
  /** Call it after the work has stopped. */
  close(): Promise<void>;
}

export interface QueueSettings {
  /** `redis://…`. Without it the queues live in the state's PostgreSQL. */
  readonly redisUrl?: string | undefined;
  /** Opens the pool of the state's PostgreSQL. Called only without Redis. */
  readonly openPool: (schema: string) => Promise<QueuePool>;
  /** Reports errors that the queues survive: a broken connection, a job whose work threw. */
  readonly onError: (error: unknown) => void;
  /** Time after which a silent worker loses its job, ms. */
  readonly lockMs?: number;
  /** Time after which queues that do not answer count as away, ms. */
  readonly answerMsMax?: number;
}

/**
 * Most jobs that wait in a queue, however much work there is: a worker that finds work continues,
 * or adds the next job.
 */
export const JOBS_MAX = 64;
/** The most that the queue can count: every process that dies leaves a stalled job. */
const STALLS_MAX = 2 ** 31 - 1;
const SCHEMA = 'bullmq';
const LOCK_MS = 30_000;
const ANSWER_MS_MAX = 5_000;
/** Pause before a worker that failed to open, or whose call to the queues failed, tries again. */
const AGAIN_MS = 250;
const RECONNECT_MS = 50;
const RECONNECT_MS_MAX = 2_000;
/**
 * Retries of a job whose work threw, such as during a short outage of the state. They end soon:
 * after a long outage the comparison of queue and state finds the work, but not while jobs are
 * still waiting to retry.
 */
const retries = { attempts: 3, backoff: { type: 'exponential', delay: 200 } };

/**
 * No ended job is kept. The state has the results, and a failure is reported. To keep some, each
 * worker would delete the oldest ones as it ends a job, and in PostgreSQL such deletions of several
 * workers deadlock.
 */
const defaultJobOptions = { removeOnComplete: true, removeOnFail: true, ...retries };

/** What we call of a queue and of a worker. Their other methods have types of the backend. */
interface PlacedQueue extends EventEmitter, Pick<Queue, 'close' | 'getJobCounts' | 'waitUntilReady'> {
  add(name: string, data: object, options?: JobsOptions): Promise<unknown>;
  addBulk(jobs: { name: string; data: object }[]): Promise<unknown>;
}
type PlacedWorker = EventEmitter & Pick<Worker, 'close' | 'run' | 'waitUntilReady'>;

/** The differences between Redis and PostgreSQL. */
interface Place {
  newQueue(name: QueueName, options: Omit<QueueOptions, 'connection'>): PlacedQueue;
  newWorker(name: QueueName, work: () => Promise<void>, options: WorkerSettings): PlacedWorker;
  /** Resolves when a queue or a worker has opened. One that failed to open never will. */
  opened(part: PlacedQueue | PlacedWorker): Promise<unknown>;
  /** True while the queues cannot answer. */
  isAway(): boolean;
  /** Marks the failure of a call to the queues where it shows that they are away. */
  asOutage(error: unknown): unknown;
  /** Ends all waits for an answer. */
  disconnect(): void;
}

interface WorkerSettings {
  /** A worker that runs before it has opened fails at once for ever, and holds up the event loop. */
  readonly autorun: false;
  readonly concurrency: number;
  readonly lockDuration: number;
  readonly stalledInterval: number;
  readonly maxStalledCount: number;
}

export async function openQueues(settings: QueueSettings): Promise<JobQueues> {
  const { redisUrl, openPool, onError, lockMs = LOCK_MS, answerMsMax = ANSWER_MS_MAX } = settings;
  const place = redisUrl === undefined ? await inPostgres(await openPool(SCHEMA)) : await onRedis(redisUrl, onError);
  const queues = new Map<QueueName, PlacedQueue>();
  const workers = new Set<PlacedWorker>();
  const atHand = new Set<Promise<unknown>>();
  const adding = new Set<Promise<unknown>>();
  const soon = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      if (await isSettledWithin(answerMsMax, answer)) return await answer;
    } catch (error) {
      throw place.asOutage(error);
    }
    throw place.asOutage(new Error(`the queues did not answer within ${answerMsMax} ms`));
  };
  const heard = <T extends EventEmitter>(emitter: T): T =>
    emitter.on('error', (error) => onError(place.asOutage(error)));
  const openQueue = async (name: QueueName): Promise<PlacedQueue> => {
    const queue = queues.get(name) ?? heard(place.newQueue(name, { defaultJobOptions }));
    queues.set(name, queue);
    try {
      await place.opened(queue);
      return queue;
    } catch (error) {
      if (queues.get(name) === queue) queues.delete(name);
      await queue.close();
      throw error;
    }
  };
  /** Runs a worker once it has opened; replaces one that failed to, unless the work is stopped. */
  const runWorker = async (open: () => PlacedWorker): Promise<void> => {
    for (;;) {
      const worker = heard(open());
      workers.add(worker);
      try {
        await place.opened(worker);
        if (workers.has(worker)) await worker.run();
        return;
      } catch (error) {
        if (workers.has(worker)) onError(place.asOutage(error));
      }
      await worker.close(true);
      await delay(AGAIN_MS);
      if (!workers.delete(worker)) return;
    }
  };
  const stopWork = async (): Promise<void> => {
    const isAway = place.isAway();
    if (isAway) await Promise.allSettled(atHand); // a forced close does not wait for the jobs
    const closed = Promise.all([...workers].map((worker) => worker.close(isAway)));
    workers.clear();
    await Promise.allSettled(atHand);
    // Another worker repeats the jobs.
    if (!(await isSettledWithin(answerMsMax, closed))) place.disconnect();
  };
  return {
    async add(name, count = 1) {
      try {
        await within(adding, soon(openQueue(name).then((queue) => addUpTo(queue, name, count))));
      } catch (error) {
        onError(error);
      }
    },
    waiting: (name) => soon(openQueue(name).then(countWaiting)),
    counts: (name) => soon(openQueue(name).then((queue) => queue.getJobCounts('waiting', 'delayed', 'active'))),
    work(name, { concurrency, process }) {
      const run = async (): Promise<void> => {
        const next = await within(atHand, process());
        if (next !== 'done') await (await openQueue(name)).add(name, {}, { delay: next.againMs });
      };
      const open = () =>
        place
          .newWorker(name, run, {
            autorun: false,
            concurrency,
            lockDuration: lockMs,
            stalledInterval: lockMs,
            maxStalledCount: STALLS_MAX,
          })
          .on('failed', (_job, error) => onError(error));
      runWorker(open).catch(onError);
    },
    stopWork,
    async close() {
      await stopWork();
      await Promise.allSettled(adding);
      for (const queue of queues.values()) await queue.close();
      place.disconnect();
    },
  };
}

async function countWaiting(queue: PlacedQueue): Promise<number> {
  const counts = await queue.getJobCounts('waiting', 'delayed');
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

async function addUpTo(queue: PlacedQueue, name: QueueName, count: number): Promise<void> {
  const length = Math.min(count, JOBS_MAX - (await countWaiting(queue)));
  if (length > 0) await queue.addBulk(Array.from({ length }, () => ({ name, data: {} })));
}

async function inPostgres(unpaced: QueuePool): Promise<Place> {
  const bound = withBackend(createPostgresBackend);
  const pool = paced(unpaced);
  try {
    const client = await pool.connect();
    try {
      await migrate(client);
    } finally {
      client.release();
    }
  } catch (error) {
    await pool.end(); // a retry opens another pool
    throw error;
  }
  return {
    newQueue: (name, options) => new bound.Queue(name, { ...options, connection: pool }),
    newWorker: (name, work, options) => new bound.Worker(name, work, { ...options, connection: pool }),
    opened: (part) => part.waitUntilReady(),
    asOutage: asStoreFailure,
    isAway: () => false, // an unanswered query fails by itself, sooner or later
    disconnect() {}, // the pool is closed with the state
  };
}

/**
 * A pool whose outages last a moment: after some, such as a server that starts or has no connection
 * left, a worker asks again at once.
 */
function paced(pool: QueuePool): QueuePool {
  const query = pool.query.bind(pool);
  pool.query = async <R>(statement: string, parameters?: readonly unknown[]) => {
    try {
      return await query<R>(statement, parameters);
    } catch (error) {
      if (asStoreFailure(error) instanceof DependencyFault) await delay(AGAIN_MS);
      throw error;
    }
  };
  return pool;
}

async function migrate(client: QueueClient): Promise<void> {
  try {
    await assertSchemaCompatibility(client, SCHEMA); // one read; migrating would take locks first
  } catch (error) {
    if (!(error instanceof SchemaMigrationRequiredError)) throw error;
    await runMigrations(client, SCHEMA);
  }
}

async function onRedis(url: string, onError: (error: unknown) => void): Promise<Place> {
  const { connectEnding } = await import('./ending-redis.js');
  const { Queue, Worker } = withBackend(createRedisBackend);
  let isClosing = false;
  /** Null stops reconnecting: of the duplicates too, which workers make and may not disconnect. */
  const retryStrategy = (attempts: number): number | null =>
    isClosing ? null : Math.min(attempts * RECONNECT_MS, RECONNECT_MS_MAX);
  /**
   * A job that cannot be added is lost at once. Otherwise it would stay in memory until the server
   * is back.
   */
  const adding = connectEnding(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1, retryStrategy });
  const working = connectEnding(url, { maxRetriesPerRequest: null, retryStrategy });
  /** Redis refuses no call for what it says: it fails where the server is away, full or starting. */
  const asOutage = (cause: unknown) => new DependencyFault('queues', 'away', { cause });
  for (const connection of [adding, working]) connection.on('error', (error) => onError(asOutage(error)));
  return {
    newQueue: (name, options) => new Queue(name, { ...options, connection: adding }),
    newWorker: (name, work, options) => new Worker(name, work, { ...options, connection: working }),
    opened: async () => {}, // it reconnects by itself, and calls until then fail
    asOutage,
    isAway: () => working.status !== 'ready',
    disconnect() {
      isClosing = true;
      for (const connection of [adding, working]) connection.disconnect();
    },
  };
}

/** Keeps a promise in a set until it settles. */
async function within<T>(others: Set<Promise<unknown>>, promise: Promise<T>): Promise<T> {
  others.add(promise);
  try {
    return await promise;
  } finally {
    others.delete(promise);
  }
}
