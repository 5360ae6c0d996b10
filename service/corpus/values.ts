import { normaliseAsset } from '../../data/bars/index.js';
import type { Cell, CorpusColumn, Filter, Page, Value } from '../../data/corpus/index.js';
import { arrowBytes, type TableColumn } from '../../data/tables/index.js';
import { EngineError } from '../../engine/errors.js';
import { formatInterval, isBareDate, isoTime, parseIsoTime, tryParseInterval } from '../../engine/series/index.js';
import { ApiError, wrongValue } from '../api-error.js';

/** Reads a value to compare rows with, as it stands in JSON. */
export function readValue(column: CorpusColumn, value: unknown, field: string): Value {
  switch (column.type) {
    case 'text':
      if (typeof value === 'string') return value;
      break;
    case 'integer':
    case 'number':
      if (typeof value === 'number') return value;
      break;
    case 'boolean':
      if (typeof value === 'boolean') return value;
      break;
    case 'date':
      if (typeof value === 'string' && isBareDate(value) && !Number.isNaN(parseIsoTime(value))) return value;
      break;
    case 'time': {
      const ms = typeof value === 'string' ? parseIsoTime(value) : Number.NaN;
      if (!Number.isNaN(ms)) return ms;
    }
  }
  throw wrong(field, expected[column.type], value);
}

/** The same where any value may come as text, as in a query string. */
export function readText(column: CorpusColumn, value: unknown, field: string): Value {
  if (typeof value !== 'string') return readValue(column, value, field);
  const { type } = column;
  // biome-ignore lint/style/noNonNullAssertion: checked in the condition
  if (type === 'boolean' && Object.hasOwn(truths, value)) return truths[value]!;
  const isNumber = (type === 'integer' || type === 'number') && /^[+-]?\d+(\.\d+)?(e[+-]?\d{1,3})?$/i.test(value);
  return readValue(column, isNumber ? Number(value) : value, field);
}

/**
 * How rows spell values that have several spellings. A text that is no such value stays as it is
 * and matches no row.
 */
const spelled: Readonly<Record<string, (text: string) => string>> = {
  timeframe(text) {
    const ms = tryParseInterval(text);
    return ms === null ? text : formatInterval(ms);
  },
  asset(text) {
    try {
      return normaliseAsset(text);
    } catch (error) {
      if (error instanceof EngineError) return text;
      throw error;
    }
  },
};

/**
 * The same condition in the spelling of the rows: `1D` and `1day` become 1d, `BTC-USD` becomes BTC.
 * Ordering operators compare the text as sent.
 */
export function asStored({ column, operator, values }: Filter): Filter {
  const spell = ['=', '!=', 'in'].includes(operator) ? spelled[column.name] : undefined;
  if (spell === undefined) return { column, operator, values };
  return { column, operator, values: values.map((value) => (typeof value === 'string' ? spell(value) : value)) };
}

const truths: Readonly<Record<string, boolean>> = {
  true: true,
  True: true,
  1: true,
  false: false,
  False: false,
  0: false,
};

const expected = {
  text: 'text',
  integer: 'a number',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date such as 2024-01-31',
  time: 'an ISO 8601 time',
} satisfies Record<CorpusColumn['type'], string>;

/** A cell as answers show it: a number that JSON cannot write becomes null. */
function shownCell({ type }: CorpusColumn, cell: Cell): Cell {
  if (type === 'time' && cell !== null) return isoTime(Number(cell));
  return typeof cell === 'number' && !Number.isFinite(cell) ? null : cell;
}

/** Refuses a wrong value; an undefined one is refused as a missing field. */
export const wrong = (field: string, bound: string, value: unknown): ApiError =>
  wrongValue(field, bound, value, 'INVALID_FIELD');

export const invalid = (field: string, message: string): ApiError => new ApiError('INVALID_FIELD', message, { field });

/** Rows as JSON objects with a key for each selected column. */
export function toRows(select: readonly CorpusColumn[], { rowCount, columns }: Page): Record<string, unknown>[] {
  return Array.from({ length: rowCount }, (_, row) =>
    Object.fromEntries(select.map((column, k) => [column.name, shownCell(column, columns[k]?.[row] ?? null)])),
  );
}

export interface QueryPiece {
  readonly arrow: Uint8Array;
}

/**
 * Bytes of one message; far below what a call may carry, so that a reader gets its first rows
 * early.
 */
const PIECE_BYTES = 256 * 1024;

const arrowTypes = {
  text: 'text',
  integer: 'integer',
  number: 'double',
  boolean: 'boolean',
  date: 'text',
  time: 'time',
} satisfies Record<CorpusColumn['type'], TableColumn['type']>;

/** The same as an Arrow IPC stream in pieces, at least one. Dates are texts such as 2024-01-31. */
export async function* arrowPieces(select: readonly CorpusColumn[], { columns }: Page): AsyncGenerator<QueryPiece> {
  const table = select.map(({ name, type }, k) => {
    const values = (columns[k] ?? []).map((cell) => (typeof cell === 'number' && !Number.isFinite(cell) ? null : cell));
    return { name, type: arrowTypes[type], values } as TableColumn;
  });
  const bytes = await arrowBytes(table, 'stream');
  for (let from = 0; from < bytes.length; from += PIECE_BYTES)
    yield { arrow: bytes.subarray(from, from + PIECE_BYTES) };
}
