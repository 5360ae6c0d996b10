import { barColumns, type ColumnChoice } from './columns.js';
import type { DecimalMark } from './number-cells.js';
import type { SymbolChoice } from './symbols.js';
import { type DateOrder, dateOrders } from './time-cells.js';

/** What a user says about a file of bars where the file leaves it open. */
export interface ReadBarsOptions extends ColumnChoice, SymbolChoice {
  /** By default the most frequent spacing of the bars. */
  readonly intervalMs?: number | undefined;
  /** The order of day, month and year in dates that are not ISO 8601, or days as Excel counts them. */
  readonly dates?: DateOrder | undefined;
  /** The zone of times that name none: an IANA name, or a distance to UTC. Default: UTC. */
  readonly timezone?: string | undefined;
  /** By default the mark that the first rows show. */
  readonly decimal?: DecimalMark | undefined;
  /** Sort the rows by time; otherwise rows out of order are refused. */
  readonly sort?: boolean | undefined;
  /** Leave out rows that repeat another; otherwise a time that comes twice is refused. */
  readonly dedupe?: boolean | undefined;
  /** Which of several rows of a time stays when they differ; otherwise they are refused. */
  readonly keep?: 'first' | 'last' | undefined;
}

/** The values of options that have few. */
export const importChoices = {
  dates: dateOrders,
  decimal: ['point', 'comma'],
  keep: ['first', 'last'],
  overlap: ['held', 'new'],
  columns: barColumns,
} as const;
