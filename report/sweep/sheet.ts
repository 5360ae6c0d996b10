import type { MetricName } from '../../engine/metrics/index.js';
import type { Assessment } from '../../engine/sweep/index.js';
import type { PortfolioSheet } from '../portfolio/charts.js';
import type { SheetRule, TearSheet } from '../sheet.js';

/** The input of the page of a sweep. Rendering reads nothing else. */
export interface SweepSheet {
  readonly title: string;
  /** The metric that ranks the runs; in a walk-forward sweep, the metric that chooses. */
  readonly by: MetricName;
  /** Trades that a leader needs. Runs with fewer rank after all others. */
  readonly minTrades: number;
  /** How many of the listed rules each run has, side by side; empty in a sweep of portfolios. */
  readonly madeOf: readonly string[];
  readonly total: number;
  readonly done: number;
  readonly counts: SheetCounts;
  /** The most frequent errors among the runs. */
  readonly errors: readonly { readonly message: string; readonly count: number }[];
  readonly datasets: readonly SheetDataset[];
  /** Null if no run traded. In a walk-forward sweep, the runs of the newest training windows. */
  readonly explored: Explored | null;
  /**
   * The best runs of all datasets, best first. In a walk-forward sweep, only runs of the newest
   * training windows.
   */
  readonly best: readonly SheetRun[];
  /** The leader of all datasets, over the window of its run; null in a sweep of portfolios. */
  readonly account: TearSheet | null;
  /** In a sweep of portfolios, the one that leads, over its window. */
  readonly portfolio?: PortfolioSheet | undefined;
  /** The plan as its author wrote it; any JSON value. */
  readonly configuration: unknown;
  /** Origin of the sweep: hashes, versions, sources; any JSON value. */
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
}

/**
 * Finished runs, by how they ended: with trades, without one, ruled out by the pre-filter or the
 * sieve, or failed.
 */
export interface SheetCounts {
  readonly ok: number;
  readonly no_trades: number;
  readonly skipped: number;
  readonly error: number;
}

export interface SheetDataset {
  /** Asset and timeframe, such as `BTC 1h`. */
  readonly name: string;
  /** UTC dates, both inclusive. */
  readonly startDate: string;
  readonly endDate: string;
  readonly bars: number;
  readonly counts: SheetCounts;
  /** The best run; in a walk-forward sweep, the best of the newest training window. */
  readonly leader: SheetRun | null;
  /** What the leader is, as a file to run. */
  readonly definition: SheetDefinition | null;
  readonly distribution: Distribution | null;
  readonly honesty: Assessment | null;
}

/** A run as a file to run. */
interface SheetDefinition {
  readonly interval: string;
  readonly start: string;
  readonly end: string;
  readonly strategy?: Readonly<Record<string, unknown>>;
  readonly portfolio?: Readonly<Record<string, unknown>>;
}

/**
 * The ranking metric over all runs that traded, counted in bins. All datasets share one bin width.
 */
export interface Distribution {
  readonly low: number;
  readonly width: number;
  /** The first and last bin also hold all values beyond them. */
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
  /** Rules of a strategy; a portfolio has none of its own. */
  readonly entry: readonly SheetRule[];
  readonly exit: readonly SheetRule[];
  /** Rules of the short side, in a sweep that has one. */
  readonly short?: { readonly entry: readonly SheetRule[]; readonly exit: readonly SheetRule[] };
  /** Settings that the sweep varies; of a portfolio, places in its definition. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Fractions per leg; of a portfolio whose members differ, by member. */
  readonly feePct: number | ReadonlyMap<string, number>;
  readonly slippagePct: number | ReadonlyMap<string, number>;
  readonly metrics: Readonly<Partial<Record<MetricName, number | null>>>;
}

/**
 * Runs that traded, as columns: all of them, or the best ones and others spread evenly over the
 * sweep.
 */
export interface Explored {
  /** Numbers of the runs, ascending. */
  readonly runs: Float64Array;
  /** Number of runs that traded, including those not held here. */
  readonly runCount: number;
  /** How many runs are here because they are the best; 0 if all runs are here. */
  readonly bestCount: number;
  readonly parameters: readonly SheetParameter[];
  /** The ranking metric first; NaN for a run without the metric. */
  readonly metrics: readonly { readonly name: MetricName; readonly values: Float64Array }[];
}

/**
 * Something that takes more than one value in the sweep: a parameter of a rule, the choice of
 * rules, a setting or the dataset.
 */
export interface SheetParameter {
  /** Such as `sma_cross_up.window_fast`. */
  readonly name: string;
  /** Ascending; all numbers or all texts. */
  readonly values: readonly (number | string)[];
  /** Per run: 0 if it lacks the parameter, else 1 + index into `values`. */
  readonly codes: Uint16Array;
}
