import type { Honesty, MetricName } from '../../engine/index.js';
import type { SheetRule } from '../sheet.js';

/**
 * What the page of a sweep shows. Everything is handed in; nothing here is computed from anywhere
 * else.
 */
export interface SweepSheet {
  readonly title: string;
  /**
   * The metric by which runs are ranked, the highest first; of a walk-forward sweep the one that
   * chooses.
   */
  readonly by: MetricName;
  readonly total: number;
  readonly done: number;
  readonly counts: SheetCounts;
  /** The most frequent errors of runs. */
  readonly errors: readonly { readonly message: string; readonly count: number }[];
  readonly datasets: readonly SheetDataset[];
  /**
   * Null where no run traded. Of a walk-forward sweep it has the runs of the newest training
   * windows.
   */
  readonly explored: Explored | null;
  /**
   * The best runs of all datasets, best first; of a walk-forward sweep those of the newest training
   * windows.
   */
  readonly best: readonly SheetRun[];
  /** The plan as its author wrote it; any JSON value. */
  readonly configuration: unknown;
  /** Where the sweep comes from: hashes, versions, sources; any JSON value. */
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
}

/**
 * Finished runs: those that traded, that never did, that were proven not to and left out, and that
 * failed.
 */
export interface SheetCounts {
  readonly ok: number;
  readonly no_trades: number;
  readonly skipped: number;
  readonly error: number;
}

export interface SheetDataset {
  /** `BTC 1h` */
  readonly name: string;
  /** UTC dates, both inclusive. */
  readonly startDate: string;
  readonly endDate: string;
  readonly bars: number;
  readonly counts: SheetCounts;
  /** The best run; of a walk-forward sweep that of the newest training window. */
  readonly leader: SheetRun | null;
  readonly distribution: Distribution | null;
  readonly honesty: Honesty | null;
}

/**
 * The ranking metric over all runs that traded, counted in bins of one width that all datasets
 * share.
 */
export interface Distribution {
  readonly low: number;
  readonly width: number;
  /** The first and the last one hold all beyond. */
  readonly bins: readonly number[];
  readonly runs: number;
  readonly runsAboveZero: number;
  readonly min: number;
  readonly mean: number;
  readonly max: number;
}

export interface SheetRun {
  readonly run: number;
  readonly dataset: string;
  readonly entry: readonly SheetRule[];
  readonly exit: readonly SheetRule[];
  /** Settings that the sweep varies. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Fractions a leg. */
  readonly feePct: number;
  readonly slippagePct: number;
  readonly metrics: Readonly<Partial<Record<MetricName, number | null>>>;
}

/**
 * Runs that traded as columns: all of them, or the best ones and others spread evenly over the
 * sweep.
 */
export interface Explored {
  /** Numbers of the runs, ascending. */
  readonly runs: Float64Array;
  /** Runs that traded, those outside included. */
  readonly runCount: number;
  /** How many are in as the best; 0 where all are. */
  readonly bestCount: number;
  readonly parameters: readonly SheetParameter[];
  /** The ranking metric first; NaN where a run has none. */
  readonly metrics: readonly { readonly name: MetricName; readonly values: Float64Array }[];
}

/**
 * What more than one value was tried for: a parameter of a rule, the choice of rules, a setting,
 * the dataset.
 */
export interface SheetParameter {
  /** `sma_cross_up.window_fast` */
  readonly name: string;
  /** Ascending; numbers only, or texts only. */
  readonly values: readonly (number | string)[];
  /** By run: 0 where it has no such parameter, else place in `values` and 1. */
  readonly codes: Uint16Array;
}
