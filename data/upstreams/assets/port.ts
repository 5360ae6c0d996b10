import { DAY_MS, HOUR_MS } from '../../../engine/series/index.js';
import type { Sourced } from '../sourced.js';

/** An asset that a source lists. */
interface ListedAsset {
  /** Upper case. */
  readonly symbol: string;
  readonly name: string;
  /**
   * Changes when the recorded data behind the profile change. Null for a provider, whose data
   * change all the time.
   */
  readonly revision: string | null;
}

export interface Exchange {
  /** Lower case: `binance`. */
  readonly name: string;
  readonly displayName: string;
  /** 1 is the best, 3 the last. */
  readonly tier: number;
  /** What it trades: `spot`. */
  readonly type: string;
  readonly country: string | null;
  readonly region: string | null;
  readonly isActive: boolean;
  readonly volume24hUsd: number | null;
}

/** An asset and its market. Null stands for unknown. */
export interface AssetProfile {
  readonly symbol: string;
  readonly name: string;
  /** Market time of the figures, epoch ms. */
  readonly asOfMs: number;
  readonly priceUsd: number;
  readonly marketCapUsd: number | null;
  readonly volume24hUsd: number;
  /** A fraction a year: 0.5 is 50 %. */
  readonly volatility30d: number | null;
  /** Largest fall from a high, a positive fraction. */
  readonly drawdown30d: number | null;
  readonly exchanges: readonly Exchange[];
  /** Epoch ms; with a live source at the latest this time. */
  readonly launchedAtMs: number | null;
}

/** What the risk of an asset is computed from. */
export interface RiskProfile extends AssetProfile {
  /** Share of the ten largest holders, 0..100; null where unknown. */
  readonly top10HoldersPct: number | null;
  /** Whether that share is drawn from a seed. */
  readonly areHoldersDrawn: boolean;
}

interface TrendingAsset {
  readonly symbol: string;
  readonly name: string;
  readonly marketCapRank: number | null;
  readonly priceUsd: number | null;
  readonly change24hPct: number | null;
}

/** Percentages are 0..100. */
interface GlobalMarket {
  readonly marketCapUsd: number;
  readonly btcDominancePct: number;
  readonly ethDominancePct: number;
  readonly marketCapChange24hPct: number;
  readonly volume24hUsd: number;
  readonly assets: number;
  /** The day of capitalization and dominance where they are dated facts: YYYY-MM-DD. */
  readonly dominanceAsOf: string | null;
  /** The stored assets that change, volume and number cover; empty with a provider. */
  readonly measuredAssets: readonly string[];
}

/** The market of one asset. Changes are percentages, the rest is in USD. */
export interface MarketSnapshot {
  readonly symbol: string;
  readonly price: number;
  readonly marketCap: number | null;
  readonly volume24h: number;
  readonly change24hPct: number | null;
  readonly change7dPct: number | null;
  readonly high24h: number | null;
  readonly low24h: number | null;
  /** Epoch ms. */
  readonly updatedAtMs: number;
}

interface Candle {
  /** Open time, epoch ms. */
  readonly timeMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** In units of the asset. */
  readonly volume: number;
}

/** Candles in ascending order. */
export interface Candles {
  readonly intervalMs: number;
  readonly candles: readonly Candle[];
}

/** Longest history that every provider serves. */
export const CANDLE_DAYS_MAX = 365;

/** Length of a candle by the days asked for: at most 24, 180 and 365 candles. */
export function candleIntervalMs(days: number): number {
  if (days <= 1) return HOUR_MS;
  return days <= 30 ? 4 * HOUR_MS : DAY_MS;
}

export interface CandleSource {
  /**
   * The candles of the last `days` days.
   * @param symbol upper case
   * @param days 1..365
   * @returns null as value for an unknown asset
   * @throws UpstreamFault
   */
  candles(symbol: string, days: number): Promise<Sourced<Candles | null>>;
}

/**
 * Assets and their markets. A symbol is upper case. The value is null for an unknown asset.
 * Every method throws UpstreamFault when its provider fails.
 */
export interface AssetSource extends CandleSource {
  /** Whether a provider answers, not data on this machine. */
  readonly isLive: boolean;
  /** The largest assets first. */
  listed(): Promise<Sourced<readonly ListedAsset[]>>;
  profile(symbol: string): Promise<Sourced<AssetProfile | null>>;
  /** The best first. */
  exchanges(): Promise<Sourced<readonly Exchange[]>>;
  /** The most wanted first. */
  trending(): Promise<Sourced<readonly TrendingAsset[]>>;
  globalMarket(): Promise<Sourced<GlobalMarket>>;
  snapshot(symbol: string): Promise<Sourced<MarketSnapshot | null>>;
}

export type PricePoint = readonly [timeMs: number, price: number];

/** Days over which risk is measured. */
export const RISK_DAYS = 30;
/** Fewer daily returns say nothing about volatility. */
const RETURNS_MIN = 10;

/**
 * Standard deviation of the daily log returns of the last 30 days, as a fraction a year of 365
 * days. Days count back from `endMs`; the price of a day is its last.
 * @param points in ascending order
 * @returns null for fewer than 10 returns
 */
export function annualVolatility(points: readonly PricePoint[], endMs: number): number | null {
  const lastOfDay = new Map<number, number>();
  for (const [timeMs, price] of points) {
    const daysAgo = Math.floor((endMs - timeMs) / DAY_MS);
    if (daysAgo >= 0 && daysAgo <= RISK_DAYS) lastOfDay.set(daysAgo, price);
  }
  const returns = [...lastOfDay].flatMap(([daysAgo, price]) => {
    const before = lastOfDay.get(daysAgo + 1);
    return before === undefined ? [] : [Math.log(price / before)];
  });
  if (returns.length < RETURNS_MIN) return null;
  const mean = returns.reduce((sum, each) => sum + each, 0) / returns.length;
  const squares = returns.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  return Math.sqrt((squares / (returns.length - 1)) * 365);
}

/**
 * Largest fall from a high to a later low within the last 30 days, a positive fraction.
 * @param points in ascending order
 * @returns null without a price in that time
 */
export function maxDrawdown(points: readonly PricePoint[], endMs: number): number | null {
  let high = 0;
  let worst = 0;
  for (const [timeMs, price] of points) {
    if (timeMs <= endMs - RISK_DAYS * DAY_MS) continue;
    high = Math.max(high, price);
    worst = Math.max(worst, 1 - price / high);
  }
  return high === 0 ? null : worst;
}

/** The last price at or before a time; null where the points begin later. */
export const priceAt = (points: readonly PricePoint[], timeMs: number): number | null =>
  points.findLast(([time]) => time <= timeMs)?.[1] ?? null;

/** Change from one price to another, in percent. */
export const changePct = (from: number | null, to: number): number | null =>
  from === null || from === 0 ? null : 100 * (to / from - 1);
