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
  // The stop trails from the start; a venue takes prices in steps of 0.01 and sizes in steps of 0.00001.
  config: { fee_pct: 0.001, trailing_distance: 1, tick_size: 0.01, lot_size: 0.00001 },
  // A bot that sells short, or places limit orders, would say so too.
  knows: ['enter_long', 'move_levels'],
});
const range = atr.stream(14);

const describe = (event: LiveEvent): string => {
  const at = new Date(event.time).toISOString();
  switch (event.kind) {
    case 'enter':
      return `${at} order: ${event.side} ${event.order?.size ?? 'nothing'} at the next open`;
    case 'leave':
      return `${at} order: ${event.side} ${event.size} at the next open`;
    case 'levels':
      return `${at} order: stop to ${event.stopPrice}, target to ${event.targetPrice}`;
    case 'entry':
      return `${at} bought ${event.position.size} at ${event.position.entryPrice}`;
    case 'exit':
      return `${at} sold at ${event.trade.exitPrice} (${event.trade.exitReason})`;
    case 'denial':
      return `${at} no entry: ${event.reason}`;
    case 'place':
    case 'cancel':
    case 'part': // only with entry_order limit or stop, and with scale_out
      return `${at} ${event.kind}: ${event.side}`;
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
