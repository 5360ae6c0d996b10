import { allocateBars, type BarSeries, HOUR_MS, type SplitMix64 } from '../../engine/index.js';
import { SplitMix64 as Generator } from '../../engine/statistics/index.js';
import { normal } from '../support/noise.js';

/** Moves of a bar have about this deviation. */
const SIGMA = 0.006;
/** Moves within a bar, from which its high and low come. */
const STEPS = 4;
const START_MS = Date.UTC(2024, 0, 1);

/** Windows of the averages whose order tells the next move of a market with an edge. */
export const edgeWindows = { fast: 10, slow: 50 } as const;
/**
 * Mean of a move over its deviation while the fast average is above the slow one, else the
 * negative.
 */
const EDGE = 0.1;

/** Draws the logarithm of the next move; the closes so far are known. */
type NextMove = (closes: Float64Array, bar: number) => number;

/** Markets in which no strategy has skill, and one in which crosses of two averages have. */
export const markets = {
  'random walk': (random) => () => SIGMA * normal(random),
  'heavy tails': (random) => () => SIGMA * Math.SQRT1_2 * studentT4(random),
  'volatility clusters': (random) => {
    let variance = SIGMA ** 2;
    return () => {
      const move = Math.sqrt(variance) * normal(random);
      variance = 0.03 * SIGMA ** 2 + 0.09 * move * move + 0.88 * variance;
      return move;
    };
  },
  drift: (random) => () => 1e-4 + SIGMA * normal(random), // 1.4 times the price in 150 days
  'planted edge': (random) => (closes, bar) => {
    const { fast, slow } = edgeWindows;
    const isUp = bar > slow && meanOf(closes, bar - fast, bar) > meanOf(closes, bar - slow, bar);
    return SIGMA * (normal(random) + (bar <= slow ? 0 : isUp ? EDGE : -EDGE));
  },
} satisfies Readonly<Record<string, (random: SplitMix64) => NextMove>>;

export type Market = keyof typeof markets;

/** Student's t with four degrees of freedom, whose variance is 2. */
function studentT4(random: SplitMix64): number {
  const squares = normal(random) ** 2 + normal(random) ** 2 + normal(random) ** 2 + normal(random) ** 2;
  return normal(random) / Math.sqrt(squares / 4);
}

function meanOf(closes: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let t = from; t < to; t++) sum += closes[t]!;
  return sum / (to - from);
}

/** Hourly bars without gaps: every bar opens at the close before it. */
export function barsOf(market: Market, barCount: number, seed: number): BarSeries {
  const random = new Generator(seed);
  const nextMove = markets[market](random);
  const bars = allocateBars(barCount, HOUR_MS);
  const { time, open, high, low, close, volume } = bars;
  let price = 100;
  for (let t = 0; t < barCount; t++) {
    const move = nextMove(close, t);
    // A bridge from open to close: the path within the bar has the deviation of its own move.
    const noise = Array.from({ length: STEPS }, () => (SIGMA / Math.sqrt(STEPS)) * normal(random));
    const excess = noise.reduce((sum, x) => sum + x) - move;
    let [path, top, bottom] = [0, Math.max(0, move), Math.min(0, move)];
    for (const x of noise) {
      path += x - excess / STEPS;
      top = Math.max(top, path);
      bottom = Math.min(bottom, path);
    }
    time[t] = START_MS + t * HOUR_MS;
    open[t] = price;
    high[t] = price * Math.exp(top);
    low[t] = price * Math.exp(bottom);
    price *= Math.exp(move);
    close[t] = price;
    high[t] = Math.max(high[t]!, price);
    low[t] = Math.min(low[t]!, price);
    volume[t] = 1;
  }
  return bars;
}
