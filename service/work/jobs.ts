import { setTimeout as delay } from 'node:timers/promises';
import { afterCommit } from '../../data/state/index.js';
import type { JobQueues, QueueName, QueueSource, QueueWork } from '../../workers/queues/index.js';
import type { ServiceConfig } from '../settings/config.js';
import type { State } from '../state/index.js';

interface JobsParts {
  readonly config: ServiceConfig;
  readonly state: State;
  readonly onError: (error: unknown) => void;
}

/** The job queues of a process, opened on first use. */
export interface Jobs {
  /** Adds jobs that wake workers, once the changes of the caller are committed; returns at once. */
  wake(queue: QueueName, count?: number): void;
  /** Takes jobs as soon as the queues are open, and retries opening until it succeeds. */
  start(sources: readonly QueueSource[]): void;
  /** Returns unfinished jobs to the queue. */
  stop(): Promise<void>;
  /** Jobs of each queue by state. Rejects while the queues do not answer. */
  counts(): Promise<ReadonlyMap<QueueName, Readonly<Record<string, number>>>>;
  close(): Promise<void>;
}

/** Wait between two attempts to open the queues; it doubles from the first value to the second. */
const OPEN_AGAIN_MS_FIRST = 100;
const OPEN_AGAIN_MS_MAX = 5_000;

export function openJobs({ config, state, onError }: JobsParts): Jobs {
  let opening: Promise<JobQueues> | null = null;
  const open = (): Promise<JobQueues> => {
    opening ??= import('../../workers/queues/index.js')
      .then(({ openQueues }) =>
        openQueues({ redisUrl: config.REDIS_URL, openPool: (schema) => state.openQueuePool(schema), onError }),
      )
      .catch((error) => {
        opening = null;
        throw error;
      });
    return opening;
  };
  const stopping = new AbortController();
  const { signal } = stopping;
  const startWork = async (sources: readonly QueueSource[]): Promise<QueueWork | null> => {
    for (let waitMs = OPEN_AGAIN_MS_FIRST; !signal.aborted; waitMs = Math.min(2 * waitMs, OPEN_AGAIN_MS_MAX)) {
      try {
        const queues = await open();
        if (signal.aborted) break;
        const { QueueWork } = await import('../../workers/queues/index.js');
        const work = new QueueWork(queues, sources, onError);
        work.start();
        return work;
      } catch (error) {
        onError(error);
        await delay(waitMs, undefined, { signal }).catch(() => {});
      }
    }
    return null;
  };
  let working: Promise<QueueWork | null> | null = null;
  return {
    wake(queue, count = 1) {
      afterCommit(() => {
        open()
          .then((queues) => queues.add(queue, count))
          .catch(onError);
      });
    },
    start(sources) {
      working = startWork(sources);
    },
    async stop() {
      stopping.abort();
      await (await working)?.stop();
    },
    async counts() {
      const [queues, { queueNames }] = await Promise.all([open(), import('../../workers/queues/index.js')]);
      return new Map(await Promise.all(queueNames.map(async (name) => [name, await queues.counts(name)] as const)));
    },
    async close() {
      await (await opening?.catch(() => null))?.close();
    },
  };
}
