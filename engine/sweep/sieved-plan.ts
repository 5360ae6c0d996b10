// biome-ignore-all lint/style/noNonNullAssertion: every index lies within columns of one length
import { EngineError } from '../errors.js';
import type { SweepDefinition } from './definition.js';
import type { SweepRun } from './run.js';
import type { Forecaster, PlanOptions, SweepPlan } from './sweep-plan.js';

/** Every run of an ordered plan is scored in every process that plans it. */
const ORDERED_RUNS_MAX = 100_000;

const DECIMALS = 3;

/**
 * The plan with its runs in the order of the sieve, and the reasons for which it rules runs out;
 * the same plan where the sweep does not ask for that.
 * @throws NOT_FOUND without a trained model; INVALID_FIELD for too many runs to order
 */
export function sieved(plan: SweepPlan, definition: SweepDefinition, options: PlanOptions): SweepPlan {
  const { sieve } = definition;
  if (sieve === null || plan.totalRuns > options.runsMax) return plan;
  const forecaster = options.forecaster?.(definition) ?? null;
  if (forecaster === null) throw new EngineError('NOT_FOUND', 'sieve: there is no trained model here');
  const { order, noTradesMax, winningMin } = sieve;
  const skips = noTradesMax < 1 || winningMin > 0;
  const ruledOut = (run: SweepRun): string | null => {
    const { no_trades, winning } = forecaster.forecast(run);
    if (no_trades > noTradesMax) return reason('no_trades', no_trades, 'above', noTradesMax);
    return winning < winningMin ? reason('winning', winning, 'below', winningMin) : null;
  };
  return {
    ...(order ? ordered(plan, forecaster) : plan),
    warnings: skips ? [...plan.warnings, SKIP_WARNING] : plan.warnings,
    sieveVersion: forecaster.version,
    ...(skips ? { ruledOut } : {}),
  };
}

const SKIP_WARNING =
  'sieve: runs that it skips are not executed and do not count as tries, and it has learned from BTC before 2023-07-01';

const reason = (what: string, probability: number, side: 'above' | 'below', bound: number): string =>
  `sieve: ${what} ${probability.toFixed(DECIMALS)} is ${side} ${bound}`;

/**
 * Runs stay with their dataset: rows and progress count on that. Equal chances keep their order.
 */
function ordered(plan: SweepPlan, forecaster: Forecaster): SweepPlan {
  const { totalRuns } = plan;
  if (totalRuns > ORDERED_RUNS_MAX) {
    const message = `sieve.order takes at most ${ORDERED_RUNS_MAX} runs, the plan has ${totalRuns}`;
    throw new EngineError('INVALID_FIELD', message, { field: 'sieve.order' });
  }
  const chances = new Float64Array(totalRuns);
  const datasets = new Int32Array(totalRuns);
  for (let index = 0; index < totalRuns; index++) {
    const run = plan.run(index);
    chances[index] = forecaster.forecast(run).winning;
    datasets[index] = run.datasetIndex;
  }
  const places = Int32Array.from({ length: totalRuns }, (_, index) => index);
  places.sort((a, b) => datasets[a]! - datasets[b]! || chances[b]! - chances[a]! || a - b);
  return { ...plan, run: (index) => plan.run(places[index]!) };
}
