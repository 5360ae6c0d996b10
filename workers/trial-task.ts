/** Judges a range of the trials of a sweep in a thread. The returns are shared, not copied. */
import { trialWork } from '../engine/statistics/index.js';
import type { TrialTask } from './trial-threads.js';

export default function assessTrials({ trials, kind, rows, question }: TrialTask): unknown {
  const work = trialWork[kind] as (...args: unknown[]) => unknown;
  return work(trials, rows, question);
}
