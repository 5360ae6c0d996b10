import { atr, loadBars, rsi } from 'barline';

const bars = await loadBars({ asset: 'ETH', interval: '1d' });
const strength = rsi(bars.close, 14);
const range = atr(bars, 14);

const live = rsi.stream(14);
let last = NaN;
for (const close of bars.close) last = live.next(close);
console.log(last === strength.at(-1), range.at(-1), rsi.warmup(14));
