import type { StoredBars } from '../bars/index.js';
import type { CorpusColumn } from './columns.js';

/** A file of result rows that the caller may read. */
export interface PartFile {
  readonly path: string;
  readonly experimentId: string;
  readonly rows: number;
}

/** A file of bars, with the values that all of its rows share. */
export type BarFile = Pick<
  StoredBars,
  'path' | 'asset' | 'interval' | 'file' | 'bars' | 'firstMs' | 'lastMs' | 'intervalMs'
>;

/** A value of a column: dates as 2024-01-31, times as epoch ms, percent columns in percent. */
export type Value = string | number | boolean;
export type Cell = Value | null;

export const operators = ['=', '!=', '>', '>=', '<', '<=', 'in', 'between'] as const;
export type Operator = (typeof operators)[number];

/**
 * A condition on a column. `in` takes one or more values, `between` two (inclusive), the others
 * one. A row without a value meets only `=` null.
 */
export interface Filter {
  readonly column: CorpusColumn;
  readonly operator: Operator;
  /** Null only with `=` and `!=`. */
  readonly values: readonly Cell[];
}

export interface Ordering {
  readonly column: CorpusColumn;
  readonly isDescending: boolean;
}

export interface CorpusQuery {
  readonly select: readonly CorpusColumn[];
  readonly filters: readonly Filter[];
  /**
   * A total order: it leaves no two rows equal. Rows without a value come last in either direction.
   */
  readonly order: readonly Ordering[];
  readonly limit: number;
  readonly offset?: number;
  /** Only rows after the row with these values, one for each ordering. */
  readonly after?: readonly Cell[] | null;
}

/**
 * One array per selected column, and the position of the last row, from which the next query goes
 * on.
 */
export interface Page {
  readonly rowCount: number;
  readonly columns: readonly (readonly Cell[])[];
  /** Null when no rows follow. */
  readonly next: readonly Cell[] | null;
}
