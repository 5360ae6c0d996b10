import { allocateBars, type BarSeries, FUNDING_COLUMN, onchainColumns } from '../../engine/series/bars.js';
import { HOUR_MS } from '../../engine/series/intervals.js';

/** Small seeded generator (mulberry32), so that a failing seed can run again. Uniform in [0, 1). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 15), z | 1);
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
    return ((z ^ (z >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface RandomBarsOptions {
  readonly seed: number;
  readonly barCount: number;
  readonly intervalMs?: number;
  readonly startMs?: number;
  /** First price. */
  readonly start?: number;
  /** Typical one-bar return. */
  readonly volatility?: number;
  /** Chance that a bar is missing from the data. */
  readonly gapChance?: number;
  /** Chance that a bar repeats the last close in all four prices, with zero volume. */
  readonly flatChance?: number;
  /**
   * Share of the way back to the first price that every bar goes. Without it a long walk ends at
   * the lowest price.
   */
  readonly reversion?: number;
  /** Price grid; coarse grids make exact ties of prices common. */
  readonly tick?: number;
  /** Chance that a bar settles a funding rate; without it there is no column of rates. */
  readonly fundingChance?: number;
}

/**
 * A valid random walk with the odd features of real data: gaps, flat bars, zero volume, exact ties
 * of prices.
 */
export function randomBars(options: RandomBarsOptions): BarSeries {
  const { seed, barCount, intervalMs = HOUR_MS, startMs = Date.UTC(2024, 0, 1) } = options;
  const {
    volatility = 0.01,
    gapChance = 0,
    flatChance = 0.02,
    tick = 0.01,
    reversion = 0,
    start = 100,
    fundingChance = 0,
  } = options;
  const random = seededRandom(seed);
  const round = (price: number) => Math.max(tick, Math.round(price / tick) * tick);
  const bars = allocateBars(barCount, intervalMs, fundingChance > 0 ? [FUNDING_COLUMN] : []);
  let time = startMs;
  let last = start;
  for (let i = 0; i < barCount; i++) {
    const flat = random() < flatChance;
    const open = round(random() < 0.7 ? last : last * (1 + volatility * (random() - 0.5)));
    const close = flat ? open : round(open * (1 + 2 * volatility * (random() - 0.5)));
    bars.time[i] = time;
    bars.open[i] = open;
    bars.close[i] = close;
    bars.high[i] = flat ? open : Math.max(open, close, round(Math.max(open, close) * (1 + volatility * random())));
    bars.low[i] = flat ? open : Math.min(open, close, round(Math.min(open, close) * (1 - volatility * random())));
    bars.volume[i] = flat ? 0 : Math.floor(random() * 1000) + 1;
    last = reversion === 0 ? close : close * (start / close) ** reversion;
    time += intervalMs;
    while (random() < gapChance) time += intervalMs;
  }
  const rates = bars.columns[FUNDING_COLUMN];
  for (let i = 0; rates !== undefined && i < barCount; i++) {
    rates[i] = random() < fundingChance ? 0.01 * (random() - 0.3) : random() < 0.1 ? NaN : 0;
  }
  return bars;
}

/**
 * The same bars with all ten chain columns: cells missing at random, runs of equal values, one
 * column that starts late.
 */
export function withOnchain(bars: BarSeries, seed: number): BarSeries {
  const random = seededRandom(seed);
  const columns: Record<string, Float64Array> = {};
  for (const name of onchainColumns) {
    const isFlow =
      name.endsWith('flow') || name.endsWith('Flow') || name.endsWith('Inflow') || name === 'PerpFundingRate';
    const column = new Float64Array(bars.barCount);
    const firstCell = name === 'TreasuryUsd' ? Math.floor(bars.barCount / 4) : 0;
    let level = 0.3;
    for (let i = 0; i < column.length; i++) {
      const value = isFlow ? Math.round((random() - 0.5) * 200) / 10 : level;
      if (!isFlow && random() < 0.7) level = Math.max(0.001, Math.min(1, level + 0.1 * (random() - 0.5)));
      column[i] = i < firstCell || random() < 0.15 ? NaN : random() < 0.03 ? value * 8 : value;
    }
    columns[name] = column;
  }
  return { ...bars, columns };
}
