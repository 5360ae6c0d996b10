import type { SweepDefinition } from './definition.js';
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
  /**
   * The reason for which the sieve skips a run, null for a run to execute; absent where the sweep
   * does not ask for the sieve.
   */
  readonly ruledOut?: (run: SweepRun) => string | null;
  /** Version of the model that orders or skips runs, which then belongs to the plan. */
  readonly sieveVersion?: string;
}

/** What a model says of a run before it is executed: probabilities. */
interface Forecast {
  readonly no_trades: number;
  readonly winning: number;
}

/** A trained model over the runs of one sweep. */
export interface Forecaster {
  readonly version: string;
  forecast(run: SweepRun): Forecast;
}

/** What planning needs besides the definition. */
export interface PlanOptions {
  readonly sha256: Sha256;
  /** Runs beyond this are not counted one by one. */
  readonly runsMax: number;
  /** Forecasts runs where the sweep asks for the sieve; null without a trained model. */
  readonly forecaster?: (definition: SweepDefinition) => Forecaster | null;
}
