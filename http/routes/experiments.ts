import type { ReplyOf } from '../../rpc/index.js';
import { type Input, type Route, sendPage } from '../route.js';
import { numberInQuery, orNull, textInQuery, unchecked, z } from '../zod.js';
import { sweepFields } from './definition-schemas.js';

const tag = 'Experiments';

const status = z.enum(['draft', 'validated', 'queued', 'running', 'paused', 'completed', 'failed', 'cancelled']);
const time = z.string().nullable();
const whole = z.int().nullable();

/** Documentation only: a draft is stored unchecked; validation checks it. */
const configuration = z
  .looseObject(Object.fromEntries(Object.entries(sweepFields).map(([name, schema]) => [name, unchecked(schema)])))
  .partial();

const progress = z.object({
  experiment_id: z.string(),
  status,
  completed: z.int(),
  total: z.int(),
  rate: z.number(),
  eta_seconds: z.number().nullable(),
  elapsed_seconds: z.number(),
  errors: z.int(),
  no_trades: z.int(),
  skipped: z.int(),
  per_dataset: z.record(z.string(), z.object({ completed: z.int(), total: z.int(), status: z.string() })),
});

const experiment = z.looseObject({
  success: z.literal(true),
  experiment_id: z.string(),
  status,
  org_id: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  launched_at: time,
  started_at: time,
  ended_at: time,
  total_runs: whole,
  completed_runs: z.int(),
  plan_hash: z.string().nullable(),
  error: z.string().nullable(),
  progress: progress.nullable(),
});

const state = z.object({ success: z.literal(true), experiment_id: z.string(), status });

const configured = ({ params, body }: Input) => ({ ...params, config: body });

/**
 * The configuration is at the root, as the client sent it. Fields of the service override its keys.
 */
const flat = ({ config, ...known }: ReplyOf<'Experiments.Get'>): unknown => ({
  ...(config as object),
  success: true,
  ...known,
});

const withoutRuns = ({ experiment_id, status: now }: ReplyOf<'Experiments.Replace'>) => ({
  success: true,
  experiment_id,
  status: now,
});

const ranking = z
  .object({
    by: textInQuery('metric that ranks the runs that traded, the better end first; default sharpe_ratio'),
    min_trades: numberInQuery(
      'trades that a leader needs, 0..1000000, default 30; runs with fewer rank last and lead only where no run has as many',
      { type: 'integer', minimum: 0, maximum: 1_000_000, default: 30 },
    ),
  })
  .partial();

const ratio = z.number().nullable();

const overfitting = z.looseObject({ split_count: z.int(), pbo: z.number(), loss_probability: z.number() });
const paths = z.looseObject({ path_count: z.int() }).openapi('SweepPaths', {
  description: 'final_growth, max_drawdown and ruin_probability over reshuffled or resampled days, and their fan',
});
const walkForward = z.looseObject({}).openapi('SweepWalkForward', {
  description: 'the folds and their totals',
  additionalProperties: true,
});

const beliefTest = z.enum(['luck', 'market', 'timing', 'fills']);
const wholeSweep = z
  .object({
    datasets: z.int(),
    trial_count: z.int(),
    luck_p: ratio,
    market_p: ratio,
    timing_p: ratio,
    fills_p: ratio,
    fails: orNull(beliefTest),
  })
  .openapi('SweepAcrossDatasets', {
    description: 'the leader judged as one picked from all datasets of the sweep; null with one dataset',
  });

const everTried = z
  .object({
    trial_count: z.int(),
    effective_trial_count: z.number(),
    other_assets: z.int(),
    lucky_sharpe: ratio,
    deflated_sharpe: ratio,
    luck_p: ratio,
    market_p: ratio,
    timing_p: ratio,
    fills_p: ratio,
  })
  .openapi('SweepEverTried', {
    description: 'the leader judged by all tries ever made on the asset, and by the same plan on other assets',
  });

const figures = z
  .looseObject({
    asset: z.string(),
    timeframe: z.string(),
    leader: z.object({ run: z.int(), metric: z.string(), value: ratio, trades: z.int() }),
    min_trades: z.int(),
    eligible_trials: z.int(),
    trial_count: z.int(),
    sampled_trials: z.int(),
    effective_trial_count: z.number(),
    effective_beyond_market: z.number(),
    days: z.int(),
    days_per_year: z.number(),
    sharpe: ratio,
    probabilistic_sharpe: ratio,
    lucky_sharpe: ratio,
    deflated_sharpe: ratio,
    min_track_record_days: ratio,
    min_backtest_years: ratio,
    luck_p: ratio.openapi({ description: 'share of sweeps without skill whose best try does as well' }),
    market_p: ratio.openapi({ description: 'the same for what the returns keep beyond those of the asset' }),
    fills: orNull(z.object({ slippage: z.number(), p_value: z.number() })).openapi({
      description: 'luck_p with the leader at the slippage that its prices ask for; null where its own is as high',
    }),
    ever_tried: orNull(everTried),
    fails: orNull(beliefTest).openapi({
      description: 'the strictest test that the leader fails, by the p-values of ever_tried',
    }),
    whole_sweep: orNull(wholeSweep),
    reality_check_p: ratio,
    superior_p: ratio,
    overfitting: orNull(overfitting),
    reshuffled: orNull(paths),
    bootstrapped: orNull(paths),
    plateau: z.object({ neighbours: z.int(), mean: ratio }),
    warnings: z.array(z.string()).openapi({ description: 'what to know about the fills of the leader' }),
    cost_stress: z.array(
      z.object({
        factor: z.number(),
        sharpe: z.number(),
        total_return: z.number(),
        exhausted_on: z
          .string()
          .nullable()
          .openapi({ description: 'the day from which the balance was too small to trade; null for none' }),
      }),
    ),
    walk_forward: orNull(walkForward),
  })
  .openapi('ExperimentHonesty', {
    description: 'The same keys in camel case (trialCount) are deprecated aliases, served until version 0.3.',
  });

