import {
  type CorpusColumn,
  type CorpusTable,
  corpusSchemas,
  corpusTables,
  type Filter,
  type Ordering,
  operators,
  type TableSchema,
} from '../../data/corpus/index.js';
import { isRecord, quote } from '../../engine/errors.js';
import { ApiError, refuseMissing } from '../api-error.js';
import { asStored, invalid, readValue, wrong } from './values.js';

/** As sent, not yet validated. */
export interface CorpusQueryRequest {
  readonly table?: string;
  readonly select?: unknown;
  readonly filters?: unknown;
  readonly order_by?: unknown;
  readonly limit?: number;
  readonly page_token?: string;
  /** Some clients send it, as other services take it; refused, since it would do nothing here. */
  readonly sql?: unknown;
}

export interface ReadQuery {
  readonly table: CorpusTable;
  readonly select: readonly CorpusColumn[];
  readonly filters: readonly Filter[];
  readonly orderBy: readonly Ordering[];
  readonly limit: number;
}

const SELECT_MAX = 80;
const FILTERS_MAX = 20;
const ORDER_MAX = 5;
const IN_MAX = 1_000;
const LIMIT = 100;
const LIMIT_MAX = 1_000;

/**
 * @throws MISSING_FIELD without a table or columns, INVALID_FIELD for a name, type or value outside
 *   the documentation
 */
export function readQuery(request: CorpusQueryRequest): ReadQuery {
  const { table, select, filters, order_by: orderBy, limit = LIMIT } = request;
  if (request.sql !== undefined)
    throw invalid('sql', 'sql is not accepted: say what to read with table, select and filters');
  refuseMissing(['table', 'select'].filter((name) => (request[name as 'table' | 'select'] ?? null) === null));
  const known = corpusTables.find((name) => name === table);
  if (known === undefined) throw wrong('table', `one of ${corpusTables.join(', ')}`, table);
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
    throw wrong('limit', `a whole number 1..${LIMIT_MAX}`, limit);
  }
  const schema = corpusSchemas[known];
  return {
    table: known,
    select: readSelect(select, schema),
    filters: readList(filters ?? [], 'filters', FILTERS_MAX).map((filter, i) =>
      readFilter(filter, schema, `filters[${i}]`),
    ),
    orderBy: readOrder(orderBy ?? [], schema),
    limit,
  };
}

function readSelect(select: unknown, schema: TableSchema): CorpusColumn[] {
  const names = readList(select, 'select', SELECT_MAX);
  if (names.length === 0) throw invalid('select', `select must name 1..${SELECT_MAX} columns, was []`);
  const columns = names.map((name, i) => readColumn(name, schema, `select[${i}]`));
  const twice = columns.find((column, i) => columns.indexOf(column) !== i);
  if (twice !== undefined) throw invalid('select', `select must name a column once, has ${twice.name} twice`);
  return columns;
}

/** Refuses any name that is not a column of the table, so that no other text reaches the SQL. */
export function readColumn(name: unknown, { columns }: TableSchema, field: string): CorpusColumn {
  const column = typeof name === 'string' ? columns.get(name) : undefined;
  if (column === undefined) throw wrong(field, 'a column of the table', name);
  return column;
}

function readFilter(filter: unknown, schema: TableSchema, field: string): Filter {
  const { col, op, value } = readObject(filter, field, '{col, op, value}');
  const column = readColumn(col, schema, `${field}.col`);
  const operator = operators.find((each) => each === op);
  if (operator === undefined) {
    throw wrong(`${field}.op`, `one of ${operators.join(', ')}`, op);
  }
  if (column.type === 'boolean' && !['=', '!=', 'in'].includes(operator)) {
    throw invalid(
      `${field}.op`,
      `${field}.op must be =, != or in for ${column.name}, which is true or false, was ${operator}`,
    );
  }
  return asStored({ column, operator, values: readOperand(column, operator, value, `${field}.value`) });
}

