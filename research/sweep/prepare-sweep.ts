import { EngineError } from '../../engine/errors.js';
import type { MetricName } from '../../engine/metrics/index.js';
import type { OwnSignal } from '../../engine/signals/index.js';
import {
  type HeldOut,
  readSweepOver,
  type SweepDefinition,
  type SweepPlan,
  sweepReads,
  type UnknownKeys,
} from '../../engine/sweep/index.js';
import { makePlan } from '../../workers/index.js';
import { refuseAllHeldOut } from '../backtest/prepare-run.js';
import type { Services } from '../backtest/run-backtest.js';
import {
  barsOfSweep,
  dataWarnings,
  describeDatasets,
  type LoadedDataset,
  loadDatasets,
  type SweepBars,
} from './datasets.js';
import { findAllFurther, withFurther } from './further.js';
import { cutHeldOut } from './held-out.js';

type SweepServices = Pick<Services, 'store' | 'heldOut'>;

/** Maximum runs of a sweep: the rows of more runs would not be read. */
export const SWEEP_RUNS_MAX = 10_000_000;

/** A checked and planned configuration with its bars. */
export interface PreparedSweep {
  readonly definition: SweepDefinition;
  readonly plan: SweepPlan;
  /** In the order of `datasets` in the configuration, regardless of folds. */
  readonly loaded: readonly LoadedDataset[];
  /** Days to hold out before the first run. */
  readonly declared: readonly HeldOut[];
  readonly warnings: readonly string[];
}

/**
 * Reads and checks a configuration and loads its bars.
 * @throws EngineError INVALID_FIELD that lists every error of the configuration
 */
async function readDefinition(
  sweep: unknown,
  services: SweepServices,
  own: readonly OwnSignal[],
  unknownKeys: UnknownKeys,
): Promise<Omit<PreparedSweep, 'plan'>> {
  const store = barsOfSweep(sweep, services.store);
  await checkUnloaded(sweep, store, own, unknownKeys);
  const whole = await loadDatasets(sweep, store);
  const { datasets: found, declared, ...cut } = await cutHeldOut(sweep, whole, services.heldOut, Date.now());
  const { definition, errors, warnings } = readSweepOver(
    sweep,
    found.map((one) => (one instanceof EngineError ? one : { ...one, bars: () => one.bars })),
    own,
    unknownKeys,
    'relaxed', // as a backtest: nothing is stored that must be a documented strategy
  );
  if (definition === null) throw new EngineError('INVALID_FIELD', errors.join('; '));
  const further = await withFurther(definition, found as LoadedDataset[], store);
  const { heldOut } = services;
  for (const { dataset, further: read, ...traded } of further.loaded) {
    if (heldOut !== undefined) await refuseAllHeldOut(heldOut, dataset.asset, traded, read?.others);
  }
  return { ...further, declared, warnings: [...cut.warnings, ...warnings, ...further.warnings] };
}

/** Refuses faults of a configuration, and missing series, before any bar is read. */
async function checkUnloaded(
  sweep: unknown,
  store: SweepBars,
  own: readonly OwnSignal[],
  unknownKeys: UnknownKeys,
): Promise<void> {
  const described = await describeDatasets(sweep, store);
  const series = described.map((one) => (one instanceof EngineError ? one : { dataset: one, bars: null }));
  const { definition, errors } = readSweepOver(sweep, series, own, unknownKeys, 'relaxed');
  if (definition === null) throw new EngineError('INVALID_FIELD', errors.join('; '));
  await findAllFurther(sweepReads(definition), definition.datasets, store);
}

/** The field that limits the number of runs, by search mode. */
const sizeFields = { grid: 'grid_signals.n_param_combos', random: 'n_random', tpe: 'tpe.trials' } as const;

/**
 * @param unknownKeys `warned` for a configuration that was accepted before
 * @throws EngineError INVALID_FIELD that lists every error of the configuration
 */
export async function prepareSweep(
  sweep: unknown,
  services: SweepServices,
  own: readonly OwnSignal[] = [],
  unknownKeys: UnknownKeys = 'refused',
): Promise<PreparedSweep> {
  const read = await readDefinition(sweep, services, own, unknownKeys);
  const { definition, warnings } = read;
  const plan = makePlan(definition, SWEEP_RUNS_MAX);
  if (plan.totalRuns > SWEEP_RUNS_MAX) {
    const field = sizeFields[definition.mode];
    const message = `a sweep must have at most ${SWEEP_RUNS_MAX} runs, was ${plan.totalRuns}: lower ${field}`;
    throw new EngineError('INVALID_FIELD', message, { field });
  }
  return { ...read, plan, warnings: [...warnings, ...plan.warnings, ...dataWarnings(read.loaded)] };
}

/** The metric that ranks a sweep: one that walks forward is ranked by the metric of its choices. */
export const rankedBy = ({ definition }: PreparedSweep, asked: MetricName): MetricName =>
  definition.walkForward?.metric ?? asked;
