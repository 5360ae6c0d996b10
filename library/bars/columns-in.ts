import { checkBars } from '../../data/bars/index.js';
import {
  allocateBars,
  COLUMN_NAME_RULE,
  EngineError,
  isColumnName,
  mustBe,
  parseIsoTime,
  quote,
  sharedColumns,
} from '../../engine/index.js';
import type { BarColumnsInput, BarRow } from './bars.js';

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
    for (let i = 0; i < count; i++) to[i] = numberOf(from[i], name, `bar ${i}`);
  };
  for (let i = 0; i < count; i++) bars.time[i] = timeOf(time[i], `bar ${i}`);
  for (const name of prices) copy(name, input[name], bars[name]);
  if (input.volume !== undefined) copy('volume', input.volume, bars.volume);
  for (const [name, cells] of Object.entries(columns)) {
    const to = bars.columns[name];
    if (to !== undefined) copy(name, cells, to);
  }
  return checkBars(bars, intervalMs);
}

export function columnsOfRows(rows: readonly BarRow[]): BarColumnsInput {
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
export function numberOf(value: unknown, column: string, bar: string): number {
  if (typeof value === 'number') return value;
  throw new EngineError('INVALID_DATA', `${bar}: ${column} must be a number, was ${quote(value)}`, { field: column });
}

/** @param bar names the bar in the message of a refusal */
export function timeOf(value: unknown, bar: string): number {
  const ms = value instanceof Date ? value.getTime() : typeof value === 'string' ? parseIsoTime(value.trim()) : value;
  if (typeof ms === 'number' && Number.isFinite(ms)) return ms;
  const rule = 'must be epoch ms, a Date or an ISO 8601 text';
  throw new EngineError('INVALID_DATA', `${bar}: time ${rule}, was ${quote(value)}`, { field: 'time' });
}
