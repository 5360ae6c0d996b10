import { wrongField } from '../errors.js';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
export const WEEK_MS = 7 * DAY_MS;

/**
 * The timeframes of the API and of strategy rules. The command line runs any other interval length
 * as well.
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
 * Length in ms of `5m`, `1h`, `1D`, `15min`, `4hr`, `1day`, `1w` (case is ignored), or null when
 * the text is none of these.
 */
export function tryParseInterval(text: string): number | null {
  const match = /^([1-9]\d{0,4})(m|min|h|hr|d|day|w)$/i.exec(text.trim());
  return match ? Number(match[1]) * unitMs[match[2].toLowerCase()] : null;
}

/** Length in ms; INVALID_FIELD when the text is not an interval. */
export function parseInterval(text: unknown, field = 'interval'): number {
  const ms = typeof text === 'string' ? tryParseInterval(text) : null;
  if (ms === null) {
    throw wrongField(field, 'a number and a unit such as 5m, 1h or 1d', text);
  }
  return ms;
}

/**
 * Canonical name of a length: the largest unit that divides it, `1h` and never `60m`; days are not
 * folded into weeks.
 */
export function formatInterval(ms: number): string {
  if (ms % DAY_MS === 0) return `${ms / DAY_MS}d`;
  if (ms % HOUR_MS === 0) return `${ms / HOUR_MS}h`;
  return `${ms / MINUTE_MS}m`;
}

/**
 * Bars per year of 365 days: crypto trades around the clock (annualization factor of all ratios).
 */
export const barsPerYear = (intervalMs: number): number => (365 * DAY_MS) / intervalMs;

/**
 * Start of the bucket of length `bucketMs` that holds `timeMs`; weeks start on Monday 00:00 UTC,
 * all else counts from the epoch.
 */
export function bucketStart(timeMs: number, bucketMs: number): number {
  const offset = bucketMs % WEEK_MS === 0 ? 4 * DAY_MS : 0; // 1970-01-01 was a Thursday, the first Monday was the 5th
  return Math.floor((timeMs - offset) / bucketMs) * bucketMs + offset;
}
