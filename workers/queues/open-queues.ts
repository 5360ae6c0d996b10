import type { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
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
import type { QueueClient, QueuePool } from '../../data/state/index.js';

/** What is queued, each kind in a queue of its own so that none waits for another. */
export const queueNames = ['backtests', 'sweeps', 'joins'] as const;
export type QueueName = (typeof queueNames)[number];

/**
 * How a job is done. What there is to do stands in the state; a job only wakes somebody who looks for it there. So a job too many
 * costs a look, and jobs that are lost are made up for by whoever compares the queue with the state.
 */
export interface JobWork {
  /** Jobs at a time in this process. */
  readonly concurrency: number;
  /** `again`: there is more, after a rest of so many ms; another worker may take it up. */
  process(): Promise<'done' | { readonly againMs: number }>;
}

export interface JobOptions {
  /** 1..2,097,152; jobs with less go first, those without it before all. */
  readonly priority?: number;
  /** One wakes one worker. */
  readonly count?: number;
}

/** Queues that wake workers, in this process and others. */
export interface JobQueues {
  /** There is something to do. Never fails: a job that cannot be added is one that is lost. */
  add(name: QueueName, options?: JobOptions): Promise<void>;
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

/** As many as the queue can count: a job is at hand wherever a process dies. */
const STALLS_MAX = 2 ** 31 - 1;
const SCHEMA = 'bullmq';
const LOCK_MS = 30_000;
const ANSWER_MS_MAX = 5_000;
const RECONNECT_MS = 50;
const RECONNECT_MS_MAX = 2_000;
/** Finished jobs that are kept, for whoever looks into a queue. */
const KEPT = { count: 100 };
/** Of a job whose work threw, which is the state being away: it is done again after a rest that doubles. */
const retries = { attempts: 8, backoff: { type: 'exponential', delay: 500 } };

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
    async add(name, { priority, count = 1 } = {}) {
      const opts = priority === undefined ? {} : { priority };
      try {
        const jobs = Array.from({ length: count }, () => ({ name, data: {}, opts }));
        await within(adding, soon(queueOf(name).addBulk(jobs)));
      } catch (error) {
        onError(error);
      }
    },
    async waiting(name) {
      const counts = await soon(queueOf(name).getJobCounts('waiting', 'prioritized', 'delayed'));
      return Object.values(counts).reduce((sum, count) => sum + count, 0);
    },
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

async function inPostgres(pool: QueuePool): Promise<Place> {
  const bound = withBackend(createPostgresBackend);
  const client = await pool.connect();
  try {
    await migrate(client);
  } finally {
    client.release();
  }
  return {
    newQueue: (name, options) => new bound.Queue(name, { ...options, connection: pool }) as unknown as Queue,
    newWorker: (name, work, options) =>
      new bound.Worker(name, work, { ...options, connection: pool }) as unknown as Worker,
    isAway: () => false, // statements fail at once
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
  /** A job that cannot be added now is lost at once, rather than kept in memory for as long as the server is away. */
  const adding = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1, retryStrategy });
  const working = new Redis(url, { maxRetriesPerRequest: null, retryStrategy });
  for (const connection of [adding, working]) connection.on('error', onError);
  return {
    newQueue: (name, options) => new Queue(name, { ...options, connection: adding }),
    newWorker: (name, work, options) => new Worker(name, work, { ...options, connection: working }),
    isAway: () => working.status !== 'ready',
    disconnect() {
      isClosing = true;
      // One that is about to be made again would say nothing of its end if it were disconnected now.
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

async function isSettledWithin(ms: number, promise: Promise<unknown>): Promise<boolean> {
  const controller = new AbortController();
  const isSettled = promise.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([isSettled, delay(ms, false, { signal: controller.signal })]);
  } finally {
    controller.abort();
  }
}
