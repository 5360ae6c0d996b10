import type { Audit } from '../engine/audit/index.js';
import type { BacktestWork } from '../engine/backtest/index.js';
import type { EngineCode } from '../engine/errors.js';
import type { AuditOptions, ComputedBacktest } from './compute-backtest.js';

/** A job for a thread of the backtest pool. */
export interface BacktestJob {
  readonly work: BacktestWork;
  /** Null for a run, else an audit. */
  readonly audit: AuditOptions | null;
  /** `bufferNumber` of the bars. */
  readonly buffer: number;
  /** The thread that takes the job sets it to 1. */
  readonly begun: Int32Array;
}

/** Outcome of a job. Failures are data, because an error that crosses threads loses its code. */
export type Outcome =
  | { readonly kind: 'computed'; readonly value: ComputedBacktest }
  | { readonly kind: 'audited'; readonly value: Audit }
  | {
      readonly kind: 'refused';
      readonly code: EngineCode;
      readonly message: string;
      readonly details: Readonly<Record<string, unknown>>;
    }
  /** A bug; retrying does not help. */
  | { readonly kind: 'broken'; readonly reason: string };

const threadFaults = ['full', 'deadline', 'died', 'closed'] as const;
type ThreadFault = (typeof threadFaults)[number];

/**
 * Why a thread gave no answer: the queue was full, the deadline passed, the thread died on every
 * attempt, or the pool was closed.
 */
export class ThreadFailure extends Error {
  override readonly name = 'ThreadFailure';

  constructor(
    readonly fault: ThreadFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
