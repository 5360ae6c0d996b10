import { DAY_MS } from '../../../engine/series/index.js';

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