const one = '/oracle/experiments/{experiment_id}';
type Transition = 'Experiments.Pause' | 'Experiments.Cancel';
const transition = (action: 'pause' | 'cancel', rpc: Transition, summary: string): Route => ({
  method: 'post',
  path: `${one}/${action}`,
  rpc,
  summary,
  tag,
  response: state,
  toJson: withoutRuns,
});

export const experimentRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/oracle/experiments',
    rpc: 'Experiments.Create',
    summary: 'Store an experiment as a draft',
    tag,
    body: configuration,
    required: ['name'],
    status: 201,
    response: experiment,
    toRequest: configured,
    toJson: flat,
  },
  {
    method: 'get',
    path: '/oracle/experiments',
    rpc: 'Experiments.List',
    summary: 'List experiments, newest first',
    tag,
    query: z
      .object({
        limit: numberInQuery('experiments, 1..1000, default 1000', {
          type: 'integer',
          minimum: 1,
          maximum: 1000,
          default: 1000,
        }),
        offset: numberInQuery('experiments to skip, default 0', { type: 'integer', minimum: 0, default: 0 }),
      })
      .partial(),
    response: z.array(
      z.object({
        experiment_id: z.string(),
        name: z.string(),
        status,
        total_runs: whole,
        completed: z.int(),
        search_mode: z.string(),
        created_at: z.string(),
      }),
    ),
    toJson: ({ experiments }) => experiments,
  },
  {
    method: 'get',
    path: one,
    rpc: 'Experiments.Get',
    summary: 'Read an experiment with its configuration and progress',
    tag,
    response: experiment,
    toJson: flat,
  },
  {
    method: 'put',
    path: one,
    rpc: 'Experiments.Replace',
    summary: 'Replace the configuration of an experiment before its launch',
    tag,
    body: configuration,
    required: ['name'],
    response: state,
    toRequest: configured,
    toJson: withoutRuns,
  },
  {
    method: 'delete',
    path: one,
    rpc: 'Experiments.Delete',
    summary: 'Cancel an experiment and delete it with its rows',
    tag,
    response: z.object({ success: z.literal(true), experiment_id: z.string(), status: z.literal('deleted') }),
    toJson: withoutRuns,
  },
  {
    method: 'post',
    path: `${one}/validate`,
    rpc: 'Experiments.Validate',
    summary: 'Check an experiment and count its runs',
    tag,
    response: z.object({
      success: z.literal(true),
      valid: z.boolean(),
      total_runs: z.int(),
      errors: z.array(z.string()),
      warnings: z.array(z.string()),
    }),
  },
  {
    method: 'post',
    path: `${one}/launch`,
    rpc: 'Experiments.Launch',
    summary: 'Run a validated experiment, or resume a paused one',
    tag,
    status: 202,
    response: state.extend({ total_runs: z.int() }),
  },
  transition('pause', 'Experiments.Pause', 'Start no further runs of an experiment'),
  transition('cancel', 'Experiments.Cancel', 'Stop an experiment for good'),
  {
    method: 'get',
    path: `${one}/progress`,
    rpc: 'Experiments.WatchProgress',
    summary: 'Stream the progress of an experiment until it ends',
    tag,
    toFrames: (reply) => [{ data: reply }],
    response: z.string().openapi({
      description:
        'Server-sent events, each with the progress as in an experiment: one at once, then one on every change and at least every 15 seconds.',
    }),
  },
  {
    method: 'get',
    path: `${one}/honesty`,
    rpc: 'Experiments.GetHonesty',
    summary: 'Judge the best run, given how many were tried',
    tag,
    query: ranking,
    response: z.object({
      success: z.literal(true),
      experiment_id: z.string(),
      datasets: z.array(figures),
    }),
  },
  {
    method: 'get',
    path: `${one}/report`,
    rpc: 'Experiments.GetReport',
    summary: 'Read the page of an experiment, which is self-contained',
    tag,
    query: ranking,
    contentType: 'text/html',
    response: z.string(),
    send: sendPage,
  },
];
