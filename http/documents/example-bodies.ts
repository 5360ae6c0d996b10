/* What several examples of the documents are made of. */

/** A strategy that any server can run. */
export const definitionExample = {
  name: 'dip in an uptrend',
  asset: 'BTC',
  entry: [
    { name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: '1h', params: { window: 14, threshold: 30 } },
    { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '4h', params: { window: 50 } },
  ],
  exit: [{ name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: '1h', params: { window: 14, threshold: 70 } }],
  reward_factor: 3,
};

/** The settings that a run which a caller waits for must name, with their published defaults. */
export const riskExample = {
  initial_balance: 10_000,
  min_balance_threshold: 0.1,
  min_trade_amount: 25,
  max_open_positions: 10,
  max_trades_per_day: 50,
  max_risk_per_trade: 0.01,
  max_units_per_trade: 1_000_000,
  max_trade_amount: 10_000_000,
  volatility_window: 24,
  target_volatility: 0.1,
  volatility_mode: 'stddev',
  enable_volatility_adjustment: false,
  cooldown_bars: 24,
  daily_momentum_limit: 3,
  weekly_momentum_limit: 3,
};

/** Twelve bars that fall, so that an RSI has a value. */
export const marketDataExample = Array.from({ length: 12 }, (_, i) => ({
  timestamp: `2024-01-01T${String(i).padStart(2, '0')}:00:00Z`,
  open: 101 - i,
  high: 102 - i,
  low: 99 - i,
  close: 100 - i,
  volume: 10,
}));

const swept = { window_fast: { values: [5, 10] }, window_slow: { min: 20, max: 40, step: 20 } };

/** Eight runs over a few weeks. */
export const experimentExample = {
  name: 'Crosses above an average',
  search_mode: 'grid',
  seed: 7,
  datasets: [{ asset: 'BTC', timeframe: '1d' }],
  entry_signals: {
    triggers: [{ name: 'sma_cross_up', signal_type: 'TRIGGER', params_sweep: swept }],
    filters: [{ name: 'is_above_sma', signal_type: 'FILTER', params: { window: 20 } }],
    min_filters: 1,
    max_filters: 1,
  },
  exit_signals: { triggers: [], filters: [] },
  execution_config: {
    base: { fee_pct: 0.001, slippage_pct: 0.0005 },
    sweep_axes: [{ param: 'reward_factor', values: [2, 4] }],
  },
};
