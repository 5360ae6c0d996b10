import { BackgroundThread } from './background-thread.js';
import { ThreadFailure } from './backtest-protocol.js';
import { FairLine } from './fair-line.js';

interface FairThreadsOptions {
  /** Module that runs in the threads. */
  readonly task: URL;
  readonly threads?: number;
  /** Tasks of one party that may wait. */
  readonly waitingMax?: number;
  /** Tasks of all parties together that may wait. */
  readonly waitingMaxOfAll?: number;
  /** How long a task waits for its turn, in ms. */
  readonly waitMs?: number;
  /** Time after which a task that runs fails and its thread is ended. */
  readonly deadlineMs?: number;
  /** Maximum heap of a thread in MB. A thread that needs more dies. */
  readonly heapMbMax?: number;
}

/** Threads for short tasks of many parties. */
interface FairThreads<Task, Answer> {
  /**
   * @param party the organization or address that asks; parties take turns, one thread each at most
   * @throws ThreadFailure `full`, `deadline`, `died` or `closed`; the reason of the signal
   */
  run(task: Task, party: string, signal: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

const IDLE_MS = 60_000;

export function openFairThreads<Task, Answer>({
  task: module,
  threads = 2,
  waitingMax = 16,
  waitingMaxOfAll = 64,
  waitMs = 5_000,
  deadlineMs = 15_000,
  heapMbMax = 256,
}: FairThreadsOptions): FairThreads<Task, Answer> {
  const line = new FairLine({ places: threads, waitingMax, waitingMaxOfAll });
  const pool = Array.from(
    { length: threads },
    () =>
      new BackgroundThread<Task, Answer>({ task: module, queueMax: 0, idleMs: IDLE_MS, heapMbMax, endsBySignal: true }),
  );
  return {
    async run(task, party, signal) {
      const wait = AbortSignal.timeout(waitMs);
      const entering = line.enter(party, AbortSignal.any([signal, wait]));
      const { place, leave } = await entering.catch((error: unknown) => {
        if (error !== wait.reason || !wait.aborted) throw error;
        throw new ThreadFailure('full', `no thread was free within ${waitMs} ms`);
      });
      const deadline = AbortSignal.timeout(deadlineMs);
      try {
        // biome-ignore lint/style/noNonNullAssertion: the line has as many places as the pool has threads
        return await pool[place]!.run(async () => task, AbortSignal.any([signal, deadline]));
      } catch (error) {
        signal.throwIfAborted();
        if (deadline.aborted) throw new ThreadFailure('deadline', `no answer within ${deadlineMs} ms`);
        throw error;
      } finally {
        leave();
      }
    },
    async close() {
      await Promise.all(pool.map((thread) => thread.close()));
    },
  };
}
