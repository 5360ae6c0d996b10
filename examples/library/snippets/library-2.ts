import { runBacktest } from 'barline';

const run = await runBacktest({
  asset: 'BTC',
  interval: '1d',
  start: '2022-01-01',
  strategy: {
    name: 'crosses',
    entry: [
      { name: 'ema_cross_up', signal_type: 'TRIGGER', params: { window_fast: 10, window_slow: 30 } },
      { name: 'formula', signal_type: 'FILTER', params: { when: 'close > sma(close, n)', n: 100 } },
    ],
    exit: [{ name: 'ema_cross_down', signal_type: 'TRIGGER', params: { window_fast: 10, window_slow: 30 } }],
  },
  config: { fee_pct: 0.001, slippage_pct: 0.0005 },
});
console.log(run.metrics.total_return, run.trades.length, run.equity.length);
const page = run.tearSheet();
const audit = await run.audit();
console.log(page.length, audit.is_clean);
