/**
 * A strategy on a signal of one's own, with the audit that would find a look into the future.
 *
 *   npx tsx examples/library/own-signal.ts
 */
import { defineSignal, loadBars, rsi, runBacktest } from 'barline';

const calmDip = defineSignal({
  name: 'calm_dip',
  role: 'TRIGGER',
  description: 'RSI turns up from below a level.',
  params: {
    window: { type: 'int', min: 2, max: 100, default: 14 },
    level: { type: 'float', min: 1, max: 99, default: 35 },
  },
  warmup: ({ window }) => window + 2,
  compute: ({ close }, { window, level }) => {
    const strength = rsi(close, window);
    return Array.from(strength, (now, t) => {
      const before = strength[t - 1] ?? NaN;
      return before < level && now > before;
    });
  },
});

const bars = await loadBars({ asset: 'BTC', interval: '1d' });
const run = await runBacktest({
  bars,
  start: '2021-01-01',
  strategy: { name: 'calm dip', entry: [{ name: 'calm_dip', signal_type: 'TRIGGER', params: { level: 40 } }] },
  signals: [calmDip],
  config: { fee_pct: 0.001 },
});
console.log(`${run.trades.length} trades, return ${run.metrics.total_return}`);

const audit = await run.audit({ cuts: 20 });
console.log(audit.is_clean ? 'the audit found no look-ahead' : audit.findings);
