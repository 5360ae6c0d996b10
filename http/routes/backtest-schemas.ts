import { id, jsonObject, numberInBody, orNull, textInBody, time, unchecked, z } from '../zod.js';
import { definition, inText, writtenParams } from './definition-schemas.js';
import { executionConfig, settingsBeside, sizingBeside } from './setting-schemas.js';

export const metrics = z
  .record(z.string(), z.number().nullable())
  .openapi('BacktestMetrics', { description: 'by name; null where a metric has no value' });

export const trade = z
  .object({
    trade_id: id(),
    position_id: id(),
    strategy: z.string(),
    asset: z.string(),
    side: z.literal('exit_long'),
    outcome: z.enum(['win', 'loss']),
    profit_loss: z.number(),
    profit_loss_pct: z.number(),
    entry_price: z.number(),
    exit_price: z.number(),
    position_size: z.number(),
    entry_timestamp: time(),
    exit_timestamp: time(),
    exit_reason: z.string(),
    beginning_balance: z.number(),
    ending_balance: z.number(),
    stop_loss_price: z.number(),
    take_profit_price: z.number().nullable(),
    entry_fee: z.number(),
    exit_fee: z.number(),
    fees: z.number(),
    slippage_cost: z.number(),
    funding_paid: z.number(),
    bars_held: z.int(),
    entry_bar_index: z.int(),
    exit_bar_index: z.int(),
    mae: z.number(),
    mfe: z.number(),
    mae_full_bars: z.number().nullable().openapi({ description: 'null in runs of older versions' }),
    mfe_full_bars: z.number().nullable(),
  })
  .openapi('BacktestTrade');

export const denied = z.array(
  z
    .object({
      side: z.enum(['entry', 'exit']),
      name: z.string(),
      signal_type: z.string(),
      timeframe: z.string().nullable(),
      params: writtenParams,
      reason: z.string(),
      message: z.string(),
    })
    .openapi('DeniedSignal'),
);

const diagnostics = z
  .object({
    bars: z.int(),
    trigger_true: z.int(),
    filter_true: z.int(),
    both_true: z.int(),
    denied: z.record(z.string(), z.int()),
    filled: z.int(),
    limited: z.record(z.string(), z.int()).optional().openapi({
      description: 'filled entries by the limit that made them smaller; absent in runs of earlier versions',
    }),
    too_small: z.record(z.string(), z.int()).optional().openapi({
      description: 'entries denied by min_trade_amount, by the limit that made them so small',
    }),
    undefined_rules: z
      .array(
        z.object({
          side: z.enum(['entry', 'exit']),
          name: z.string(),
          timeframe: z.string(),
          params: writtenParams,
          share: z.number(),
        }),
      )
      .optional()
      .openapi({
        description: 'rules undefined, and so false, on more than a tenth of the bars after their warm-up; fractions',
      }),
    verdict: z.string().nullable().openapi({ description: 'why there is no trade; null if there is one' }),
  })
  .openapi('BacktestDiagnostics');
export const trades = z.array(trade);
const names = z.array(z.string());
const byReason = z.record(z.string(), z.record(z.string(), z.number().nullable()));
const storedStatus = z.enum(['pending', 'running', 'completed', 'failed']);

/**
 * Settings and window of a run. All are optional here, because the service names the missing ones.
 */
const around = {
  interval: z.string(),
  start_date: z.string().openapi({ description: 'YYYY-MM-DD or ISO 8601' }),
  end_date: z.string().openapi({ description: 'YYYY-MM-DD (includes that day) or ISO 8601' }),
  lookback_months: numberInBody('calendar months; ignored if start_date is given', {
    type: 'integer',
    minimum: 1,
    maximum: 1200,
  }),
  execution_config: executionConfig,
  mode: textInBody('how much is computed', { enum: ['full', 'quick'] }),
  session_id: z.string(),
  ...settingsBeside,
};

export const runBody = z
  .object({
    ...around,
    strategy_json: z.string().openapi({ description: 'definition as JSON text; give this or strategy_id' }),
    strategy_id: z.string(),
    asset: z.string(),
    open_holdout: z.boolean().openapi({
      description: 'opens the held-out days of the asset, once, and trades exactly them; no dates are given then',
    }),
  })
  .partial();

export const bulkBody = z
  .object({
    ...around,
    strategy_ids: unchecked(
      z.array(id()).min(1).max(99).openapi({ description: 'saved ones; give this or strategy_configs' }),
    ),
    strategy_configs: unchecked(
      z
        .array(z.union([definition, inText, z.string()]))
        .min(1)
        .max(99),
    ),
  })
  .omit({ lookback_months: true })
  .partial();

export const batchBody = runBody
  .omit({ strategy_id: true, session_id: true, open_holdout: true })
  .extend(sizingBeside)
  .partial();

