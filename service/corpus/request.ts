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
import { refuseMissing } from '../api-error.js';
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
  if (!corpusTables.includes(table as CorpusTable)) {
    throw wrong('table', `one of ${corpusTables.join(', ')}`, table);
  }
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
    throw wrong('limit', `a whole number 1..${LIMIT_MAX}`, limit);
  }
  const schema = corpusSchemas[table as CorpusTable];
  return {
    table: table as CorpusTable,
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
