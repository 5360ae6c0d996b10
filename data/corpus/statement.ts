import { sqlName } from '../duckdb.js';
import type { CorpusColumn } from './columns.js';
import type { Parameter, Statement } from './engine.js';
import type { Cell, CorpusQuery, Filter, Operator, Ordering, Value } from './query.js';

/** The text of a statement and, apart from it, its parameters. */
export class StatementBuilder {
  readonly #parameters: Parameter[] = [];

  /** Adds a parameter and returns its placeholder. */
  bind(parameter: Parameter): string {
    this.#parameters.push(parameter);
    return `$${this.#parameters.length}`;
  }

  value({ type }: CorpusColumn, value: Value): string {
    // An integer is compared as an integer: DuckDB cannot use statistics to skip a column that it
    // must convert first.
    if (type === 'integer' && !Number.isSafeInteger(value)) return this.bind({ type: 'number', value: Number(value) });
    return this.bind({ type, value } as Parameter);
  }

  done(sql: string): Statement {
    return { sql, parameters: this.#parameters };
  }
}

/** The SQL of a column's shown value, by which rows are compared and ordered. */
const shownSql = ({ name, isPercent }: CorpusColumn): string =>
  isPercent ? `(${sqlName(name)} * 100)` : sqlName(name);

/** The shown value as it leaves DuckDB: only numbers, strings and booleans. */
export function cellSql(column: CorpusColumn): string {
  switch (column.type) {
    case 'integer':
      return `${sqlName(column.name)}::DOUBLE`;
    case 'date':
      return `strftime(${sqlName(column.name)}, '%Y-%m-%d')`;
    case 'time':
      return `epoch_ms(${sqlName(column.name)})::DOUBLE`;
    default:
      return shownSql(column);
  }
}

/**
 * `WHERE` and all conditions of a query, or nothing.
 * @param worst value of the first ordering that rows must reach, which excludes rows without a
 *   value; null for no bound
 */
export function whereSql(
  { filters, order, after = null }: Pick<CorpusQuery, 'filters' | 'order' | 'after'>,
  builder: StatementBuilder,
  worst: Value | null = null,
): string {
  const conditions = filters.map((filter) => condition(filter, builder));
  const bound = (isDown: boolean, value: Value): string =>
    // biome-ignore lint/style/noNonNullAssertion: an order has at least one column, and a bound for each
    condition({ column: order[0]!.column, operator: isDown ? '<=' : '>=', values: [value] }, builder);
  const isDescending = order[0]?.isDescending === true;
  if (worst !== null) conditions.push(bound(!isDescending, worst));
  if (after !== null) {
    // `follows` implies this bound, but DuckDB skips files and row groups only by plain bounds.
    // biome-ignore lint/style/noNonNullAssertion: an order has at least one column, and a bound for each
    if (worst !== null && after[0] !== null) conditions.push(bound(isDescending, after[0]!));
    conditions.push(follows(order, after, builder));
  }
  return conditions.length === 0 ? '' : `WHERE ${conditions.map((each) => `(${each})`).join(' AND ')}`;
}

export const orderSql = (order: readonly Ordering[]): string =>
  `ORDER BY ${order.map(({ column, isDescending }) => `${shownSql(column)} ${isDescending ? 'DESC' : 'ASC'} NULLS LAST`).join(', ')}`;

function condition({ column, operator, values }: Filter, builder: StatementBuilder): string {
  const shown = shownSql(column);
  const [first = null, second = null] = values;
  if (first === null) return `${shown} IS ${operator === '!=' ? 'NOT ' : ''}NULL`;
  if (operator === 'in') {
    const listed = values.map((value) => builder.value(column, value as Value)).join(', ');
    return `${shown} IN (${listed})${storedWithin(column, values as Value[], builder)}`;
  }
  if (operator === 'between') {
    const [low, high] = [builder.value(column, first), builder.value(column, second as Value)];
    return `${shown} BETWEEN ${low} AND ${high}${stored(column, '>=', first, builder)}${stored(column, '<=', second as Value, builder)}`;
  }
  const exact = `${shown} ${operator} ${builder.value(column, first)}`;
  if (operator === '=') return `${exact}${storedWithin(column, [first], builder)}`;
  return `${exact}${stored(column, operator, first, builder)}`;
}

/**
 * A bound in percent as a bound on the stored fractions, slightly wider, since 100 times a fraction
 * is rounded. It lets DuckDB skip row groups; the exact condition then decides for each row.
 */
function stored(column: CorpusColumn, operator: Operator, percent: Value, builder: StatementBuilder): string {
  if (!column.isPercent || operator === '!=') return '';
  const fraction = Number(percent) / 100;
  const slack = Math.abs(fraction) * 1e-12 + Number.MIN_VALUE;
  const isFloor = operator.startsWith('>');
  const bound = builder.bind({ type: 'number', value: isFloor ? fraction - slack : fraction + slack });
  return ` AND ${sqlName(column.name)} ${isFloor ? '>=' : '<='} ${bound}`;
}

function storedWithin(column: CorpusColumn, values: readonly Value[], builder: StatementBuilder): string {
  if (!column.isPercent) return '';
  const numbers = values.map(Number);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  return `${stored(column, '>=', low, builder)}${stored(column, '<=', high, builder)}`;
}

/** Rows after the row with these values; in each ordering, rows without a value come last. */
function follows(order: readonly Ordering[], after: readonly Cell[], builder: StatementBuilder): string {
  let rest = 'FALSE';
  for (let k = order.length - 1; k >= 0; k--) {
    // biome-ignore lint/style/noNonNullAssertion: an order has at least one column, and a bound for each
    const { column, isDescending } = order[k]!;
    const value = after[k] ?? null;
    const shown = shownSql(column);
    if (value === null) {
      rest = `(${shown} IS NULL AND ${rest})`;
      continue;
    }
    const at = builder.value(column, value);
    rest = `(${shown} ${isDescending ? '<' : '>'} ${at} OR ${shown} IS NULL OR (${shown} = ${at} AND ${rest}))`;
  }
  return rest;
}