function readOperand(
  column: CorpusColumn,
  operator: Filter['operator'],
  value: unknown,
  field: string,
): Filter['values'] {
  const one = (each: unknown, at: string) => readValue(column, each, at);
  if (operator === 'in') {
    const listed = readList(value, field, IN_MAX);
    if (listed.length === 0) throw invalid(field, `${field} must have 1..${IN_MAX} values, was []`);
    return listed.map((each, i) => one(each, `${field}[${i}]`));
  }
  if (operator === 'between') {
    const bounds = readList(value, field, IN_MAX);
    if (bounds.length !== 2) throw invalid(field, `${field} must have exactly 2 values, was ${quote(bounds)}`);
    return bounds.map((each, i) => one(each, `${field}[${i}]`));
  }
  if (value === null && (operator === '=' || operator === '!=')) return [null];
  return [one(value, field)];
}

function readOrder(orderBy: unknown, schema: TableSchema): Ordering[] {
  return readList(orderBy, 'order_by', ORDER_MAX).map((ordering, i) => {
    const field = `order_by[${i}]`;
    const { col, dir = 'desc' } = readObject(ordering, field, '{col, dir}');
    if (dir !== 'asc' && dir !== 'desc') throw wrong(`${field}.dir`, 'asc or desc', dir);
    return { column: readColumn(col, schema, `${field}.col`), isDescending: dir === 'desc' };
  });
}

/**
 * Completes an order so that no two rows are equal: the key of the table breaks ties. A repeated
 * column decides nothing and is dropped.
 */
export function completeOrder(order: readonly Ordering[], { key }: TableSchema): Ordering[] {
  const all = [...order, ...key.map((column) => ({ column, isDescending: false }))];
  return all.filter(({ column }, i) => all.findIndex((other) => other.column === column) === i);
}

function readList(value: unknown, field: string, max: number): readonly unknown[] {
  if (!Array.isArray(value)) throw wrong(field, 'an array', value);
  if (value.length > max) throw invalid(field, `${field} must have at most ${max} entries, had ${value.length}`);
  return value;
}

function readObject(value: unknown, field: string, form: string): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  throw wrong(field, `an object ${form}`, value);
}

const MIB = 1_048_576;
const BILLED_MIN = 10 * MIB;
const USD_PER_TIB = 6.25;
const FIXED_BYTES = 8;
const BOOLEAN_BYTES = 1;
const TEXT_OVERHEAD_BYTES = 2;

/**
 * Columns that a query names in its select, filters or order. Columns added to complete the order
 * are free.
 */
export const columnsNamed = ({ select, filters, orderBy }: ReadQuery): CorpusColumn[] => [
  ...new Set([...select, ...[...filters, ...orderBy].map(({ column }) => column)]),
];

/**
 * Bytes of the columns read, over all rows of the files searched: 1 for a boolean, 2 plus the
 * average UTF-8 length for a text, 8 for anything else. Rounded up to whole MiB, at least 10 MiB.
 */
export function bytesBilled(
  columns: readonly CorpusColumn[],
  rows: number,
  textWidths: ReadonlyMap<string, number>,
): number {
  const width = ({ type, name }: CorpusColumn): number => {
    if (type === 'text') return TEXT_OVERHEAD_BYTES + (textWidths.get(name) ?? 0);
    return type === 'boolean' ? BOOLEAN_BYTES : FIXED_BYTES;
  };
  const bytes = columns.reduce((sum, column) => sum + width(column) * rows, 0);
  return Math.max(BILLED_MIN, Math.ceil(bytes / MIB) * MIB);
}

export const costUsd = (bytes: number): number => (bytes / 2 ** 40) * USD_PER_TIB;

/** @throws BYTES_LIMIT_EXCEEDED with the estimate and the cap */
export function refuseAbove(bytesMax: number, bytes: number): void {
  if (bytes <= bytesMax) return;
  throw new ApiError(
    'BYTES_LIMIT_EXCEEDED',
    `the query would read ${bytes} bytes, the limit is ${bytesMax}: read fewer columns, or filter by experiment_id (results) or asset and timeframe (ohlcv)`,
    { total_bytes_billed: bytes, limit: bytesMax },
  );
}
