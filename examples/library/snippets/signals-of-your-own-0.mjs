import { atr, defineSignal, highest } from 'barline';

export const breakout = defineSignal({
  name: 'my_breakout',
  role: 'TRIGGER',
  description: 'Fires when the close rises above the highest high of n bars by some ATR.',
  params: {
    n: { type: 'int', min: 2, max: 200, default: 20 },
    margin: { type: 'float', min: 0, max: 5, default: 0.25 },
  },
  warmup: ({ n }) => n + 2,
  compute: (bars, { n, margin }) => {
    const top = highest(bars.high, n);
    const range = atr(bars, n);
    const isAbove = (t) => bars.close[t] > top[t - 1] + margin * range[t - 1];
    return Array.from(bars.close, (_, t) => isAbove(t) && !isAbove(t - 1));
  },
});
