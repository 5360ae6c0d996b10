import type { RowQuery } from './port.js';

type Row = object;
type Cells = Readonly<Record<string, unknown>>;

/** Decides for one filter, by its value, which rows stay. */
export type FilterRule<R> = (row: R, value: unknown) => boolean;

/**
 * The rows of one page. A filter that is neither a rule nor a field of the rows changes nothing. A
 * field filters by a value, by a list of values, or by `{min, max}`, both inclusive. Rows that an
 * order leaves equal keep their places.
 */
export function selectRows<R extends Row>(
  rows: readonly R[],
  { filters, orderBy, page, perPage }: RowQuery,
  rules: Readonly<Record<string, FilterRule<R>>> = {},
): R[] {
  let chosen = [...rows];
  for (const [name, value] of Object.entries(filters)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    chosen = chosen.filter((row) => (rule === undefined ? fieldMatches(row, name, value) : rule(row, value)));
  }
  for (const { field, direction } of [...orderBy].reverse()) {
    const sign = direction === 'ASC' ? 1 : -1;
    chosen.sort((a, b) => sign * compared((a as Cells)[field], (b as Cells)[field]));
  }
  return chosen.slice((page - 1) * perPage, page * perPage);
}

function fieldMatches(row: Row, name: string, value: unknown): boolean {
  if (!Object.hasOwn(row, name) || value === null) return true;
  const cell = (row as Cells)[name];
  if (typeof cell === 'number') return isWithin(cell, value);
  const cells = Array.isArray(cell) ? cell : [cell];
  const wanted = Array.isArray(value) ? value : [value];
  return wanted.length === 0 || cells.some((each) => wanted.some((other) => isSame(each, other)));
}

const isSame = (a: unknown, b: unknown): boolean =>
  typeof a === 'string' && typeof b === 'string' ? a.toLowerCase() === b.toLowerCase() : a === b;

/** Whether a number is a value, or lies within `{min, max}`, where either end may be absent. */
export function isWithin(cell: number, value: unknown): boolean {
  if (typeof value === 'number') return cell === value;
  if (typeof value !== 'object' || value === null) return true;
  const { min, max } = value as Cells;
  return !(typeof min === 'number' && cell < min) && !(typeof max === 'number' && cell > max);
}

function compared(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  return 0;
}
