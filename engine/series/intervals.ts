import { wrongField } from '../errors.js';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
export const WEEK_MS = 7 * DAY_MS;

/**
 * The timeframes of the API and of strategy rules. The command line also runs other interval
 * lengths.
 */
export const apiTimeframes = ['5m', '15m', '30m', '1h', '4h', '1d'] as const;

const unitMs: Readonly<Record<string, number>> = {
  m: MINUTE_MS,
  min: MINUTE_MS,
  h: HOUR_MS,
  hr: HOUR_MS,
  d: DAY_MS,
  day: DAY_MS,
  w: WEEK_MS,
};

/**
 * Length in ms of `5m`, `1h`, `1D`, `15min`, `4hr`, `1day`, `1w` (case is ignored), or null for any
 * other text.
 */
export function tryParseInterval(text: string): number | null {
  const match = /^([1-9]\d{0,4})(m|min|h|hr|d|day|w)$/i.exec(text.trim());
  return match ? Number(match[1]) * unitMs[match[2].toLowerCase()] : null;
}

/** Lengths that other programs have. A month has no length, and `1M` is a minute here. */
const unsupported = /^\d+ ?(ms|s|secs?|seconds?|mo|mon|mths?|months?|q|quarters?|y|yr|years?)$/i;

/**
 * Length in ms.
 * @throws MISSING_FIELD when absent, INVALID_FIELD when the text is not an interval
 */
export function parseInterval(text: unknown, field = 'interval'): number {
  const ms = typeof text === 'string' ? tryParseInterval(text) : null;
  if (ms === null) {
    if (typeof text === 'string' && unsupported.test(text.trim())) {
      throw wrongField(field, 'whole minutes, hours, days or weeks (seconds and months are not supported)', text);
    }
    throw wrongField(field, 'a number and a unit such as 5m, 1h or 1d', text);
  }
  return ms;
}

/**
 * Canonical name of a length, in the largest unit that divides it: `1h`, never `60m`. Never in
 * weeks.
 */
export function formatInterval(ms: number): string {
  if (ms % DAY_MS === 0) return `${ms / DAY_MS}d`;
  if (ms % HOUR_MS === 0) return `${ms / HOUR_MS}h`;
  return `${ms / MINUTE_MS}m`;
}

/** When a market trades. Crypto trades around the clock on every day. */
interface TradingCalendar {
  readonly trading_days_per_year: number;
  readonly trading_hours_per_day: number;
}

const aroundTheClock: TradingCalendar = { trading_days_per_year: 365, trading_hours_per_day: 24 };

/**
 * Bars per year, the annualization factor of all ratios: the bars in the hours in which the market
 * trades, at least one on each day of trading, and for intervals above a day at most the bars of
 * 365 days.
 */
export function barsPerYear(intervalMs: number, calendar: TradingCalendar = aroundTheClock): number {
  const { trading_days_per_year: days, trading_hours_per_day: hours } = calendar;
  return Math.min((365 * DAY_MS) / intervalMs, Math.max(days, (days * hours * HOUR_MS) / intervalMs));
}

/**
 * Start of the bucket of length `bucketMs` that contains `timeMs`. Buckets of whole weeks start on
 * Monday 00:00 UTC; all others count from the epoch.
 */
export function bucketStart(timeMs: number, bucketMs: number): number {
  // 1970-01-01 was a Thursday, the first Monday was the 5th.
  const offset = bucketMs % WEEK_MS === 0 ? 4 * DAY_MS : 0;
  return Math.floor((timeMs - offset) / bucketMs) * bucketMs + offset;
}
