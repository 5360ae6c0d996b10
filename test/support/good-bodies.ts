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

const chainRows = { order_by: [{ field: 'value_usd', direction: 'DESC' }], page: 1, per_page: 5 };

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

/**
 * For methods that take more than flat fields: a valid request, from which tests make invalid ones.
 */
export const goodBodies: Readonly<Partial<Record<MethodName, object>>> = {
  'Assistant.SaveStrategy': { strategy_config: { ...definition, execution_config: config }, name: 'Mine' },
  'Auth.CreateApiKey': { name: 'robot', scopes: ['strategy:read', 'a:read'], expires_days: 30 },
  'Auth.AddToAllowlist': { emails: ['a@example.com', 'b@example.com'] },
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
  'Signals.Search': { query: 'rsi', params: { window: 14 }, keywords: ['cross'], limit: 10, offset: 0 },
  'Signals.Match': { user_description: 'price crosses above its average', num_results: 5, match_type: 'hybrid' },
  'Signals.Evaluate': { market_data: marketData, params: { window: 14 } },
  'Signals.EvaluateScoped': { signal_name: 'rsi_oversold', market_data: marketData, params: { window: 14 } },
  'Signals.EvaluateMultipleSeries': {
    symbol: 'BTC-USD',
    start_date: '2024-03-01',
    end_date: '2024-03-10',
    chart_timeframe: '4H',
    signals: [{ name: 'rsi_oversold', timeframe: '1D', params: { window: 7 } }],
  },
  'Knowledge.Evaluate': { name: 'rsi_oversold', ohlcv: marketData, params: { window: 14 } },
  'Knowledge.Compute': {
    name: 'MACD',
    data: { close: marketData.map(({ close }) => close) },
    params: { window_fast: 5 },
  },
  'Signals.ValidateParams': { parameters: { window: 14 } },
  'Signals.Validate': {
    code: 'function own_cross(bars) { return bars.length > 3; }',
    params: { window: { type: 'int', min: 2, max: 50 } },
    description: 'mine',
    rule_name: 'own_cross',
  },
  'Execution.Evaluate': { persist: false, market_data: marketData },
  'Execution.EvaluateInline': { strategy: { ...definition, execution_config: config } },
  'Execution.EvaluateBulk': { strategy_ids: ['00000000-0000-4000-8000-000000000000'], persist: false },
  'Execution.CreateAccount': { account_type: 'paper', name: 'Paper', initial_balance: 100, risk_params: { a: 1 } },
  'Execution.UpdateAccount': { name: 'Paper', max_risk_per_trade: 0.5, max_trades_per_day: 3, active: false },
  'Backtests.Run': { ...window, ...riskFields, asset: 'BTC', strategy_json: JSON.stringify(definition) },
  'Backtests.RunBulk': {
    ...window,
    ...riskFields,
    asset: 'BTC',
    strategy_configs: [JSON.stringify(definition)],
  },
  'Batch.Run': {
    ...window,
    ...riskFields,
    position_size_calc: 'v2',
    asset: 'BTC',
    strategy_json: JSON.stringify(definition),
    execution_config: config,
  },
  'Batch.Submit': { ...window, asset: 'BTC', position_size_calc: 'v1', strategy_json: JSON.stringify(definition) },
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
    asset_name: 'BTC',
    timeframe: '1h',
    duration_days: 2,
    n_agents: 10,
    initial_price: 100,
    market_condition: 'neutral',
    volatility: 0.5,
    seed: 1,
  },
  'Sieve.Score': {
    strategies: [{ asset: 'BTC', entry: definition.entry, exit: [], execution_config: config }],
    window_bars: 500,
  },
  'PromoCodes.Create': {
    ...{ code: 'SPRING-24', trial_days: 14, tier_id: 'small', scope: 'org' },
    ...{ max_redemptions: 5, expires_at: '2099-01-01' },
  },
  'PromoCodes.Validate': { code: 'SPRING-24', tier_id: 'small', scope: 'org' },
  'PromoCodes.Redeem': { code: 'SPRING-24', tier_id: 'small', scope: 'org' },
  'Webhooks.Create': {
    url: 'http://127.0.0.1:9/hook',
    events: ['backtest.completed', 'deployed.fill'],
    description: 'd',
  },
  'Experiments.Create': experiment,
  'Experiments.Replace': experiment,
  'OnChain.ListHistoricalHoldings': {
    chains: ['ethereum'],
    date_range: { from: '2025-09-17', to: '2025-09-19' },
    filters: { include_smart_money_labels: ['Fund'], value_usd: { min: 1, max: 1e12 } },
    ...chainRows,
  },
  'OnChain.ListDexTrades': { chains: ['ethereum'], filters: { side: 'buy', min_amount_usd: 5_000 }, ...chainRows },
  'OnChain.ListPerpTrades': {
    filters: { side: 'Long', token_symbol: 'BTC', action: 'Buy - Add Long', type: 'Market', only_new_positions: false },
    ...chainRows,
  },
  'OnChain.ListTokenDexTrades': {
    chain: 'ethereum',
    date_range: { from: '2025-09-18' },
    filters: { action: 'BUY', min_amount_usd: 10 },
    ...chainRows,
  },
  'OnChain.ListTokenFlows': { chain: 'ethereum', label: 'smart_money', date_range: { to: '2025-09-19' }, ...chainRows },
  'OnChain.ReadSeries': {
    symbol: 'ETH',
    metrics: ['SmartMoneyNetflow', 'HolderConcentration'],
    interval: '4h',
    chain: 'ethereum',
    provider: 'nansen',
    top_n: 10,
    date_range: { from: '2025-09-15', to: '2025-09-19' },
  },
  'Portfolios.Run': {
    ...window,
    portfolio: { allocation: { assets: ['BTC', 'ETH'], rank_by: 'roc(close, 30)', top: 1 } },
  },
  'Portfolios.Submit': { ...window, portfolio: { members: [{ strategy: definition, asset: 'ETH', weight: 0.5 }] } },
  'Backtests.Submit': { ...window, asset: 'BTC', strategy_json: JSON.stringify(definition) },
  'Corpus.Query': {
    table: 'ohlcv',
    select: ['asset', 'timestamp', 'close'],
    filters: [
      { col: 'asset', op: 'in', value: ['BTC', 'ETH'] },
      { col: 'close', op: 'between', value: [100, 50_000] },
      { col: 'timestamp', op: '>=', value: '2024-01-01T00:00:00Z' },
    ],
    order_by: [{ col: 'close', dir: 'asc' }],
    limit: 5,
  },
};
