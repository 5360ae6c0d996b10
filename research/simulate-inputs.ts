// biome-ignore-all lint/style/noNonNullAssertion: every index lies within the columns allocated for the rows

import { EngineError, isRecord, quote, wrongField } from '../engine/errors.js';
import {
  allocateBars,
  type BarSeries,
  FUNDING_COLUMN,
  type Mask,
  maskWithBars,
  validateBars,
} from '../engine/series/index.js';
import { refuseUnknownKeys, unknownKeys } from '../engine/unknown-keys.js';

const BARS_MAX = 5_000_000;

/** Reads rows `[epoch seconds, open, high, low, close, volume]`. */
export function readBars(rows: unknown, intervalMs: number, field = 'bars'): BarSeries {
  if (!Array.isArray(rows)) throw wrongField(field, 'an array of bars', rows);
  if (rows.length > BARS_MAX) throw invalid(field, `must have at most ${BARS_MAX} bars, had ${rows.length}`);
  const bars = allocateBars(rows.length, intervalMs);
  const { time, open, high, low, close, volume } = bars;
  const columns = [time, open, high, low, close, volume];
  for (const [i, row] of rows.entries()) {
    if (!Array.isArray(row) || row.length !== 6) {
      throw invalid(`${field}[${i}]`, `must be [epoch seconds, open, high, low, close, volume], was ${quote(row)}`);
    }
    for (const [k, value] of row.entries()) {
      if (typeof value !== 'number') throw invalid(`${field}[${i}][${k}]`, `must be a number, was ${quote(value)}`);
      columns[k]![i] = k === 0 ? Math.round(value * 1000) : value;
    }
  }
  validateBars(bars, (i) => `${field}[${i}]`);
  checkTimes(bars, field);
  return bars;
}

const YEAR_1900_MS = Date.UTC(1900, 0, 1);
const YEAR_10000_MS = Date.UTC(10_000, 0, 1);

/** Catches milliseconds sent as seconds, and bars of a finer interval than the request states. */
function checkTimes({ time, barCount, intervalMs }: BarSeries, field: string): void {
  let before = -Infinity;
  for (const [i, ms] of time.subarray(0, barCount).entries()) {
    if (!(ms >= YEAR_1900_MS && ms < YEAR_10000_MS)) {
      throw invalid(`${field}[${i}][0]`, `must be epoch seconds of the years 1900..9999, was ${ms / 1000}`);
    }
    const spacingMs = ms - before;
    before = ms;
    if (spacingMs < intervalMs) {
      throw invalid(
        `${field}[${i}]`,
        `must open at least ${intervalMs / 1000} s after the bar before it, was ${spacingMs / 1000} s`,
      );
    }
  }
}

/** Adds the column of settled funding, one rate a bar, 0 where none was settled. */
export function withFunding(bars: BarSeries, columns: unknown, place = 'columns'): BarSeries {
  if (columns === undefined || columns === null) return bars;
  const record = asRecord(columns, place);
  refuseUnknownKeys(unknownKeys(place, record, [FUNDING_COLUMN]));
  const field = `${place}.${FUNDING_COLUMN}`;
  const rates = required(record, FUNDING_COLUMN, field);
  if (!Array.isArray(rates) || rates.length !== bars.barCount) {
    throw wrongField(field, `an array of ${bars.barCount} rates, one a bar`, rates);
  }
  for (const [i, rate] of rates.entries()) {
    if (typeof rate !== 'number' || !Number.isFinite(rate)) throw wrongField(`${field}[${i}]`, 'a number', rate);
  }
  return { ...bars, columns: { ...bars.columns, [FUNDING_COLUMN]: Float64Array.from(rates) } };
}

/** The rules of a request as masks. */
export interface SideMasks {
  readonly entry: Mask;
  readonly exit: Mask;
  /** Null for a run that is long only. */
  readonly shortEntry: Mask | null;
  readonly shortExit: Mask | null;
}

/**
 * The masks of `{entry?, exit?, short_entry?, short_exit?}`, lists of bar numbers. An entry is
 * needed on at least one side.
 */
export function readMasks(masks: unknown, barCount: number, place = 'masks'): SideMasks {
  const record = asRecord(masks, place);
  refuseUnknownKeys(unknownKeys(place, record, ['entry', 'exit', 'short_entry', 'short_exit']));
  const hasShort = [record.short_entry, record.short_exit].some((mask) => mask !== undefined && mask !== null);
  const read = (name: string): Mask => readMask(`${place}.${name}`, record[name] ?? [], barCount);
  if (!hasShort) required(record, 'entry', `${place}.entry`);
  return {
    entry: read('entry'),
    exit: read('exit'),
    shortEntry: hasShort ? read('short_entry') : null,
    shortExit: hasShort ? read('short_exit') : null,
  };
}

export function readMask(field: string, value: unknown, barCount: number): Mask {
  if (!Array.isArray(value)) throw wrongField(field, 'an array of bar numbers', value);
  for (const bar of value) {
    if (Number.isInteger(bar) && bar >= 0 && bar < barCount) continue;
    const bound = barCount === 0 ? 'be empty without bars' : `hold bar numbers 0..${barCount - 1}`;
    throw invalid(field, `must ${bound}, holds ${quote(bar)}`);
  }
  return maskWithBars(barCount, value);
}

export const invalid = (field: string, problem: string) =>
  new EngineError('INVALID_FIELD', `${field} ${problem}`, { field });

export function asRecord(value: unknown, field: string): Record<string, unknown> {
  if (isRecord(value)) return value;
  throw wrongField(field, 'an object', value);
}

export function required(record: Record<string, unknown>, key: string, field = key): unknown {
  const value = Object.hasOwn(record, key) ? record[key] : undefined;
  if (value === undefined || value === null) throw new EngineError('MISSING_FIELD', `${field} is required`, { field });
  return value;
}

export function readId(record: Record<string, unknown>): string {
  const id = required(record, 'id');
  if ((typeof id === 'string' && id !== '') || Number.isSafeInteger(id)) return String(id);
  throw invalid('id', `must be a text or a whole number, was ${quote(id)}`);
}

/** Runs a reader and prefixes its errors with the place. */
export function located<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof EngineError) throw new EngineError(error.code, `${place}: ${error.message}`, error.details);
    throw error;
  }
}
