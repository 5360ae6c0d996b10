import { checkBars } from '../../data/bars/index.js';
import { EngineError, mustBe, quote } from '../../engine/errors.js';
import {
  allocateBars,
  type BarSeries,
  COLUMN_NAME_RULE,
  isColumnName,
  MINUTE_MS,
  parseIsoTime,
  sharedColumns,
} from '../../engine/series/index.js';

/**
 * Bars as columns: Float64Arrays of one length, oldest first, with the open time of each bar in
 * epoch ms UTC. Prices are above 0, volume is in the base asset. Do not write to the columns.
 */
export interface Bars extends BarSeries {
  readonly asset: string;
  /** SHA-256 over the columns: equal bars have equal hashes, from any source. */
  readonly contentHash: string;
  /** `catalogue`, `sample`, `memory`, or the path of a file. */
  readonly source: string;
}

/** Columns of one length: numbers, oldest first. */
export interface BarColumnsInput {
  /** Open time: epoch ms, dates, or ISO 8601 texts (UTC where they name no zone). */
  readonly time: ArrayLike<number | string | Date>;
  readonly open: ArrayLike<number>;
  readonly high: ArrayLike<number>;
  readonly low: ArrayLike<number>;
  readonly close: ArrayLike<number>;
  /** Default: 0 on every bar. */
  readonly volume?: ArrayLike<number>;
  /**
   * Further columns by name; NaN where a bar has no value. A value is known at the close of its
   * bar.
   */
  readonly columns?: Readonly<Record<string, ArrayLike<number>>>;
}

/** One bar as an object. */
export interface BarRow {
  readonly time: number | string | Date;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume?: number;
}

const prices = ['open', 'high', 'low', 'close'] as const;

const invalid = (field: string, message: string) => new EngineError('INVALID_FIELD', message, { field });

/** Checks columns as `loadBars` takes them, and copies them into shared memory. */
export function barsFromColumns(input: BarColumnsInput, intervalMs: number | undefined) {
  const { time, columns = {} } = input;
  if (time === undefined || time === null) throw new EngineError('MISSING_FIELD', 'columns.time is required');
  const count = time.length;
  if (count === 0) throw new EngineError('INVALID_DATA', 'columns must hold at least 1 bar, hold 0');
  for (const name of Object.keys(columns)) {
    if (!isColumnName(name)) throw invalid('columns', mustBe(`the name of a column`, COLUMN_NAME_RULE, name));
  }
  const bars = allocateBars(count, 0, Object.keys(columns), sharedColumns);
  const copy = (name: string, from: ArrayLike<number> | undefined, to: Float64Array): void => {
    if (from === undefined || from === null) throw new EngineError('MISSING_FIELD', `columns.${name} is required`);
    if (from.length !== count) {
      throw invalid(name, `columns.${name} must have ${count} values, as time has, has ${from.length}`);
    }
    for (let i = 0; i < count; i++) to[i] = readNumber(from[i], name, `bar ${i}`);
  };
  for (let i = 0; i < count; i++) bars.time[i] = readTime(time[i], `bar ${i}`);
  refuseOtherUnits(bars.time);
  for (const name of prices) copy(name, input[name], bars[name]);
  if (input.volume !== undefined) copy('volume', input.volume, bars.volume);
  for (const [name, cells] of Object.entries(columns)) {
    const to = bars.columns[name];
    if (to !== undefined) copy(name, cells, to);
  }
  return checkBars(bars, intervalMs);
}

/** Epoch times of other units by their magnitude: in ms they lie in 1970 or far ahead. */
function refuseOtherUnits(time: Float64Array): void {
  const [first = 0, second = first] = time;
  const isSeconds = first >= 1e8 && first < 1e11 && (second - first) % MINUTE_MS !== 0;
  const unit = isSeconds ? 'seconds' : first >= 1e17 ? 'nanoseconds' : first >= 1e14 ? 'microseconds' : null;
  if (unit === null) return;
  const factor = isSeconds ? 'multiply by 1000' : `divide by ${unit === 'microseconds' ? '1000' : '1000000'}`;
  const rule = `time must be epoch ms, was ${first}, which looks like epoch ${unit}: ${factor}`;
  throw new EngineError('INVALID_DATA', `bar 0: ${rule}`, { field: 'time' });
}

/** Names of the time in rows of other programs. */
const timeNames = ['timestamp', 'openTime', 'open_time', 'date', 'datetime', 'ts', 't'] as const;

/** @throws INVALID_DATA for rows in the form of another program, saying how to turn them */
function refuseForeignRows(row: unknown): void {
  if (Array.isArray(row)) {
    const form = 'rows.map(([time, open, high, low, close, volume]) => ({ time, open, high, low, close, volume }))';
    throw new EngineError(
      'INVALID_DATA',
      `bar 0: a row must be an object, was a list; ${form} turns lists of that order`,
    );
  }
  const found = timeNames.find((name) => Object.hasOwn(row ?? {}, name) && !Object.hasOwn(row ?? {}, 'time'));
  if (found === undefined) return;
  throw new EngineError('INVALID_DATA', `bar 0: time is required, the row has ${found}: name it time`, {
    field: 'time',
  });
}

export function columnsOfRows(rows: readonly BarRow[]): BarColumnsInput {
  refuseForeignRows(rows[0]);
  const column = (name: (typeof prices)[number]) => rows.map((row) => row[name]);
  return {
    time: rows.map(({ time }) => time),
    open: column('open'),
    high: column('high'),
    low: column('low'),
    close: column('close'),
    volume: rows.map(({ volume = 0 }) => volume),
  };
}

/** @param bar names the bar in the message of a refusal */
export function readNumber(value: unknown, column: string, bar: string): number {
  if (typeof value === 'number') return value;
  throw new EngineError('INVALID_DATA', `${bar}: ${column} must be a number, was ${quote(value)}`, { field: column });
}

/** @param bar names the bar in the message of a refusal */
export function readTime(value: unknown, bar: string): number {
  const ms = value instanceof Date ? value.getTime() : typeof value === 'string' ? parseIsoTime(value.trim()) : value;
  if (typeof ms === 'number' && Number.isFinite(ms)) return ms;
  if (typeof value === 'bigint' || (typeof value === 'string' && /^\d{9,19}$/.test(value.trim()))) {
    const rule = `time must be epoch ms as a number, was ${quote(String(value))} as a ${typeof value}`;
    throw new EngineError('INVALID_DATA', `${bar}: ${rule}: use Number(time), in ms`, { field: 'time' });
  }
  const rule = 'must be epoch ms, a Date or an ISO 8601 text';
  throw new EngineError('INVALID_DATA', `${bar}: time ${rule}, was ${quote(value)}`, { field: 'time' });
}
