import assert from 'node:assert/strict';
import test from 'node:test';
import { executionDefaults, tradingDefaults } from '../../../../service/config/index.js';

const cooldown_config = {
  '5m': { short_loss_limit: 4, long_loss_limit: 6, short_window_bars: 180, long_window_bars: 480 },
  '15m': { short_loss_limit: 4, long_loss_limit: 6, short_window_bars: 120, long_window_bars: 320 },
  '1h': { short_loss_limit: 4, long_loss_limit: 6, short_window_bars: 48, long_window_bars: 144 },
  '1d': { short_loss_limit: 4, long_loss_limit: 6, short_window_bars: 20, long_window_bars: 60 },
};

/** The published settings of execution, by section. */
const published = {
  risk_management: {
    max_risk_per_trade: 0.01,
    reward_factor: 2,
    atr_period: 14,
    atr_volatility_factor: 2,
    atr_short_weight: 0.95,
    atr_long_weight: 0.05,
    atr_cap_multiplier: 2.1,
  },
  position_limits: {
    initial_balance: 10000,
    min_balance_threshold: 0.1,
    min_trade_amount: 25,
    max_open_positions: 10,
    max_trades_per_day: 50,
    max_units_per_trade: 1000000,
    max_trade_amount: 10000000,
  },
  volatility_settings: {
    volatility_window: 24,
    target_volatility: 0.1,
    volatility_mode: 'stddev',
    enable_volatility_adjustment: false,
  },
  trading_rules: {
    max_hold_time_hours: null,
    cooldown_bars: 24,
    daily_momentum_limit: 3,
    weekly_momentum_limit: 3,
    cooldown_config,
  },
  time_based_exits: {
    max_hold_bars: 1000,
    exit_on_loss_after_bars: 1000,
    exit_on_profit_after_bars: 1000,
    profit_threshold_pct: 0.05,
  },
};

test('the trading defaults equal the published document', () => {
  const { description, ...sections } = tradingDefaults();
  assert.match(description, /\w/);
  const backtest_defaults = { slippage_pct: 0.004, fee_pct: 0.0085 };
  assert.deepEqual(sections, { signal_defaults: {}, backtest_defaults, ...published });
});

test('the execution defaults equal the published document, flat and without costs of backtests', () => {
  assert.deepEqual(executionDefaults(), Object.assign({}, ...Object.values(published)));
});
