import { allocateBars, type BarSeries, HOUR_MS } from '../../engine/series/index.js';
import type { SplitMix64 } from '../../engine/statistics/index.js';
import { SplitMix64 as Generator } from '../../engine/statistics/index.js';
import { normal } from '../support/noise.js';

/** What the bars of a market are, apart from where they go. */
export interface Shape {
  readonly days: number;
  readonly intervalMs: number;
  /** Moves of a bar have about this deviation. */
  readonly sigma: number;
  /** Mean of a move, of the logarithm. */
  readonly drift: number;
  /**
   * In a market with an edge: mean of a move over its deviation while the fast average is above the
   * slow one, else the negative.
   */
  readonly edge: number;
}

const HOURS: Shape = { days: 150, intervalMs: HOUR_MS, sigma: 0.006, drift: 0, edge: 0 };
const DRIFT = 1e-4; // 1.4 times the price in 150 days

/** Deviation of an hour of Bitcoin. */
const BITCOIN_SIGMA = 0.008;
const BITCOIN_GROWTH = 27; // its price from 2017 to 2025, eight years
const EIGHT_YEARS = 8 * 365;

const shapes: Readonly<Partial<Record<Market, Shape>>> = {
  drift: { ...HOURS, drift: DRIFT },
  'planted edge': { ...HOURS, days: 365, edge: 0.1 },
  'bitcoin drift': {
    ...HOURS,
    ...{ days: EIGHT_YEARS, sigma: BITCOIN_SIGMA, drift: Math.log(BITCOIN_GROWTH) / (EIGHT_YEARS * 24) },
  },
};

/** Hours in which only the edge earns: the mean of a move is such that the price gains nothing. */
export const edgeHours = (days: number, edge: number): Shape => ({
  ...HOURS,
  ...{ days, edge, sigma: BITCOIN_SIGMA, drift: -(BITCOIN_SIGMA ** 2) / 2 },
});

export const shapeOf = (market: Market): Shape => shapes[market] ?? HOURS;
export const barsIn = ({ days, intervalMs }: Shape): number => (days * 24 * HOUR_MS) / intervalMs;

/** Moves within a bar, from which its high and low come. */
const STEPS = 4;
const START_MS = Date.UTC(2024, 0, 1);

/** Windows of the averages whose order tells the next move of a market with an edge. */
export const edgeWindows = { fast: 10, slow: 50 } as const;

/** Draws the logarithm of the next move; the closes so far are known. */
type NextMove = (closes: Float64Array, bar: number) => number;

function drifting(random: SplitMix64, { sigma, drift }: Shape): NextMove {
  return () => drift + sigma * normal(random);
}

/** Markets in which no strategy has skill, and one in which crosses of two averages have. */
export const markets = {
  'random walk':
    (random, { sigma }) =>
    () =>
      sigma * normal(random),
  'heavy tails':
    (random, { sigma }) =>
    () =>
      sigma * Math.SQRT1_2 * studentT4(random),
  'volatility clusters': (random, { sigma }) => {
    let variance = sigma ** 2;
    return () => {
      const move = Math.sqrt(variance) * normal(random);
      variance = 0.03 * sigma ** 2 + 0.09 * move * move + 0.88 * variance;
      return move;
    };
  },
  drift: drifting,
  'planted edge':
    (random, { sigma, drift, edge }) =>
    (closes, bar) => {
      const { fast, slow } = edgeWindows;
      const isUp = bar > slow && meanOf(closes, bar - fast, bar) > meanOf(closes, bar - slow, bar);
      return drift + sigma * (normal(random) + (bar <= slow ? 0 : isUp ? edge : -edge));
    },
  'bitcoin drift': drifting,
} satisfies Readonly<Record<string, (random: SplitMix64, shape: Shape) => NextMove>>;

export type Market = keyof typeof markets;

/** The markets of a round of sweeps; the long one has rows of its own. */
export const shortMarkets = (Object.keys(markets) as Market[]).filter((market) => shapeOf(market).days < EIGHT_YEARS);

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

/** Bars without gaps: every bar opens at the close before it. */
export function barsOf(market: Market, seed: number, shape: Shape = shapeOf(market)): BarSeries {
  const random = new Generator(seed);
  const nextMove = markets[market](random, shape);
  const { intervalMs, sigma } = shape;
  const barCount = barsIn(shape);
  const bars = allocateBars(barCount, intervalMs);
  const { time, open, high, low, close, volume } = bars;
  let price = 100;
  for (let t = 0; t < barCount; t++) {
    const move = nextMove(close, t);
    // A bridge from open to close: the path within the bar has the deviation of its own move.
    const noise = Array.from({ length: STEPS }, () => (sigma / Math.sqrt(STEPS)) * normal(random));
    const excess = noise.reduce((sum, x) => sum + x) - move;
    let [path, top, bottom] = [0, Math.max(0, move), Math.min(0, move)];
    for (const x of noise) {
      path += x - excess / STEPS;
      top = Math.max(top, path);
      bottom = Math.min(bottom, path);
    }
    time[t] = START_MS + t * intervalMs;
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
