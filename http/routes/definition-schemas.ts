import { integerOf, numberInBody, paramValue, textInBody, z } from '../zod.js';
import { executionConfig } from './setting-schemas.js';

/* What strategies are made of, as the documents describe it. The service checks these values. */

const timeframes = ['5m', '15m', '30m', '1h', '4h', '1D'];

/** Parameters of a signal by name. A signal of the registry lists its own. */
export const signalParams = z
  .record(z.string(), paramValue)
  .openapi('SignalParams', { description: 'parameters of the signal by name; one that is left out takes its default' });

/** Parameters as an answer repeats them, also those of a rule that was refused for them. */
export const writtenParams = z.record(z.string(), z.unknown()).openapi({ description: 'as they were written' });

const named = z.object({
  name: z.string().openapi({ description: 'a signal of the registry', example: 'rsi_cross_up' }),
  signal_type: z.enum(['TRIGGER', 'FILTER']),
});
export const rule = named
  .extend({
    timeframe: z.string().openapi({
      description: `one of ${timeframes.join(', ')}, in any of their spellings; that of the run or a coarser one`,
      example: '1h',
    }),
    params: signalParams,
  })
  .openapi('Rule');
/** A rule as an answer repeats it. */
export const writtenRule = named
  .extend({
    timeframe: z.string().nullable().openapi({ description: 'null: that of the run' }),
    params: writtenParams.nullable(),
  })
  .openapi('WrittenRule');

export const rules = z
  .object({
    name: z.string(),
    asset: z.string(),
    entry: z.array(rule),
    exit: z.array(rule),
    reward_factor: z.number(),
  })
  .openapi('StrategyRules');

export const rewardFactor = numberInBody('distance of the target in stop distances', {
  exclusiveMinimum: 0,
  default: 2,
});

/** A strategy as its author writes it. */
export const definition = z
  .object({
    name: z.string().min(1).max(200),
    asset: z.string().min(1).max(32),
    entry: z.array(rule).openapi({ description: 'one TRIGGER, and unless the server relaxes it one FILTER' }),
    exit: z.array(rule).optional().openapi({ description: 'at most one TRIGGER and one FILTER', default: [] }),
    reward_factor: rewardFactor.optional(),
    execution_config: executionConfig.optional(),
  })
  .openapi('StrategyDefinition');

/** A strategy with its own asset and interval, its definition as text. */
export const inText = z
  .object({ asset: z.string(), interval: z.string(), strategy_json: z.string() })
  .openapi('StrategyInText');

const axis = z
  .union([
    z.object({ values: z.array(paramValue) }),
    z.object({ min: z.number(), max: z.number(), step: z.number().openapi({ exclusiveMinimum: 0 }) }),
  ])
  .openapi('SweepAxis', { description: 'the values to try: listed, or from min to max by step' });

const sweptSignal = z
  .object({
    name: z.string(),
    signal_type: z.enum(['TRIGGER', 'FILTER']).optional(),
    timeframe: z.string().optional().openapi({ description: 'default: that of the dataset' }),
    params: signalParams.optional(),
    params_sweep: z
      .record(z.string(), axis)
      .optional()
      .openapi({ description: 'values of parameters to try, by name' }),
  })
  .openapi('SweptSignal');

const count = (minimum: number, maximum: number, description: string) =>
  z.int().optional().openapi({ minimum, maximum, description });

const side = z
  .object({
    triggers: z.array(sweptSignal).optional(),
    filters: z.array(sweptSignal).optional(),
    min_filters: count(0, 1_000, 'fewest filters of a run'),
    max_filters: count(0, 1_000, 'most filters of a run'),
    constraints: z
      .array(z.array(z.union([z.string(), z.number()])).length(3))
      .optional()
      .openapi({ description: 'such as ["window_fast", "<", "window_slow"]' }),
  })
  .openapi('SweepSide');

const randomCounts = {
  min_entry_filters: count(0, 1_000, 'default 1'),
  max_entry_filters: count(0, 1_000, 'default 2'),
  min_exit_triggers: count(0, 1, 'default 0'),
  max_exit_triggers: count(0, 1, 'default 1'),
  min_exit_filters: count(0, 1_000, 'default 0'),
  max_exit_filters: count(0, 1_000, 'default 2'),
};

/** The keys of a sweep: a draft is stored unchecked, and its validation checks it. */
export const sweepFields = {
  name: textInBody('1..200 characters'),
  description: z.string(),
  search_mode: textInBody('how runs are chosen', { enum: ['grid', 'random', 'tpe'], default: 'grid' }),
  seed: integerOf('repeats a random or learning search', { minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 42 }),
  datasets: z
    .array(
      z.looseObject({
        asset: z.string(),
        timeframe: z.string(),
        start_date: z.string().optional(),
        end_date: z.string().optional(),
      }),
    )
    .openapi({ description: 'series to run on, as the list of datasets returns them', minItems: 1, maxItems: 64 }),
  entry_signals: side,
  exit_signals: side,
  grid_signals: z
    .object({ n_param_combos: z.int().openapi({ minimum: 1 }) })
    .openapi({ description: 'draws so many combinations from the grid' }),
  n_random: integerOf('samples per dataset in a random search', { minimum: 1 }),
  random_signals: z.object(randomCounts).openapi({ description: 'how many rules a random sample draws' }),
  tpe: z
    .object({
      trials: z.int().openapi({ minimum: 1, maximum: 100_000, description: 'runs per dataset' }),
      startup_trials: count(1, 100_000, 'random ones before the model learns'),
      batch: count(1, 4_096, 'trials proposed at once; default 32'),
      candidates: count(1, 1_000, 'draws per trial; default 24'),
      good_fraction: z.number().optional().openapi({ exclusiveMinimum: 0, maximum: 0.5, default: 0.15 }),
      metric: z.string().optional().openapi({ default: 'sharpe_ratio' }),
    })
    .openapi({ description: 'a search that learns, for search_mode tpe' }),
  execution_config: z
    .object({
      base: executionConfig.optional(),
      sweep_axes: z
        .array(z.union([z.object({ param: z.string() }).and(axis), z.looseObject({ param: z.string() })]))
        .optional()
        .openapi({ description: 'settings to vary, each with `values` or min, max and step' }),
    })
    .openapi({ description: 'settings of all runs, and settings to vary' }),
  pre_filter: z
    .object({ enabled: z.boolean().optional(), confidence_threshold: z.number().min(0).max(1).optional() })
    .openapi({ description: 'skips configurations that provably cannot trade' }),
  sieve: z
    .object({
      order: z.boolean().optional().openapi({ description: 'runs of a dataset that are likely to win come first' }),
      skip_no_trades_above: z.number().min(0).max(1).optional().openapi({ default: 1 }),
      skip_winning_below: z.number().min(0).max(1).optional().openapi({ default: 0 }),
    })
    .openapi({ description: 'lets the trained model order runs, and skip those it thinks little of; off by default' }),
  walk_forward: z
    .object({
      mode: z.enum(['rolling', 'anchored']),
      train_days: z.int().min(1).max(36_500),
      test_days: z.int().min(1).max(36_500),
      embargo_days: z.int().min(0).max(365).optional(),
      metric: z.string().optional(),
    })
    .openapi({ description: 'searches training windows, and judges each winner on the days that follow' }),
};
