import type { Route } from '../route.js';
import {
  integerOf,
  jsonObject,
  numberInBody,
  numberInQuery,
  paramValue,
  textInBody,
  textInQuery,
  time,
  unchecked,
  z,
} from '../zod.js';
import { signalParams } from './definition-schemas.js';

const tag = 'Signals';
const success = z.literal(true);
const signalType = z.enum(['TRIGGER', 'FILTER']);
const category = z.enum(['momentum', 'trend', 'volume', 'volatility', 'patterns', 'onchain', 'user']);

const param = z
  .object({
    type: z.enum(['int', 'float', 'bool', 'str']),
    min: z.number().optional(),
    max: z.number().optional(),
    default: paramValue.optional(),
    optional: z.boolean(),
    description: z.string().optional(),
  })
  .openapi('SignalParam');

const signal = z
  .object({
    name: z.string(),
    category,
    type: signalType,
    signal_type: signalType,
    metadata: z.object({
      rule_name: z.string(),
      description: z.string(),
      requires: z.array(z.string()),
      type: signalType,
      params: z.record(z.string(), param),
    }),
    code: z.string().nullable(),
    usage_count: z.int().openapi({ description: 'number of stored strategies of the caller that use it' }),
  })
  .openapi('Signal');

const page = { success, signals: z.array(signal), total: z.int(), limit: z.int(), offset: z.int() };

const match = z
  .object({
    signal_name: z.string(),
    score: z.number().openapi({ description: '0..1' }),
    match_method: z.enum(['semantic', 'keyword']),
    category,
    signal_type: signalType,
    description: z.string(),
    reasoning: z.string(),
    similarity_score: z.number(),
    semantic_score: z.number().nullable(),
    intent_score: z.number().nullable(),
    usecase_score: z.number().nullable(),
    params: signalParams,
    match_reasoning: z.string(),
  })
  .openapi('SignalMatch');

const evaluation = z
  .object({
    success: z.boolean().openapi({ description: 'false if there are too few bars for a result' }),
    signal_name: z.string(),
    result: z.boolean().nullable(),
    error: z.string().optional(),
  })
  .openapi('SignalEvaluation');

const chartBar = z
  .object({
    timestamp: time(),
    open: z.number(),
    high: z.number(),
    low: z.number(),
    close: z.number(),
    volume: z.number(),
  })
  .openapi('ChartBar');

const series = z
  .object({
    signal_name: z.string(),
    timeframe: z.string(),
    bars_fetched: z.int(),
    trigger_indices: z.array(z.int()).openapi({ description: 'indices into market_data' }),
    trigger_timestamps: z.array(time()),
    market_data: z.array(chartBar),
    error: z.string().optional(),
  })
  .openapi('SignalSeries');

const sentBar = z
  .record(z.string(), z.union([z.number(), z.string(), z.null()]))
  .openapi('SentBar', { description: 'columns by name: Open, High, Low, Close, Volume, or a column beside them' });

const bars = {
  market_data: unchecked(z.array(sentBar).min(1).openapi({ description: 'oldest first' })),
  parameters: unchecked(signalParams),
  params: unchecked(signalParams),
};

/** The key `error` is present only on failure. */
function withoutNullError({ error, ...rest }: { readonly error: string | null }): object {
  return error === null ? rest : { ...rest, error };
}

