import { EngineError } from '../engine/errors.js';
import { weighReceived } from '../engine/series/index.js';
import type { BacktestJob, Outcome } from './backtest-protocol.js';
import { auditWork, computeBacktest } from './compute-backtest.js';

/**
 * Runs one backtest or audit in a thread. Bars are views of the caller's cache; everything computed
 * is in the memory of this thread.
 */
export default function runJob(job: BacktestJob): Outcome {
  Atomics.store(job.begun, 0, 1);
  weighReceived(job.work.bars.time.buffer, job.buffer);
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
