import { loadBars, startLive } from 'barline';

const history = await loadBars({ asset: 'BTC', interval: '1h', start: '2024-01-01', end: '2024-01-31' });
const bot = startLive({
  history,
  strategy: { entry: [{ name: 'rsi_cross_up', signal_type: 'TRIGGER' }] },
  config: { fee_pct: 0.001 },
});
const { events, value } = bot.step({ time: '2024-02-01', open: 42580, high: 42700, low: 42500, close: 42600, volume: 90 });
console.log(events.map(({ kind }) => kind), value, bot.account().cash);
