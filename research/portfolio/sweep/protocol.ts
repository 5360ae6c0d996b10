import type { PortfolioWindow } from './kernel.js';

/** What a thread needs to know of a sweep. */
export interface PortfolioSetup {
  readonly id: string;
  /** Parsed JSON of the plan. */
  readonly plan: unknown;
  readonly windows: readonly PortfolioWindow[];
  readonly totalRuns: number;
  readonly home: string;
  readonly sampleDir: string | undefined;
  readonly engineVersion: string;
}

export interface PortfolioTask {
  readonly setup: PortfolioSetup;
  readonly from: number;
  readonly to: number;
}

/** Finished runs, a value a run in each column. */
export interface PortfolioChunk {
  readonly from: number;
  readonly count: number;
  /** Numbers of `runStatuses`. */
  readonly statuses: Uint8Array;
  readonly errors: readonly (string | null)[];
  readonly elapsedMs: Float64Array;
  /** In the order of `metricNames`, run after run. */
  readonly metrics: Float64Array;
  readonly turnover: Float64Array;
  readonly largestGross: Float64Array;
  readonly returns: readonly (Float32Array | null)[];
}
