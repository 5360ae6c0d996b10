import { defineSignal, runBacktest } from 'barline';

const monday = defineSignal({
  name: 'on_monday',
  role: 'TRIGGER',
  warmup: 1,
  compute: ({ time }) => Array.from(time, (ms) => new Date(ms).getUTCDay() === 1),
});
const run = await runBacktest({
  asset: 'BTC',
  interval: '1d',
  start: '2024-01-01',
  strategy: { entry: [{ name: 'on_monday', signal_type: 'TRIGGER' }] },
  signals: [monday],
});
console.log(run.trades.length, (await run.audit()).is_clean);
