import { sha256, sha256OfLines } from '../data/hashes/index.js';
import { bundledForecaster } from '../data/sieve/index.js';
import { planHash, planSweep, type SweepDefinition, type SweepPlan, type SweepRun } from '../engine/sweep/index.js';

/*
 * The plan of a sweep, and its proof. The command, the service and each of their threads make both
 * here, with the same hash and the same trained model, so the same definition is the same runs in
 * all of them.
 */

/** @param runsMax the plan counts runs one by one up to this number */
export const makePlan = (definition: SweepDefinition, runsMax: number): SweepPlan =>
  planSweep(definition, { sha256, runsMax, forecaster: bundledForecaster });

/** `plan_hash`, see `planHash`. */
export const hashPlan = (
  sweep: unknown,
  planned: { readonly definition: SweepDefinition; readonly plan: SweepPlan },
  onRun?: (run: SweepRun) => void,
): string => planHash(sweep, planned, { sha256, sha256OfLines }, onRun);
