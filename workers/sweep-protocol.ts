import { type EngineCode, EngineError } from '../engine/errors.js';
import type { SharedBars } from '../engine/series/index.js';
import type { SweepDataset, SweepReads } from '../engine/sweep/index.js';
import { clip } from '../engine/text.js';

/** The further series of a dataset. */
export interface SharedFurther {
  /** The names by which rules call the asset of the dataset itself. */
  readonly own: readonly string[];
  readonly others: Readonly<Record<string, SharedBars>>;
  /** By interval. */
  readonly details: Readonly<Record<string, SharedBars>>;
}

/** What a thread must know about a sweep. Bars are shared, not copied. */
export interface SweepSetup {
  /** The configuration as its author wrote it. */
  readonly sweep: unknown;
  /** In the order of `datasets` in the configuration, which also determines their folds. */
  readonly datasets: readonly SweepDataset[];
  readonly bars: readonly {
    readonly shared: SharedBars;
    /** Open of the first tradable bar or earlier, epoch ms; absent where all bars are tradable. */
    readonly startMs?: number | undefined;
    /** The further series that runs may read. */
    readonly further?: SharedFurther;
  }[];
  /** The plan counts runs one by one up to this number. */
  readonly runsMax: number;
  /** Memory for masks and columns, per thread. */
  readonly cacheBytesMax: number;
  /** Set to a value other than 0 to stop after the current run. */
  readonly stop: Int32Array;
  readonly rows: RowSetup;
  /** Modules of signals in code, as file URLs; every thread loads them. */
  readonly signalModules?: readonly string[];
}

/** Where rows are written, and the values that all of them share. */
export interface RowSetup {
  /** Folder of the sweep. */
  readonly folder: string;
  readonly experimentId: string;
  readonly engineVersion: string;
  /**
   * Per dataset: last close over first open of BTC in its window, minus 1. Null if BTC bars do not
   * cover the window.
   */
  readonly btcReturns: readonly (number | null)[];
}

/** Runs `from` to `to` (exclusive). */
export interface RunRange {
  readonly from: number;
  readonly to: number;
}

/** A chunk of runs. One without runs only lets the thread plan the sweep. */
export interface ChunkTask extends RunRange {
  /**
   * The same in all tasks of a thread. It comes with each task, because a new thread may have
   * replaced a dead one.
   */
  readonly setup: SweepSetup;
  /**
   * In a search that learns: the places of the runs in its space. A thread cannot derive them,
   * because it lacks the results.
   */
  readonly places?: Float64Array;
  /** If set, no run is executed; all rows report this error. */
  readonly failure?: string;
}

/** A dataset of a configuration to plan: its bars, or the reason for which it has none. */
export type DatasetToPlan =
  | { readonly dataset: SweepDataset; readonly shared: SharedBars; readonly startMs?: number | undefined }
  | { readonly failure: { readonly code: EngineCode; readonly message: string } };

/** Checks a configuration and counts its runs; slow, because it may visit every run. */
export interface PlanTask {
  readonly sweep: unknown;
  /** In the order of `datasets` in the configuration. */
  readonly toPlan: readonly DatasetToPlan[];
  /**
   * Runs are visited one by one up to one more than this number. A random search with more samples
   * is not planned.
   */
  readonly runsMax: number;
}

export interface PlanResult {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /**
   * 0 if there are errors. Above `runsMax` it is the number that the configuration requests, or
   * `runsMax` + 1 if repetitions have to be counted.
   */
  readonly totalRuns: number;
  /** SHA-256 over the identities of all runs; null if there are errors or too many runs. */
  readonly planHash: string | null;
  /** Number of runs per dataset or fold, in the order of the plan; empty without a hash. */
  readonly series: readonly { readonly dataset: SweepDataset; readonly runs: number }[];
  /**
   * The names that runs read beside the bars of the datasets, while the datasets of the task do not
   * yet list what is stored: nothing was planned then. Null otherwise.
   */
  readonly reads: SweepReads | null;
}

export const runStatuses = ['ok', 'no_trades', 'skipped', 'error'] as const;

/** Maximum characters of an error message in a row. */
const ERROR_LENGTH_MAX = 200;

/** Why a run failed, for its row. */
export const rowError = (error: unknown): string =>
  clip(error instanceof EngineError ? error.message : `internal error: ${String(error)}`, ERROR_LENGTH_MAX);

/**
 * Finished runs from `from` on, whose rows are on disk; fewer than requested if the sweep was
 * stopped. Columns have one value per run.
 */
export interface ChunkResult {
  /** Why the rows could not be written, which ends the sweep. */
  readonly writeError: string | null;
  readonly from: number;
  readonly count: number;
  /** Indices in `runStatuses`. */
  readonly statuses: Uint8Array;
  /** Index of the dataset of each run. */
  readonly datasets: Uint32Array;
  readonly configHashes: readonly string[];
  /** Why a run failed, or why the sieve skipped it; null for all others. */
  readonly errors: readonly (string | null)[];
  readonly elapsedMs: Float64Array;
  /** Metrics in the order of the metric table, run after run; NaN for null. */
  readonly metrics: Float64Array;
  /** Returns by period of runs that the judgement takes, see `isAssessed`; null for all others. */
  readonly returns: readonly (Float32Array | null)[];
}
