import { methodExample } from '../../http/openapi.js';
import type { MethodName } from '../../rpc/index.js';
import { riskFields } from './backtests.js';

const trigger = { name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: '1h', params: { window: 14 } };
const filter = { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '4h', params: { window: 50 } };
const cooldown = { short_loss_limit: 1, long_loss_limit: 2, short_window_bars: 3, long_window_bars: 4 };
const config = {
  initial_balance: 10_000,
  reward_factor: 2,
  max_risk_per_trade: 0.01,
  min_balance_threshold: 0.1,
  min_trade_amount: 25,
  max_open_positions: 10,
  max_trades_per_day: 50,
  max_units_per_trade: 1_000,
  max_trade_amount: 5_000,
  stop_loss_calculation: 'dynamic_atr',
  volatility_mode: 'stddev',
  ...{ leverage: 2, opposite_entry: 'hedge', trailing_distance: 1, stop_order: true, guard_pause_bars: 3 },
  ...{ scale_out: [[0.5, 0.5]], target_calculation: 'schedule', target_schedule: [[0, 0.1]], max_gross_exposure: null },
  cooldown_config: { '1h': cooldown },
};
const state = { cash_balance: 100, account_value: 200, total_trades: 3, num_open_positions: 1 };
const short = {
  short_entry: { any: [[trigger, { ...filter, negate: true }]] },
  short_exit: [{ ...trigger, within_bars: 2 }],
};
const definition = {
  ...{ name: 'Sound', asset: 'BTC', entry: [trigger, filter], exit: [{ ...trigger, asset: 'ETH' }], reward_factor: 2 },
  ...short,
};
const marketData = Array.from({ length: 60 }, (_, i) => ({
  timestamp: new Date(Date.UTC(2024, 0, 1, i)).toISOString(),
  open: 100 + (i % 7),
  high: 101 + (i % 7),
  low: 99 + (i % 7),
  close: 100 + (i % 5),
  volume: 10,
}));
const window = { start_date: '2024-01-01', end_date: '2024-01-15', interval: '1h' };

const swept = { name: 'sma_cross_up', signal_type: 'TRIGGER', params_sweep: { window_fast: { values: [5, 10] } } };
const experiment = {
  name: 'Crosses',
  description: 'd',
  search_mode: 'grid',
  seed: 7,
  datasets: [{ asset: 'BTC', timeframe: '1d' }],
  entry_signals: { triggers: [swept], filters: [{ ...filter, timeframe: '1d' }], min_filters: 1, max_filters: 1 },
  exit_signals: { triggers: [], filters: [] },
  grid_signals: { n_param_combos: 2 },
  execution_config: { base: { reward_factor: 3 }, sweep_axes: [{ param: 'fee_pct', values: [0, 0.001] }] },
  pre_filter: { enabled: true, confidence_threshold: 0.8 },
};

/** Requests with more places than the examples of the contract have, from which tests make invalid ones. */
export const richBodies: Readonly<Partial<Record<MethodName, object>>> = {
  'Assistant.SaveStrategy': { strategy_config: { ...definition, execution_config: config }, name: 'Mine' },
  'Strategies.Create': {
    ...definition,
    status: 'draft',
    execution_config: config,
    execution_state: state,
    session_id: 's',
    description: 'd',
  },
  'Strategies.Update': { ...definition, rules: definition, execution_config: config, description: 'd' },
  'Strategies.SetExecutionState': { ...state, execution_state: state },
  'Signals.Evaluate': { market_data: marketData, params: { window: 14 } },
  'Knowledge.Compute': {
    name: 'MACD',
    data: { close: marketData.map(({ close }) => close) },
    params: { window_fast: 5 },
  },
  'Execution.Evaluate': { persist: false, market_data: marketData },
  'Execution.EvaluateInline': { strategy: { ...definition, execution_config: config } },
  'Backtests.RunBulk': { ...window, ...riskFields, asset: 'BTC', strategy_configs: [JSON.stringify(definition)] },
  'Batch.Run': {
    ...window,
    ...riskFields,
    position_size_calc: 'v2',
    asset: 'BTC',
    strategy_json: JSON.stringify(definition),
    execution_config: config,
  },
  'Batch.RunBulk': {
    ...window,
    position_size_calc: 'v2',
    strategy_configs: [definition, { asset: 'ETH', interval: '1h', strategy_json: JSON.stringify(definition) }],
  },
  'Simulations.Run': {
    strategy_config: definition,
    dataset: { asset: 'BTC', timeframe: '1d' },
    start_date: '2024-01-01',
    end_date: '2024-03-31',
    execution_config: config,
  },
  'Simulations.Generate': {
    ...{ asset_name: 'BTC', timeframe: '1h', duration_days: 2, n_agents: 10, initial_price: 100 },
    ...{ market_condition: 'neutral', volatility: 0.5, seed: 1 },
  },
  'Sieve.Score': {
    strategies: [{ asset: 'BTC', entry: definition.entry, exit: [], execution_config: config }],
    window_bars: 500,
  },
  'Experiments.Create': experiment,
  'OnChain.ListPerpTrades': {
    filters: { side: 'Long', token_symbol: 'BTC', action: 'Buy - Add Long', type: 'Market', only_new_positions: false },
    ...{ order_by: [{ field: 'value_usd', direction: 'DESC' }], page: 1, per_page: 5 },
  },
  'Portfolios.Submit': { ...window, portfolio: { members: [{ strategy: definition, asset: 'ETH', weight: 0.5 }] } },
};

/** A valid body of a method. */
export const goodBody = (method: MethodName): object | undefined => richBodies[method] ?? methodExample(method).body;
