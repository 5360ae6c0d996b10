/**
 * A live loop: a strategy bar by bar, and an indicator beside it. Each bar costs the new bar only.
 * Here the bars come from the bundled ones; a bot would take them from its exchange.
 *
 *   npx tsx examples/library/live.ts
 */
import { atr, type LiveEvent, loadBars, startLive } from 'barline';

const history = await loadBars({ asset: 'BTC', interval: '1h', start: '2024-01-01', end: '2024-02-29' });
const feed = await loadBars({ asset: 'BTC', interval: '1h', start: '2024-03-01', end: '2024-03-31' });

const bot = startLive({
  history,
  strategy: {
    entry: [
      { name: 'ema_cross_up', signal_type: 'TRIGGER', params: { window_fast: 12, window_slow: 26 } },
      { name: 'formula', signal_type: 'FILTER', params: { when: 'close > sma(close, n)', n: 50 } },
    ],
    exit: [{ name: 'ema_cross_down', signal_type: 'TRIGGER', params: { window_fast: 12, window_slow: 26 } }],
  },
  config: { fee_pct: 0.001 },
});
const range = atr.stream(14);

const describe = (event: LiveEvent): string => {
  const at = new Date(event.time).toISOString();
  switch (event.kind) {
    case 'enter':
      return `${at} order: buy ${event.order?.size ?? 'nothing'} at the next open`;
    case 'leave':
      return `${at} order: sell at the next open`;
    case 'entry':
      return `${at} bought ${event.position.size} at ${event.position.entryPrice}`;
    case 'exit':
      return `${at} sold at ${event.trade.exitPrice} (${event.trade.exitReason})`;
    case 'denial':
      return `${at} no entry: ${event.reason}`;
  }
};

let count = 0;
for (let i = 0; i < feed.barCount; i++) {
  const [time, open, high, low, close, volume] = (['time', 'open', 'high', 'low', 'close', 'volume'] as const).map(
    (name) => feed[name][i] ?? NaN,
  ) as [number, number, number, number, number, number];
  const bar = { time, open, high, low, close, volume };
  const risk = range.next(bar);
  for (const event of bot.step(bar).events) {
    count++;
    console.log(`${describe(event)}, ATR ${risk.toFixed(1)}`);
  }
}
console.log(`${count} events, account value ${bot.value.toFixed(2)}`);
// A bot stores this between two bars and goes on with it: startLive({ ..., account }).
console.log(`${JSON.stringify(bot.account()).length} bytes of state`);
