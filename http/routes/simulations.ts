import type { Route } from '../route.js';
import {
  id,
  integerOf,
  jsonObject,
  numberInBody,
  numberInQuery,
  orNull,
  textInBody,
  time,
  unchecked,
  z,
} from '../zod.js';
import { denied, metrics, trades } from './backtest-schemas.js';
import { definition, rule, writtenRule } from './definition-schemas.js';
import { executionConfig } from './setting-schemas.js';

const tag = 'Simulations';
const text = z.string();
const date = z.string().openapi({ description: 'YYYY-MM-DD' });

const bar = z
  .object({
    time: z.int().openapi({ description: 'open time, epoch seconds' }),
    open: z.number(),
    high: z.number(),
    low: z.number(),
    close: z.number(),
    volume: z.number(),
  })
  .openapi('SimulationBar');

const result = z.object({
  success: z.boolean().openapi({ description: 'false if the engine failed' }),
  simulation_id: id(),
  dataset_file: text,
  is_synthetic: z.boolean().openapi({ description: 'true if the bars are generated, not market data' }),
  strategy_config: z.looseObject({ ...definition.shape, entry: z.array(writtenRule), exit: z.array(writtenRule) }),
  trades,
  ohlcv: z.array(bar),
  metrics,
  denied_signals: denied,
  warnings: z.array(text),
  error: text.nullable(),
});

const candidate = z
  .looseObject({ name: text, asset: text, entry: z.array(rule), exit: z.array(rule) })
  .openapi('StrategyCandidate');

const generated = z.object({
  success: z.literal(true),
  filename: text.optional().openapi({ description: 'set for a synthetic dataset, like the fields up to is_synthetic' }),
  dataset_file: text.optional(),
  asset_name: text.optional(),
  asset: text.optional(),
  timeframe: text.optional(),
  rows: z.int().optional(),
  start_date: date.optional(),
  end_date: date.optional(),
  is_synthetic: z.boolean().optional(),
  keywords: z.array(text).optional().openapi({ description: 'set for strategies, like the next two fields' }),
  candidates: z.array(candidate).optional(),
  strategy_config: candidate.optional().openapi({ description: 'the first candidate' }),
  seed: z.int(),
  model_version: text,
});

const preset = z
  .object({
    id: text,
    name: text,
    description: text,
    asset_name: text,
    timeframe: text,
    duration_days: z.int(),
    n_agents: z.int(),
    initial_price: z.number(),
    market_condition: z.enum(['bullish', 'bearish', 'neutral']),
    volatility: z.number(),
    seed: z.int(),
    request: jsonObject('a body of POST /oracle/simulate/run, ready to send'),
  })
  .openapi('SimulationPreset');

const historyItem = z
  .object({
    simulation_id: id(),
    created_at: time(),
    kind: z.enum(['run', 'generate']),
    status: z.enum(['completed', 'failed']),
    strategy_name: text.nullable(),
    asset: text.nullable(),
    timeframe: text.nullable(),
    dataset_file: text.nullable(),
    trade_count: z.int().nullable(),
    metrics: orNull(metrics),
    error: text.nullable(),
  })
  .openapi('SimulationHistoryItem');

/** Each of the two forms has its own keys; those of the other form are null and left out. */
const withoutNulls = (reply: Record<string, unknown>) => ({
  success: true,
  ...Object.fromEntries(Object.entries(reply).filter(([, value]) => value !== null)),
});

export const simulationRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/oracle/simulate/run',
    rpc: 'Simulations.Run',
    summary: 'Run a strategy on a dataset without storing the run',
    tag,
    body: z
      .object({
        strategy_config: unchecked(definition),
        strategy: unchecked(definition),
        dataset_file: text.openapi({ description: 'a listed file, its hash, or the name of a generated dataset' }),
        dataset_id: text,
        dataset: unchecked(z.union([text, z.looseObject({ asset: text, timeframe: text })])),
        asset: text.openapi({ description: 'with timeframe, instead of a dataset' }),
        timeframe: text,
        start_date: text.openapi({ description: 'YYYY-MM-DD or ISO 8601' }),
        end_date: text.openapi({ description: 'YYYY-MM-DD (includes that day) or ISO 8601' }),
        execution_config: executionConfig,
      })
      .partial(),
    response: result,
  },
  {
    method: 'post',
    path: '/oracle/simulate/generate',
    rpc: 'Simulations.Generate',
    summary: 'Generate candidate strategies from a description, or a synthetic dataset',
    tag,
    body: z
      .object({
        prompt: text.openapi({ description: 'what the strategies should do' }),
        intent: text.openapi({ description: 'same as prompt' }),
        description: text.openapi({ description: 'same as prompt; ignored if a field of datasets is sent' }),
        asset: text,
        timeframe: text,
        n: integerOf('number of candidates', { minimum: 5, maximum: 10, default: 7 }),
        seed: integerOf('repeats the answer', { minimum: 0, default: 42 }),
        id: text.openapi({ description: 'a preset that supplies the defaults of a dataset' }),
        asset_name: text.openapi({ description: 'for a dataset, like the fields below' }),
        duration_days: integerOf('days of bars', { minimum: 1 }),
        n_agents: integerOf('traders in the model', { minimum: 1 }),
        initial_price: numberInBody('price at the first bar', { exclusiveMinimum: 0 }),
        market_condition: textInBody('where prices tend to', { enum: ['bullish', 'bearish', 'neutral'] }),
        volatility: numberInBody('annualized, a fraction', { exclusiveMinimum: 0 }),
      })
      .partial(),
    response: generated,
    toJson: withoutNulls,
  },
  {
    method: 'get',
    path: '/oracle/simulate/presets',
    rpc: 'Simulations.ListPresets',
    summary: 'List ready-made requests for synthetic datasets and runs on them',
    tag,
    response: z.array(preset),
    toJson: ({ presets }) => presets,
  },
  {
    method: 'get',
    path: '/oracle/simulate/history',
    rpc: 'Simulations.History',
    summary: 'List the simulations of the caller, newest first',
    tag,
    query: z
      .object({
        limit: numberInQuery('rows, 1..1000, default 50', { type: 'integer', minimum: 1, maximum: 1000, default: 50 }),
        offset: numberInQuery('rows to skip, default 0', { type: 'integer', minimum: 0, default: 0 }),
      })
      .partial(),
    response: z.object({
      success: z.literal(true),
      total: z.int(),
      limit: z.int(),
      offset: z.int(),
      results: z.array(historyItem),
    }),
  },
];
