import type { Sha256, SweepRun } from './run.js';
import type { PlanSearch } from './tpe-plan.js';

/** The runs of a sweep, each found by its index; the same definition always gives the same runs. */
export interface SweepPlan {
  /** Exact up to `runsMax`; where runs are counted one by one, counting stops at `runsMax + 1`. */
  readonly totalRuns: number;
  readonly run: (index: number) => SweepRun;
  readonly warnings: readonly string[];
  /**
   * Finds the runs of a search that learns from its results; null when all runs are known
   * beforehand.
   */
  readonly search: PlanSearch | null;
}

/** What planning needs besides the definition. */
export interface PlanOptions {
  readonly sha256: Sha256;
  /** Runs beyond this are not counted one by one. */
  readonly runsMax: number;
}
