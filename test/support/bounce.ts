import { allocateBars, type BarSeries } from '../../engine/series/index.js';
import { SplitMix64 } from '../../engine/statistics/index.js';
import { normal } from './noise.js';

interface Bounce {
  readonly seed: number;
  readonly barCount: number;
  /** Half of the spread: prints are this fraction above or below the middle. */
  readonly half: number;
  /** Deviation of the moves of the middle within a bar. */
  readonly sigma?: number;
  readonly intervalMs?: number;
}

/**
 * Bars of prints at bid or ask, at random, of a middle without skill. A bar opens at the last print
 * of the bar before it, as recorded bars do.
 */
export function bouncing({ seed, barCount, half, sigma = 0.001, intervalMs = 300_000 }: Bounce): BarSeries {
  const random = new SplitMix64(seed);
  const bars = allocateBars(barCount, intervalMs);
  const { time, open, high, low, close, volume } = bars;
  let middle = 100;
  let last = middle;
  for (let bar = 0; bar < barCount; bar++) {
    middle *= Math.exp(sigma * normal(random));
    time[bar] = Date.UTC(2024, 0, 1) + bar * intervalMs;
    open[bar] = last;
    last = middle * (random.uniform() < 0.5 ? 1 - half : 1 + half);
    close[bar] = last;
    high[bar] = Math.max(open[bar]!, last);
    low[bar] = Math.min(open[bar]!, last);
    volume[bar] = 1e6;
  }
  return bars;
}
