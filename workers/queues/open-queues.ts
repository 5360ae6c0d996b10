import type { EventEmitter } from 'node:events';
import {
  assertSchemaCompatibility,
  createPostgresBackend,
  createRedisBackend,
  type Queue,
  type QueueOptions,
  runMigrations,
  SchemaMigrationRequiredError,
  type Worker,
  withBackend,
} from 'bullmq';
import { isSettledWithin } from '../../data/settled-within.js';
import type { QueueClient, QueuePool } from '../../data/state/index.js';

/** What is queued, each kind in a queue of its own so that none waits for another. */
export const queueNames = ['backtests', 'sweeps', 'joins'] as const;
export type QueueName = (typeof queueNames)[number];

/**
 * How a job is done. What there is to do stands in the state; a job only wakes somebody who looks
 * for it there. So a job too many costs a look, and jobs that are lost are made up for by whoever
 * compares the queue with the state.
 */
interface JobWork {
  /** Jobs at a time in this process. */
  readonly concurrency: number;
  /** `again`: there is more, after a rest of so many ms; another worker may take it up. */
  process(): Promise<'done' | { readonly againMs: number }>;
}

/** Queues that wake workers, in this process and others. */
export interface JobQueues {
  /**
   * There is something to do for so many workers: one job wakes one. No more than `JOBS_MAX` wait.
   * Never fails: a job that cannot be added is one that is lost.
   */
  add(name: QueueName, count?: number): Promise<void>;
  /** Jobs that wait for somebody. */
  waiting(name: QueueName): Promise<number>;
  /** Works on a queue until `close`. */
  work(name: QueueName, work: JobWork): void;
  /** Takes no new jobs from now on; resolves when those at hand are done. */
  stopWork(): Promise<void>;
  /** To be called when the work has stopped. */
  close(): Promise<void>;
}

export interface QueueSettings {
  /** `redis://…`; without it the queues live in the state's PostgreSQL. */
  readonly redisUrl?: string | undefined;
  /** Of the state; asked for where there is no Redis. */
  readonly openPool: (schema: string) => Promise<QueuePool>;
  /** Of the queues' own, which go on after it: a connection that broke, a job whose work threw. */
  readonly onError: (error: unknown) => void;
  /** How long a job stays with a worker that says nothing, in ms. */
  readonly lockMs?: number;
  /** How long the queues are waited for before they count as away, in ms. */
  readonly answerMsMax?: number;
}

/**
 * Jobs that wait in a queue, however much is to do: whoever has done some of it goes on, or calls
 * the next.
 */
export const JOBS_MAX = 64;
/** As many as the queue can count: a job is at hand wherever a process dies. */
const STALLS_MAX = 2 ** 31 - 1;
const SCHEMA = 'bullmq';
const LOCK_MS = 30_000;
const ANSWER_MS_MAX = 5_000;
const RECONNECT_MS = 50;
const RECONNECT_MS_MAX = 2_000;
/** Finished jobs that are kept, for whoever looks into a queue. */
const KEPT = { count: 100 };
/**
 * Of a job whose work threw: the state was away for a moment. Where that lasts, what there is to do
 * is found again by whoever compares the queue with the state, and would not be while jobs rest for
 * long.
 */
const retries = { attempts: 3, backoff: { type: 'exponential', delay: 200 } };

/** What differs from one place of the queues to the other. */
interface Place {
  newQueue(name: QueueName, options: Omit<QueueOptions, 'connection'>): Queue;
  newWorker(name: QueueName, work: () => Promise<void>, options: WorkerSettings): Worker;
  /** Nobody would answer just now, for as long as that lasts. */
  isAway(): boolean;
  /** Ends everything that waits for an answer. */
  disconnect(): void;
}

interface WorkerSettings {
  readonly concurrency: number;
  readonly lockDuration: number;
  readonly stalledInterval: number;
  readonly maxStalledCount: number;
}

