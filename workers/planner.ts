import { Piscina } from 'piscina';
import type { PlanResult, PlanTask } from './sweep-protocol.js';
import { BACKGROUND_NICE, sweepTask } from './sweep-threads.js';

/** Plans configurations in a thread, which is there while there is something to plan. */
export interface Planner {
  plan(task: PlanTask, signal?: AbortSignal): Promise<PlanResult>;
  close(): Promise<void>;
}

const IDLE_MS = 5_000;
const HEAP_MB_MAX = 512;
/** Identities are gone as soon as they are hashed. */
const YOUNG_MB_MAX = 8;

export function openPlanner(): Planner {
  const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB_MAX, maxYoungGenerationSizeMb: YOUNG_MB_MAX };
  const pool = new Piscina({
    filename: sweepTask.href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    niceIncrement: BACKGROUND_NICE,
    resourceLimits,
  });
  return {
    plan: (task, signal) => pool.run(task, signal === undefined ? {} : { signal }) as Promise<PlanResult>,
    close: () => pool.destroy(),
  };
}
