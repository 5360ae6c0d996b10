import type { Audit, EngineCode } from '../engine/index.js';
import type { AuditOptions, BacktestWork, ComputedBacktest } from './compute-backtest.js';

/** What a thread of the backtest pool is asked. */
export interface BacktestJob {
  readonly work: BacktestWork;
  /** Null for a run. */
  readonly audit: AuditOptions | null;
  /** Set to 1 by the thread that takes the job. */
  readonly begun: Int32Array;
}

/** What it answers. Failures are data, because an error that crosses threads loses its code. */
export type Outcome =
  | { readonly kind: 'computed'; readonly value: ComputedBacktest }
  | { readonly kind: 'audited'; readonly value: Audit }
  | {
      readonly kind: 'refused';
      readonly code: EngineCode;
      readonly message: string;
      readonly details: Readonly<Record<string, unknown>>;
    }
  /** A bug of ours, which trying again does not mend. */
  | { readonly kind: 'broken'; readonly reason: string };

const threadFaults = ['full', 'deadline', 'died', 'closed'] as const;
type ThreadFault = (typeof threadFaults)[number];

/**
 * Why a thread gave no answer: too many wait, it took too long, it died every time, or the pool was
 * closed.
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
