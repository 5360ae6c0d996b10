import { betterFirst } from '../../sweep/rank.js';
import { type Metric, type Parameter, valueGroup } from './runs.js';

/** What a cell of the heat map shows about its runs. */
export type CellOf = 'best' | 'median' | 'count';

export interface Cell {
  /** Null if no run falls into the cell. */
  readonly value: number | null;
  readonly runs: number;
  /** Index of the best run; -1 without runs. */
  readonly best: number;
}

/**
 * Groups the runs by row (y) and column (x). Runs that lack the metric or one of the parameters are
 * left out.
 */
export function groupCells(x: Parameter, y: Parameter, metric: Metric, isFew: Uint8Array, of: CellOf): Cell[][] {
  const members = y.labels.map(() => x.labels.map((): number[] => []));
  for (let i = 0; i < metric.values.length; i++) {
    const [column, row] = [valueGroup(x, i), valueGroup(y, i)];
    if (column !== -1 && row !== -1 && Number.isFinite(metric.values[i])) members[row][column].push(i);
  }
  return members.map((row) => row.map((list) => cell(list, metric, isFew, of)));
}

function cell(members: readonly number[], metric: Metric, isFew: Uint8Array, of: CellOf): Cell {
  const runs = members.length;
  if (runs === 0) return { value: null, runs, best: -1 };
  const { values } = metric;
  const [best] = members.toSorted(betterFirst(metric, isFew));
  const sorted = members.map((run) => values[run]).sort((a, b) => a - b);
  const middle = (runs - 1) / 2;
  const median = (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
  return { value: { best: values[best], median, count: runs }[of], runs, best };
}