export async function openQueues(settings: QueueSettings): Promise<JobQueues> {
  const { redisUrl, openPool, onError, lockMs = LOCK_MS, answerMsMax = ANSWER_MS_MAX } = settings;
  const place = redisUrl === undefined ? await inPostgres(await openPool(SCHEMA)) : await onRedis(redisUrl, onError);
  const queues = new Map<QueueName, Queue>();
  const workers: Worker[] = [];
  const atHand = new Set<Promise<unknown>>();
  const adding = new Set<Promise<unknown>>();
  const soon = async <T>(answer: Promise<T>): Promise<T> => {
    if (await isSettledWithin(answerMsMax, answer)) return answer;
    throw new Error(`the queues did not answer within ${answerMsMax} ms`);
  };
  const heard = <T extends EventEmitter>(emitter: T): T => emitter.on('error', onError);
  const queueOf = (name: QueueName): Queue => {
    let queue = queues.get(name);
    if (queue === undefined) {
      const defaultJobOptions = { removeOnComplete: KEPT, removeOnFail: KEPT, ...retries };
      queue = heard(place.newQueue(name, { defaultJobOptions }));
      queues.set(name, queue);
    }
    return queue;
  };
  const stopWork = async (): Promise<void> => {
    const isAway = place.isAway();
    if (isAway) await Promise.allSettled(atHand); // a worker that is forced does not wait for them
    const closed = Promise.all(workers.splice(0).map((worker) => worker.close(isAway)));
    await Promise.allSettled(atHand);
    if (!(await isSettledWithin(answerMsMax, closed))) place.disconnect(); // the jobs will be done again
  };
  return {
    async add(name, count = 1) {
      try {
        await within(adding, soon(addUpTo(queueOf(name), name, count)));
      } catch (error) {
        onError(error);
      }
    },
    waiting: (name) => soon(countWaiting(queueOf(name))),
    work(name, { concurrency, process }) {
      const run = async (): Promise<void> => {
        const next = await within(atHand, process());
        if (next !== 'done') await queueOf(name).add(name, {}, { delay: next.againMs });
      };
      const worker = place.newWorker(name, run, {
        concurrency,
        lockDuration: lockMs,
        stalledInterval: lockMs,
        maxStalledCount: STALLS_MAX,
      });
      worker.on('failed', (_job, error) => onError(error));
      workers.push(heard(worker));
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

async function countWaiting(queue: Queue): Promise<number> {
  const counts = await queue.getJobCounts('waiting', 'delayed');
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

async function addUpTo(queue: Queue, name: QueueName, count: number): Promise<void> {
  const length = Math.min(count, JOBS_MAX - (await countWaiting(queue)));
  if (length > 0) await queue.addBulk(Array.from({ length }, () => ({ name, data: {} })));
}

async function inPostgres(pool: QueuePool): Promise<Place> {
  const bound = withBackend(createPostgresBackend);
  try {
    const client = await pool.connect();
    try {
      await migrate(client);
    } finally {
      client.release();
    }
  } catch (error) {
    await pool.end(); // whoever tries again opens another
    throw error;
  }
  return {
    newQueue: (name, options) => new bound.Queue(name, { ...options, connection: pool }) as unknown as Queue,
    newWorker: (name, work, options) =>
      new bound.Worker(name, work, { ...options, connection: pool }) as unknown as Worker,
    isAway: () => false, // what it does not answer fails, if not at once
    disconnect() {}, // the pool is closed with the state
  };
}

async function migrate(client: QueueClient): Promise<void> {
  const queryable = client as unknown as Parameters<typeof runMigrations>[0];
  try {
    await assertSchemaCompatibility(queryable, SCHEMA); // one read, where migrating begins with locks
  } catch (error) {
    if (!(error instanceof SchemaMigrationRequiredError)) throw error;
    await runMigrations(queryable, SCHEMA);
  }
}

async function onRedis(url: string, onError: (error: unknown) => void): Promise<Place> {
  const { Redis } = await import('ioredis');
  const { Queue, Worker } = withBackend(createRedisBackend);
  let isClosing = false;
  /** Null: what waits for the connection fails, and it is not made again. */
  const retryStrategy = (attempts: number): number | null =>
    isClosing ? null : Math.min(attempts * RECONNECT_MS, RECONNECT_MS_MAX);
  /**
   * A job that cannot be added now is lost at once, rather than kept in memory for as long as the
   * server is away.
   */
  const adding = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1, retryStrategy });
  const working = new Redis(url, { maxRetriesPerRequest: null, retryStrategy });
  for (const connection of [adding, working]) connection.on('error', onError);
  return {
    newQueue: (name, options) => new Queue(name, { ...options, connection: adding }),
    newWorker: (name, work, options) => new Worker(name, work, { ...options, connection: working }),
    isAway: () => working.status !== 'ready',
    disconnect() {
      isClosing = true;
      // One that is about to be made again would say nothing of its end if it were disconnected
      // now.
      for (const connection of [adding, working]) if (connection.status !== 'reconnecting') connection.disconnect();
    },
  };
}

/** Keeps a promise among others for as long as it is not settled. */
async function within<T>(others: Set<Promise<unknown>>, promise: Promise<T>): Promise<T> {
  others.add(promise);
  try {
    return await promise;
  } finally {
    others.delete(promise);
  }
}
