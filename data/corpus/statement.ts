import { sqlName } from '../duckdb.js';
import type { CorpusColumn } from './columns.js';
import type { Parameter, Statement } from './engine.js';
import type { Cell, CorpusQuery, Filter, Operator, Ordering, Value } from './query.js';

/** The text of a statement and, apart from it, the values. */
export class StatementBuilder {
  readonly #parameters: Parameter[] = [];

  /** The place of a value in the text. */
  bind(parameter: Parameter): string {
    this.#parameters.push(parameter);
    return `$${this.#parameters.length}`;
  }

  value({ type }: CorpusColumn, value: Value): string {
    // A whole number is compared as one, since a column that is converted first cannot be skipped
    // by its statistics.
    if (type === 'integer' && !Number.isSafeInteger(value)) return this.bind({ type: 'number', value: Number(value) });
    return this.bind({ type, value } as Parameter);
  }

  done(sql: string): Statement {
    return { sql, parameters: this.#parameters };
  }
}

/** What a column is compared and ordered by: what is shown of it. */
const shownOf = ({ name, isPercent }: CorpusColumn): string => (isPercent ? `(${sqlName(name)} * 100)` : sqlName(name));

/** The same as it leaves DuckDB: only numbers, texts and truths. */
export function cellOf(column: CorpusColumn): string {
  switch (column.type) {
    case 'integer':
      return `${sqlName(column.name)}::DOUBLE`;
    case 'date':
      return `strftime(${sqlName(column.name)}, '%Y-%m-%d')`;
    case 'time':
      return `epoch_ms(${sqlName(column.name)})::DOUBLE`;
    default:
      return shownOf(column);
  }
}

/**
 * `WHERE` and all conditions of a query, or nothing.
 * @param worst value of the first ordering that rows must reach, which none without a value do;
 *   null for any
 */
export function whereOf(
  { filters, order, after = null }: Pick<CorpusQuery, 'filters' | 'order' | 'after'>,
  builder: StatementBuilder,
  worst: Value | null = null,
): string {
  const conditions = filters.map((filter) => conditionOf(filter, builder));
  const bound = (isDown: boolean, value: Value): string =>
    // biome-ignore lint/style/noNonNullAssertion: an order has one column at least, and a bound for each
    conditionOf({ column: order[0]!.column, operator: isDown ? '<=' : '>=', values: [value] }, builder);
  const isDescending = order[0]?.isDescending === true;
  if (worst !== null) conditions.push(bound(!isDescending, worst));
  if (after !== null) {
    // What follows says the same and more, but files and row groups are skipped by plain bounds
    // only.
    // biome-ignore lint/style/noNonNullAssertion: an order has one column at least, and a bound for each
    if (worst !== null && after[0] !== null) conditions.push(bound(isDescending, after[0]!));
    conditions.push(follows(order, after, builder));
  }
  return conditions.length === 0 ? '' : `WHERE ${conditions.map((each) => `(${each})`).join(' AND ')}`;
}

export const orderOf = (order: readonly Ordering[]): string =>
  `ORDER BY ${order.map(({ column, isDescending }) => `${shownOf(column)} ${isDescending ? 'DESC' : 'ASC'} NULLS LAST`).join(', ')}`;

function conditionOf({ column, operator, values }: Filter, builder: StatementBuilder): string {
  const shown = shownOf(column);
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
 * What a bound in percent means for the stored fractions, a little wider than it is, since 100
 * times a fraction is rounded. Row groups are skipped by the bounds of what they store; which of
 * their rows meet the condition the exact one decides.
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

/**
 * Rows that come after the one with these values, rows without a value being last in each ordering.
 */
function follows(order: readonly Ordering[], after: readonly Cell[], builder: StatementBuilder): string {
  let rest = 'FALSE';
  for (let k = order.length - 1; k >= 0; k--) {
    // biome-ignore lint/style/noNonNullAssertion: an order has one column at least, and a bound for each
    const { column, isDescending } = order[k]!;
    const value = after[k] ?? null;
    const shown = shownOf(column);
    if (value === null) {
      rest = `(${shown} IS NULL AND ${rest})`;
      continue;
    }
    const at = builder.value(column, value);
    rest = `(${shown} ${isDescending ? '<' : '>'} ${at} OR ${shown} IS NULL OR (${shown} = ${at} AND ${rest}))`;
  }
  return rest;
}
