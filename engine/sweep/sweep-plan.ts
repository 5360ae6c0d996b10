import type { Sha256, SweepRun } from './run.js';
import type { PlanSearch } from './tpe-plan.js';

/** The runs of a sweep, each found by its index; the same definition always gives the same ones. */
export interface SweepPlan {
  /** Never more than `runsMax + 1`, where counting stopped. */
  readonly totalRuns: number;
  readonly run: (index: number) => SweepRun;
  readonly warnings: readonly string[];
  /**
   * Finds the runs of a search that learns from its results; null where all of them are known
   * beforehand.
   */
  readonly search: PlanSearch | null;
}

/** What it takes to plan. */
export interface PlanOptions {
  readonly sha256: Sha256;
  /** Runs beyond this are not counted one by one. */
  readonly runsMax: number;
}