export const batchBulkBody = bulkBody.omit({ session_id: true }).extend(sizingBeside).partial();

export const result = z.object({
  success: z.literal(true),
  metrics,
  execution_time_seconds: z.number(),
  trade_count: z.int(),
  backtest_id: id(),
  trade_history: trades,
  strategy_names: names,
  error: z.null(),
  start_date: time(),
  end_date: time(),
  asset: z.string(),
  interval: z.string(),
  diagnostics,
  denied_signals: denied,
  warnings: names,
  run_id: z.string(),
  extended_metrics: z
    .record(z.string(), z.union([z.number(), z.null(), byReason]))
    .openapi({ description: 'further metrics by name, daily ones first; null where one has no value' }),
  extended_metric_units: z
    .record(z.string(), z.object({ unit: z.string(), period: z.enum(['bar', 'day', 'month', 'trade', 'run']) }))
    .openapi({ description: 'of each further metric' }),
});

export const bulkResult = z.object({
  success: z.literal(true),
  results: z.array(
    z
      .object({
        success: z.boolean(),
        strategy_id: z.string().nullable(),
        strategy_name: z.string(),
        metrics,
        trade_count: z.int(),
        execution_time_seconds: z.number(),
        error: z.string().nullable(),
        backtest_id: id().nullable(),
        denied_signals: denied,
        warnings: names,
      })
      .openapi('BulkBacktestItem'),
  ),
  data_fetches: z.int(),
  total_execution_time_seconds: z.number(),
  error: z.null(),
});

export const submitted = z.object({
  success: z.literal(true),
  backtest_id: id(),
  status: z.enum(['queued', 'running']),
  created_at: time(),
  warnings: names.openapi({ description: 'warnings about the request' }),
});

export const state = z
  .object({
    success: z.literal(true),
    backtest_id: id(),
    status: z.enum(['queued', 'running', 'completed', 'failed']),
    metrics: orNull(metrics),
    trade_history: trades.nullable(),
    trade_count: z.int().nullable(),
    strategy_names: names,
    denied_signals: denied.nullable(),
    error_message: z.string().nullable(),
    execution_time_seconds: z.number().nullable(),
    created_at: time(),
    completed_at: time().nullable(),
    warnings: names,
  })
  .openapi('BacktestState');

export const stored = z
  .object({
    success: z.boolean().openapi({ description: 'whether the run has completed' }),
    backtest_id: id(),
    id: id(),
    status: storedStatus,
    strategy_id: id().nullable(),
    asset: z.string(),
    interval: z.string(),
    start_date: time(),
    end_date: time(),
    initial_balance: z.number(),
    config: executionConfig,
    metrics: orNull(metrics),
    trade_history: trades.nullable(),
    trade_count: z.int(),
    strategy_names: names,
    execution_time_seconds: z.number().nullable(),
    error: z.string().nullable(),
    created_at: time(),
    completed_at: time().nullable(),
    archived: z.boolean(),
    archived_at: time().nullable(),
    diagnostics: orNull(diagnostics),
    denied_signals: denied.nullable(),
    warnings: names.nullable(),
    run_id: z.string().nullable(),
  })
  .openapi('StoredBacktest');

export const tradeList = z.object({ success: z.literal(true), backtest_id: id(), trade_count: z.int(), trades });

const historyItem = z
  .object({
    id: id(),
    asset: z.string(),
    status: storedStatus,
    start_date: time(),
    end_date: time(),
    initial_balance: z.number(),
    total_return: z.number().nullable(),
    irr_annualized: z.number().nullable(),
    sharpe_ratio: z.number().nullable(),
    win_rate: z.number().nullable(),
    max_drawdown: z.number().nullable(),
    total_trades: z.int().nullable(),
    execution_time: z.number().nullable().openapi({ description: 'seconds' }),
    created_at: time(),
    archived: z.boolean(),
    archived_at: time().nullable(),
    result: z.enum(['PASS', 'FAIL', 'INSUFFICIENT_TRADES', 'pending', 'running', 'failed']),
    metrics: orNull(metrics),
    trade_history: z.null().openapi({ description: 'always null: read the trades of one run at a time' }),
  })
  .openapi('BacktestHistoryItem');

export const history = z.object({
  success: z.literal(true),
  backtests: z.array(historyItem),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
});

export const archived = z.object({
  success: z.literal(true),
  backtest_id: id(),
  archived: z.boolean(),
  archived_at: time().nullable(),
});

export const manifest = z.object({
  success: z.literal(true),
  backtest_id: id(),
  manifest: jsonObject('engine, data hashes, window, definition and settings of the run'),
});

export const replayed = z.object({
  success: z.literal(true),
  backtest_id: id(),
  run_id: z.string(),
  is_reproduced: z.boolean(),
  changes: names.openapi({ description: 'differences from the record' }),
  metrics,
});
