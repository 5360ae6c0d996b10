/**
 * A backtest in one call: over the bundled bars, with its figures, its tear sheet and its audit.
 *
 *   npx tsx examples/library/backtest.ts
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runBacktest, type Strategy } from 'barline';

const strategy: Strategy = {
  name: 'BTC trend',
  asset: 'BTC',
  entry: [
    { name: 'ema_cross_up', signal_type: 'TRIGGER', params: { window_fast: 12, window_slow: 50 } },
    { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '1d', params: { window: 100 } },
  ],
  exit: [{ name: 'ema_cross_down', signal_type: 'TRIGGER', params: { window_fast: 12, window_slow: 50 } }],
};

const run = await runBacktest({
  strategy,
  interval: '4h',
  start: '2023-01-01',
  config: { fee_pct: 0.001, slippage_pct: 0.0005 },
});

const { total_return, max_drawdown, sharpe_ratio } = run.metrics;
console.log(`${run.trades.length} trades, return ${total_return}, drawdown ${max_drawdown}, Sharpe ${sharpe_ratio}`);

const page = join(tmpdir(), 'btc-trend.html');
await run.saveTearSheet(page);
console.log(`tear sheet in ${page}`);

const { is_clean, cuts } = await run.audit();
console.log(is_clean ? `no look-ahead at ${cuts} places` : 'the strategy sees its future');
