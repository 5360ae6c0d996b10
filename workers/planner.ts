import { BackgroundThread } from './background-thread.js';
import type { PlanResult, PlanTask } from './sweep-protocol.js';
import { sweepTask } from './sweep-threads.js';

/** Plans configurations in a thread, one at a time. */
export interface Planner {
  /**
   * @param prepare called when its turn comes, so that who waits holds no bars
   * @throws ThreadFailure `full`, `died` or `closed`; the reason of the signal, which ends a plan that has begun
   */
  plan(prepare: () => Promise<PlanTask>, signal?: AbortSignal): Promise<PlanResult>;
  close(): Promise<void>;
}

export interface PlannerOptions {
  /** The module that runs in the thread, for those that break it; the sweep's own without it. */
  readonly task?: URL;
  /** Plans that may wait for the one at hand. */
  readonly queueMax?: number;
}

const IDLE_MS = 5_000;
const HEAP_MB_MAX = 512;
/** Identities are gone as soon as they are hashed. */
const YOUNG_MB_MAX = 8;
const QUEUE_MAX = 16;

export function openPlanner({ task = sweepTask, queueMax = QUEUE_MAX }: PlannerOptions = {}): Planner {
  const thread = new BackgroundThread<PlanTask, PlanResult>({
    ...{ task, queueMax, idleMs: IDLE_MS, heapMbMax: HEAP_MB_MAX, youngMbMax: YOUNG_MB_MAX },
    endsBySignal: true,
  });
  return { plan: (prepare, signal) => thread.run(prepare, signal), close: () => thread.close() };
}
