import { BackgroundThread } from './background-thread.js';
import { FairLine } from './fair-threads.js';
import type { PlanResult, PlanTask } from './sweep-protocol.js';
import { sweepTask } from './sweep-threads.js';

/** Plans configurations in threads, one at a time per organization. */
export interface Planner<Task = PlanTask, Result = PlanResult> {
  /**
   * @param prepare called when the plan's turn comes, so that a waiting plan does not keep bars in
   *   memory
   * @param organization owner of the plan; organizations take turns
   * @throws ThreadFailure `full`, `died` or `closed`; the reason of the signal, which also ends a
   *   running plan
   */
  plan(prepare: () => Promise<Task>, signal?: AbortSignal, organization?: string): Promise<Result>;
  close(): Promise<void>;
}

export interface PlannerOptions {
  /** Module that runs in the threads. Default: the module of sweeps. */
  readonly task?: URL;
  /** Plans of one organization that may wait. */
  readonly queueMax?: number;
  /** Plans of all organizations together that may wait. */
  readonly queueMaxOfAll?: number;
  /** Organizations whose plans run at the same time. */
  readonly threads?: number;
  /** Whether an abort ends a running plan; false where the task reads bars itself. Default: true. */
  readonly endsBySignal?: boolean;
}

const IDLE_MS = 5_000;
const HEAP_MB_MAX = 512;
/** Identities are short-lived: each is dropped as soon as it is hashed. */
const YOUNG_MB_MAX = 8;
const QUEUE_MAX = 16;
const QUEUE_MAX_OF_ALL = 128;
/**
 * Threads for plans. A short plan then shares the processors with long ones instead of waiting for
 * them.
 */
const THREADS = 4;

export function openPlanner<Task = PlanTask, Result = PlanResult>(options: PlannerOptions = {}): Planner<Task, Result> {
  const { task = sweepTask, queueMax = QUEUE_MAX, queueMaxOfAll = QUEUE_MAX_OF_ALL, threads = THREADS } = options;
  const { endsBySignal = true } = options;
  const line = new FairLine({ places: threads, waitingMax: queueMax, waitingMaxOfAll: queueMaxOfAll });
  const pool = Array.from(
    { length: threads },
    () =>
      new BackgroundThread<Task, Result>({
        ...{ task, queueMax: 0, idleMs: IDLE_MS, heapMbMax: HEAP_MB_MAX, youngMbMax: YOUNG_MB_MAX },
        endsBySignal,
      }),
  );
  return {
    async plan(prepare, signal, organization = '') {
      const { place, leave } = await line.enter(organization, signal);
      try {
        // biome-ignore lint/style/noNonNullAssertion: the line has as many places as the pool has threads
        return await pool[place]!.run(prepare, signal);
      } finally {
        leave();
      }
    },
    async close() {
      await Promise.all(pool.map((thread) => thread.close()));
    },
  };
}