export const signalRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/signals',
    rpc: 'Signals.List',
    summary: 'List signals, sorted by name',
    tag,
    query: z
      .object({
        limit: numberInQuery('rows, 1..100, default 50', { type: 'integer', minimum: 1, maximum: 100, default: 50 }),
        offset: numberInQuery('rows to skip, default 0', { type: 'integer', minimum: 0, default: 0 }),
        category: textInQuery('family of signals', { enum: [...category.options] }),
      })
      .partial(),
    response: z.object(page),
  },
  {
    method: 'post',
    path: '/signals/search',
    rpc: 'Signals.Search',
    summary: 'Find signals by name, parameters or keywords',
    tag,
    body: z
      .object({
        query: z.string(),
        search_type: textInBody('where to look', { enum: ['name', 'params', 'keywords'] }),
        limit: integerOf('rows', { minimum: 1, maximum: 100 }),
        offset: integerOf('rows to skip', { minimum: 0 }),
      })
      .partial(),
    required: ['query'],
    response: z.object({ ...page, search_type: z.enum(['name', 'params', 'keywords']) }),
  },
  {
    method: 'post',
    path: '/signals/match',
    rpc: 'Signals.Match',
    summary: 'Find signals that fit a description in words',
    tag,
    body: z
      .object({
        user_description: z.string(),
        description: z.string(),
        num_results: integerOf('signals to return', { minimum: 1 }),
        top_k: integerOf('same as num_results', { minimum: 1 }),
        match_type: z.string(),
        similarity_threshold: numberInBody('lowest score', { minimum: 0, maximum: 1 }),
        user_intent: unchecked(jsonObject('its texts count as part of the description, at half the weight')),
      })
      .partial(),
    response: z.object({
      success,
      query: z.string(),
      top_k: z.int(),
      similarity_threshold: z.number(),
      matches: z.array(match),
      warnings: z.array(z.string()).openapi({ description: 'names what was not understood' }),
    }),
  },
  {
    method: 'post',
    path: '/signals/evaluate',
    rpc: 'Signals.EvaluateScoped',
    summary: 'Evaluate a signal at the last of the bars sent, under a separate scope',
    tag,
    body: z.object({ signal_name: z.string(), name: z.string(), ...bars }).partial(),
    required: ['market_data'],
    response: evaluation,
    toJson: withoutNullError,
  },
  {
    method: 'post',
    path: '/signals/evaluate-multiple-series',
    rpc: 'Signals.EvaluateMultipleSeries',
    summary: 'Show where signals are true on stored bars',
    tag,
    body: z
      .object({
        symbol: z.string(),
        chart_timeframe: z.string(),
        start_date: z.string(),
        end_date: z.string(),
        signals: unchecked(
          z
            .array(z.object({ name: z.string(), timeframe: z.string().optional(), params: signalParams.optional() }))
            .max(50),
        ),
      })
      .partial(),
    required: ['symbol', 'start_date', 'end_date'],
    response: z.object({
      success,
      symbol: z.string(),
      chart_timeframe: z.string(),
      start_date: time(),
      end_date: time(),
      chart_data: z.array(chartBar),
      signal_results: z.array(series),
    }),
    passesJson: true,
    toJson: (reply) => ({
      success: true,
      ...reply,
      signal_results: reply.signal_results.map(withoutNullError),
    }),
  },
  {
    method: 'post',
    path: '/signals/validate',
    rpc: 'Signals.Validate',
    summary: 'Check the code and metadata of a signal without running it',
    tag,
    body: z
      .object({
        code: z.string(),
        params: unchecked(z.record(z.string(), param.partial({ optional: true }))),
        description: z.string(),
        rule_name: z.string(),
      })
      .partial(),
    required: ['code', 'params', 'description'],
    response: z.object({
      success,
      valid: z.boolean(),
      syntax_valid: z.boolean(),
      metadata_valid: z.boolean(),
      execution_valid: z.boolean().nullable(),
      trades_valid: z.boolean().nullable(),
      errors: z.array(z.string()),
      warnings: z.array(z.string()),
    }),
  },
  {
    method: 'get',
    path: '/signals/{signal_name}',
    rpc: 'Signals.Get',
    summary: 'Read a signal by name or alias',
    tag,
    response: signal.extend({ success }).openapi('SignalReply'),
  },
  {
    method: 'post',
    path: '/signals/{signal_name}/evaluate',
    rpc: 'Signals.Evaluate',
    summary: 'Evaluate a signal at the last of the bars sent',
    tag,
    body: z.object(bars).partial(),
    required: ['market_data'],
    response: evaluation,
    toJson: withoutNullError,
  },
  {
    method: 'post',
    path: '/signals/{signal_name}/validate-params',
    rpc: 'Signals.ValidateParams',
    summary: 'Check parameters of a signal',
    tag,
    body: z.object({ parameters: unchecked(signalParams) }).partial(),
    required: ['parameters'],
    response: z.object({
      success,
      valid: z.boolean(),
      errors: z.array(z.string()),
      warnings: z.array(z.string()),
    }),
  },
];
