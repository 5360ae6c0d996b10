import { EngineError } from '../engine/errors.js';
import type { BacktestJob, Outcome } from './backtest-protocol.js';
import { auditWork, computeBacktest } from './compute-backtest.js';

/**
 * One backtest or audit in a thread. Bars are viewed where they stand: their memory is not adopted, for it outlives the thread's
 * task in the cache of the caller, and columns made in it could never be given back.
 */
export default function runJob(job: BacktestJob): Outcome {
  Atomics.store(job.begun, 0, 1);
  try {
    return job.audit === null
      ? { kind: 'computed', value: computeBacktest(job.work) }
      : { kind: 'audited', value: auditWork(job.work, job.audit) };
  } catch (error) {
    if (error instanceof EngineError) {
      return { kind: 'refused', code: error.code, message: error.message, details: error.details };
    }
    return { kind: 'broken', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
