import { type AllocateColumns, allocateBars, type BarSeries } from '../series/bars.js';
import { barsPerYear, DAY_MS } from '../series/intervals.js';
import { inverseNormalCdf, SplitMix64 } from '../statistics/index.js';

export const marketConditions = ['bullish', 'bearish', 'neutral'] as const;
export type MarketCondition = (typeof marketConditions)[number];

/** The parameters of a synthetic series. The same parameters give the same bars, bit by bit. */
export interface SyntheticMarket {
  readonly intervalMs: number;
  readonly barCount: number;
  /** Open time of the first bar, epoch ms. */
  readonly startMs: number;
  /** Open of the first bar, quote currency, above 0. */
  readonly initialPrice: number;
  /** Annualized standard deviation of the log returns in the long run, a fraction above 0. */
  readonly volatility: number;
  readonly condition: MarketCondition;
  /**
   * Traders, each with an average turnover of `TURNOVER` a day; more traders make the volume
   * steadier.
   */
  readonly traderCount: number;
  /** 0..2^53-1 */
  readonly seed: number;
}

/** Shares of time spent in the falling, sideways and rising regimes. */
const regimeShares: Readonly<Record<MarketCondition, readonly [falling: number, sideways: number, rising: number]>> = {
  bearish: [0.6, 0.3, 0.1],
  neutral: [0.25, 0.5, 0.25],
  bullish: [0.1, 0.3, 0.6],
};
/** Drift of a rising regime, in annual volatilities; a falling one has its negative. */
const DRIFT = 3;
/** Mean length of a regime. */
const REGIME_DAYS = 10;
/** GARCH(1,1): weights of the last squared shock and of the last variance. */
const SHOCK_WEIGHT = 0.08;
const MEMORY = 0.9;
/** The variance stays within these multiples of its long-run value. */
const VARIANCE_MIN = 0.2;
const VARIANCE_MAX = 8;
/** Per trader and day, quote currency. */
const TURNOVER = 500;
/** Mean of the absolute value of a standard normal variable. */
const MEAN_ABSOLUTE = Math.sqrt(2 / Math.PI);
/** Half a step of a uniform draw: keeps the draw above 0. */
const HALF_STEP = 2 ** -54;

/**
 * A synthetic series: geometric Brownian motion whose drift follows hidden regimes and whose
 * variance clusters. With dt the length of a bar in years, sigma the volatility and z_t,
 * independent standard normal,
 *
 *     log close_t = log close_(t-1) + (m_t - sigma^2 h_t / 2) dt + sigma sqrt(h_t dt) z_t
 *     h_t         = 1 - a - b + (a z_(t-1)^2 + b) h_(t-1), kept within bounds
 *
 * The variance is a GARCH(1,1) (Bollerslev 1986). m_t is -3 sigma, 0 or 3 sigma: a regime lasts for
 * an exponential time with a mean of ten days, and the market condition sets the probability of
 * each of the three as the next regime. Bars open where the last one closed. Within a bar the path
 * is a Brownian bridge from open o to close c (logs) of variance s^2, whose maximum is (o + c +
 * sqrt((c - o)^2 - 2 s^2 log u)) / 2 for a uniform u, and the minimum likewise. Volume grows with
 * the size of the move; its noise falls with the root of the number of traders.
 *
 * Random numbers are drawn in the same order for every condition, so of two series that differ only
 * in the condition, the more bullish one is never below the other. The bars contain no real market
 * data.
 *
 * @param allocate allocates the columns; left out, they are in a memory of their own
 */
export function synthesizeBars(market: SyntheticMarket, allocate?: AllocateColumns): BarSeries {
  const { intervalMs, barCount, startMs, initialPrice, volatility, condition, traderCount, seed } = market;
  const bars = allocateBars(barCount, intervalMs, [], allocate);
  const { time, open, high, low, close, volume } = bars;
  const random = new SplitMix64(seed);
  const uniform = () => random.uniform() + HALF_STEP;
  const [falling, sideways] = regimeShares[condition];
  const dt = 1 / barsPerYear(intervalMs);
  const barDays = intervalMs / DAY_MS;
  const meanVolume = traderCount * TURNOVER * barDays;
  const volumeNoise = 1 / Math.sqrt(traderCount);
  let logPrice = Math.log(initialPrice);
  let variance = 1;
  let drift = 0;
  let barsLeft = 0;
  for (let t = 0; t < barCount; t++) {
    if (barsLeft <= 0) {
      const next = uniform();
      drift = next < falling ? -DRIFT : next < falling + sideways ? 0 : DRIFT;
      barsLeft += Math.max(1, (-Math.log(uniform()) * REGIME_DAYS) / barDays);
    }
    barsLeft--;
    const shock = inverseNormalCdf(uniform());
    const spread = volatility * volatility * variance * dt;
    const opened = logPrice;
    logPrice += drift * volatility * dt - spread / 2 + Math.sqrt(spread) * shock;
    const middle = opened + logPrice;
    const moved = logPrice - opened;
    time[t] = startMs + t * intervalMs;
    open[t] = t === 0 ? initialPrice : close[t - 1];
    close[t] = Math.exp(logPrice);
    const top = Math.exp((middle + Math.sqrt(moved * moved - 2 * spread * Math.log(uniform()))) / 2);
    const bottom = Math.exp((middle - Math.sqrt(moved * moved - 2 * spread * Math.log(uniform()))) / 2);
    high[t] = Math.max(top, open[t], close[t]); // rounding may put an extreme within the body
    low[t] = Math.min(bottom, open[t], close[t]);
    const excitement = (1 + Math.abs(shock) * Math.sqrt(variance)) / (1 + MEAN_ABSOLUTE);
    const noise = Math.exp(volumeNoise * inverseNormalCdf(uniform()) - (volumeNoise * volumeNoise) / 2);
    volume[t] = (meanVolume * excitement * noise) / close[t];
    variance = 1 - SHOCK_WEIGHT - MEMORY + (SHOCK_WEIGHT * shock * shock + MEMORY) * variance;
    variance = Math.min(Math.max(variance, VARIANCE_MIN), VARIANCE_MAX);
  }
  return bars;
}
