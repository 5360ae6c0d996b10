import { riskFields } from './backtests.js';

/**
 * A year of 5-minute bars, entered often and run again at many cuts: a backtest whose audit takes
 * seconds.
 */
export const longRun = {
  ...riskFields,
  asset: 'BTC',
  interval: '5m',
  start_date: '2023-01-01',
  end_date: '2023-12-31',
  strategy_json: JSON.stringify({
    name: 'Restless',
    asset: 'BTC',
    entry: [{ name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: '5m', params: {} }],
    exit: [{ name: 'rsi_cross_down', signal_type: 'TRIGGER', timeframe: '5m', params: {} }],
  }),
};

export const longAudit = { cuts: 80, seed: 1 };
