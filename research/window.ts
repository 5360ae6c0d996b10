import type { Window } from '../engine/backtest/index.js';
import { EngineError, quote } from '../engine/errors.js';
import { type BarSeries, DAY_MS, firstBarFrom, isBareDate, parseIsoTime } from '../engine/series/index.js';

/**
 * The four ways to choose the bars to trade: start and end, start alone, months back from an end,
 * months back from now.
 */
export interface WindowRequest {
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly lookbackMonths?: number | undefined;
}

const MONTHS_MAX = 1_200;

/**
 * @param nowMs the close of the last stored bar, or the clock for live data
 */
export function resolveWindow({ start, end, lookbackMonths }: WindowRequest, nowMs: number): Window {
  if (start !== undefined && lookbackMonths !== undefined) {
    throw invalid('lookback_months', 'lookback_months must not be combined with start: give one of the two');
  }
  if (
    lookbackMonths !== undefined &&
    !(Number.isInteger(lookbackMonths) && lookbackMonths >= 1 && lookbackMonths <= MONTHS_MAX)
  ) {
    throw invalid(
      'lookback_months',
      `lookback_months must be a whole number 1..${MONTHS_MAX}, was ${quote(lookbackMonths)}`,
    );
  }
  const endMs = end === undefined ? Infinity : parseTime(end, 'end', true);
  let startMs = start === undefined ? -Infinity : parseTime(start, 'start', false);
  if (lookbackMonths !== undefined) startMs = monthsBefore(Math.min(endMs, nowMs), lookbackMonths);
  if (start !== undefined && end !== undefined && startMs >= endMs) {
    throw new EngineError('EMPTY_WINDOW', mustBeBefore('start', start, 'end', end), { field: 'start' });
  }
  return { startMs, endMs };
}

/**
 * Quotes dates as the user wrote them. The end of a day is the start of the next, so as times two
 * different dates could look equal.
 */
export const mustBeBefore = (field: string, start: string, endField: string, end: string): string =>
  `${field} must be before ${endField}, was ${start.trim()} against ${end.trim()}`;

const invalid = (field: string, message: string) => new EngineError('INVALID_FIELD', message, { field });

/**
 * Epoch ms of a date or an ISO 8601 time. A time without zone is UTC.
 * @param isEnd a bare date then means the end of that day
 */
export function parseTime(text: string, field: string, isEnd: boolean): number {
  const ms = parseIsoTime(text.trim());
  if (Number.isNaN(ms)) {
    throw invalid(field, `${field} must be a date such as 2024-01-31 or an ISO 8601 time, was ${quote(text)}`);
  }
  return isEnd && isBareDate(text.trim()) ? ms + DAY_MS : ms;
}

/**
 * The same day and time, `months` earlier in UTC; the last day of the month if that month is
 * shorter.
 */
function monthsBefore(ms: number, months: number): number {
  const date = new Date(ms);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - months);
  const daysInMonth = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, daysInMonth));
  return date.getTime();
}

/**
 * Return of buying at the open of the bar that opens at `fromMs` and holding to the close of the
 * bar that closes at `toMs`; null where the series lacks one of the two.
 */
export function holdReturn(bars: BarSeries, fromMs: number, toMs: number): number | null {
  const first = barAt(bars, fromMs);
  const last = barAt(bars, toMs - bars.intervalMs);
  // biome-ignore lint/style/noNonNullAssertion: first and last are bars of the series
  return first === -1 || last === -1 ? null : bars.close[last]! / bars.open[first]! - 1;
}

/** Index of the bar that opens at the time, or -1. */
function barAt(bars: BarSeries, timeMs: number): number {
  const bar = firstBarFrom(bars, timeMs);
  return bars.time[bar] === timeMs ? bar : -1;
}
