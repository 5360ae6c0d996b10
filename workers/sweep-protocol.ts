import type { EngineCode, SharedBars, SweepDataset } from '../engine/index.js';

/** What a thread needs to know of a sweep. Bars are shared, not copied. */
export interface SweepSetup {
  /** The configuration as its author wrote it. */
  readonly sweep: unknown;
  /** In the order of its `datasets`; what folds they have follows from the configuration. */
  readonly datasets: readonly SweepDataset[];
  readonly bars: readonly { readonly shared: SharedBars; readonly first: number }[];
  /** Runs of the plan are counted one by one up to this many. */
  readonly runsMax: number;
  /** For masks and columns, per thread. */
  readonly cacheBytesMax: number;
  /** Not 0: finish the run at hand and no other. */
  readonly stop: Int32Array;
  readonly rows: RowSetup;
}

/** Where rows go, and what every one of them says. */
export interface RowSetup {
  /** Of the sweep. */
  readonly folder: string;
  readonly experimentId: string;
  readonly engineVersion: string;
  /**
   * By dataset: last close over first open of BTC in its window, less 1; null where those bars are
   * not held.
   */
  readonly btcReturns: readonly (number | null)[];
}

/** Runs `from` to `to` (exclusive). */
export interface RunRange {
  readonly from: number;
  readonly to: number;
}

export interface ChunkTask extends RunRange {
  /**
   * The same in every task of a thread: it comes with each, since the thread before may have died.
   */
  readonly setup: SweepSetup;
  /**
   * In a search that learns: where the runs are in its space. A thread has no results to find them
   * by.
   */
  readonly places?: Float64Array;
  /** The runs are not run: this is the error that their rows tell of. */
  readonly failure?: string;
}

/** A dataset of a configuration that is to be planned: its bars, or why it has none. */
export type DatasetToPlan =
  | { readonly dataset: SweepDataset; readonly shared: SharedBars }
  | { readonly failure: { readonly code: EngineCode; readonly message: string } };

/** Checks a configuration and counts its runs, which takes long where each is looked at. */
export interface PlanTask {
  readonly sweep: unknown;
  /** In the order of its `datasets`. */
  readonly toPlan: readonly DatasetToPlan[];
  /**
   * Runs are looked at one by one up to one more than this; a random search that asks for more is
   * not planned.
   */
  readonly runsMax: number;
}

export interface PlanResult {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /**
   * 0 where there are errors. Beyond `runsMax` those that the configuration asks for, or one more
   * where repetitions count.
   */
  readonly totalRuns: number;
  /** SHA-256 over the identities of all runs; null where there are errors, or too many runs. */
  readonly planHash: string | null;
  /** Runs of each dataset, or fold of one, in the order of the plan; none without a hash. */
  readonly series: readonly { readonly dataset: SweepDataset; readonly runs: number }[];
}

export const runStatuses = ['ok', 'no_trades', 'skipped', 'error'] as const;

/**
 * Finished runs, from `from` on, whose rows are on the disk; fewer than asked for when the sweep
 * was stopped. Columns, one value a run.
 */
export interface ChunkResult {
  /** Why the rows could not be written, which is the end of the sweep. */
  readonly writeError: string | null;
  readonly from: number;
  readonly count: number;
  /** Index in `runStatuses`. */
  readonly statuses: Uint8Array;
  readonly configHashes: readonly string[];
  /** Null where the run did not fail. */
  readonly errors: readonly (string | null)[];
  readonly elapsedMs: Float64Array;
  /** Metrics in the order of the metric table, run after run; NaN for null. */
  readonly metrics: Float64Array;
}
