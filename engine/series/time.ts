import { type BarSeries, nextBarFrom } from './bars.js';
import { DAY_MS } from './intervals.js';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/i;

export const isBareDate = (text: string): boolean => DATE.test(text);

/**
 * Epoch ms of a date or an ISO 8601 time; NaN for any other text. A time without a zone is UTC,
 * never in the machine's zone.
 */
export function parseIsoTime(text: string): number {
  const isDate = isBareDate(text);
  if (!isDate && !TIME.test(text)) return NaN;
  const hasZone = isDate || /(Z|[+-]\d{2}:?\d{2})$/i.test(text.slice(11));
  const ms = Date.parse(text.replace(' ', 'T') + (hasZone ? '' : 'Z'));
  const day = text.slice(0, 10);
  const midnight = Date.parse(day);
  // Date.parse reads 30 February as 1 March, so the date must come back as it was.
  return Number.isNaN(midnight) || isoTime(midnight).slice(0, 10) !== day ? NaN : ms;
}

const SECONDS_MAX = 1e11;
// as milliseconds this is 1973, before there was anything to trade

/**
 * Epoch ms of a bar's timestamp: ISO text, epoch seconds or epoch milliseconds; NaN for anything
 * else.
 */
export function parseTimestamp(value: unknown): number {
  if (typeof value === 'string') return parseIsoTime(value.trim());
  if (typeof value !== 'number' || !Number.isFinite(value)) return NaN;
  return Math.abs(value) < SECONDS_MAX ? value * 1000 : value;
}

/** ISO 8601 in UTC without zero milliseconds: the form in which Barline prints every time. */
export function isoTime(ms: number): string {
  return Number.isFinite(ms) && Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString().replace('.000Z', 'Z') : String(ms);
}

const endsBySeries = new WeakMap<BarSeries, Int32Array>();

/**
 * For every UTC date that has a bar, the index one past its last bar. A bar belongs to the date on
 * which it opens. Computed once per series.
 */
export function dayEnds(bars: BarSeries): Int32Array {
  let ends = endsBySeries.get(bars);
  if (ends === undefined) {
    ends = findDayEnds(bars);
    endsBySeries.set(bars, ends);
  }
  return ends;
}

function findDayEnds(bars: BarSeries): Int32Array {
  const { time, barCount } = bars;
  const days = barCount === 0 ? 0 : Math.floor(time[barCount - 1] / DAY_MS) - Math.floor(time[0] / DAY_MS) + 1;
  const ends = new Int32Array(Math.min(days, barCount));
  let count = 0;
  for (let from = 0; from < barCount; ) {
    const dayEnd = (Math.floor(time[from] / DAY_MS) + 1) * DAY_MS;
    from = nextBarFrom(bars, dayEnd, from);
    ends[count++] = from;
  }
  return ends.subarray(0, count);
}
