import type { State } from '../../data/state/index.js';
import type { JobQueues, QueueName, QueueSource, QueueWork } from '../../workers/queues/index.js';
import type { ServiceConfig } from './config.js';

export interface WorkParts {
  readonly config: ServiceConfig;
  readonly state: State;
  readonly onError: (error: unknown) => void;
}

/** The queues of a process, which are opened when it first needs them. */
export interface Work {
  /** Says that there is something to do; nobody waits for it. */
  wake(queue: QueueName, count?: number): void;
  /** Takes jobs, as soon as the queues are open. */
  start(sources: readonly QueueSource[]): void;
  /** Gives back what is at hand. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

export function composeWork({ config, state, onError }: WorkParts): Work {
  let opening: Promise<JobQueues> | null = null;
  const open = (): Promise<JobQueues> => {
    opening ??= import('../../workers/queues/index.js').then(({ openQueues }) =>
      openQueues({ redisUrl: config.REDIS_URL, openPool: (schema) => state.openQueuePool(schema), onError }),
    );
    return opening;
  };
  let working: Promise<QueueWork> | null = null;
  return {
    wake(queue, count = 1) {
      open()
        .then((queues) => queues.add(queue, count))
        .catch(onError);
    },
    start(sources) {
      working = open().then(async (queues) => {
        const { QueueWork } = await import('../../workers/queues/index.js');
        const work = new QueueWork(queues, sources, onError);
        work.start();
        return work;
      });
      working.catch(onError);
    },
    async stop() {
      await (await working?.catch(() => null))?.stop();
    },
    async close() {
      await (await opening?.catch(() => null))?.close();
    },
  };
}
