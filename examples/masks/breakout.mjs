// A model of one's own that `barline audit --masks-command` can run again on cut bars: it enters
// when a bar closes above the highest high of the 20 bars before it, and exits below their lowest
// low. Bars come on standard input as [time, open, high, low, close, volume], masks leave as numbers
// of bars.
import { readFileSync } from 'node:fs';

const WINDOW = 20;
const { bars } = JSON.parse(readFileSync(0, 'utf8'));
const entry = [];
const exit = [];
for (let t = WINDOW; t < bars.length; t++) {
  const before = bars.slice(t - WINDOW, t);
  const close = bars[t][4];
  if (close > Math.max(...before.map(([, , high]) => high))) entry.push(t);
  if (close < Math.min(...before.map(([, , , low]) => low))) exit.push(t);
}
console.log(JSON.stringify({ entry, exit }));
