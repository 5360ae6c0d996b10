import {
  type AssessedTrials,
  assessInParts,
  type LuckQuestion,
  type PerformTrialWork,
  type RowRange,
  type TrialReturns,
  type TrialWork,
} from '../engine/statistics/index.js';
import { startThreads } from './sweep-threads.js';

/** Work on a range of trials, as a thread gets it. */
export interface TrialTask {
  readonly trials: TrialReturns;
  readonly kind: keyof TrialWork;
  readonly rows: RowRange;
  readonly question: unknown;
}

interface TrialThreads {
  /** @param trials in shared memory, or they are copied with every task */
  judge(trials: TrialReturns, question: LuckQuestion): Promise<AssessedTrials>;
  end(): Promise<void>;
}

/**
 * Trials from which on threads are worthwhile: to start two and load their code takes as long as to
 * judge half of so many, at 25 to 50 microseconds each.
 */
const TRIALS_MIN = 12_000;
/** Ranges for each thread, so that a slow one holds the others up less. */
const PARTS = 4;

/** Threads that judge trials; null where one thread is as fast, so that nothing is started. */
export function openTrialThreads(trialCount: number, threads: number): TrialThreads | null {
  if (threads < 2 || trialCount < TRIALS_MIN) return null;
  const task = new URL(`./trial-task${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);
  const pool = startThreads<TrialTask, unknown>({ threads, task });
  const free = openGate(threads);
  const performing = (trials: TrialReturns): PerformTrialWork => {
    const perform = (kind: keyof TrialWork, rows: RowRange, question: unknown) =>
      free(() => pool.run({ trials, kind, rows, question }));
    return perform as PerformTrialWork;
  };
  return {
    judge: (trials, question) => assessInParts(trials, question, PARTS * threads, performing(trials)),
    end: () => pool.end(),
  };
}

/** Lets at most `places` tasks run at the same time, in the order in which they came. */
function openGate(places: number): <Result>(run: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let left = places;
  return async (run) => {
    if (left === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else left--;
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next === undefined) left++;
      else next();
    }
  };
}
