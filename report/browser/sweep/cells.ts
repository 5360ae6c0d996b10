import { groupOf, type Metric, type Parameter } from './runs.js';

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
export function cellsOf(x: Parameter, y: Parameter, metric: Metric, of: CellOf): Cell[][] {
  const members = y.labels.map(() => x.labels.map((): number[] => []));
  for (let i = 0; i < metric.values.length; i++) {
    const [column, row] = [groupOf(x, i), groupOf(y, i)];
    if (column !== -1 && row !== -1 && Number.isFinite(metric.values[i])) members[row][column].push(i);
  }
  return members.map((row) => row.map((list) => cellOf(list, metric, of)));
}

function cellOf(members: readonly number[], { values, isLowBetter }: Metric, of: CellOf): Cell {
  const runs = members.length;
  if (runs === 0) return { value: null, runs, best: -1 };
  // The sort is stable, so the first of equal runs stays first.
  const sorted = members.toSorted((a, b) => (isLowBetter ? values[a] - values[b] : values[b] - values[a]));
  const middle = (runs - 1) / 2;
  const median = (values[sorted[Math.floor(middle)]] + values[sorted[Math.ceil(middle)]]) / 2;
  return { value: { best: values[sorted[0]], median, count: runs }[of], runs, best: sorted[0] };
}
