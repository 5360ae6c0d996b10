import type { BarSeries } from '../series/index.js';

/** How the values of a column go along with the returns before and after they became known. */
interface ColumnTiming {
  readonly column: string;
  /** Bars at whose close a new value became known, with a new value before and after them. */
  readonly values: number;
  /**
   * Correlation with the return since the previous value, and with the return until the next: of
   * the values or of their changes, the one that goes along more with the return that follows.
   */
  readonly before: number;
  readonly after: number;
  /** The first of those bars. */
  readonly bar: number;
}

const VALUES_MIN = 30;
const CORRELATION_MIN = 0.3;
/** In standard errors of a correlation of unrelated series. */
const DEVIATIONS_MIN = 5;

/**
 * Whether the values go along with what the price does next more than with what it did before, and
 * so much that neither luck nor foresight explains it. A figure of a period looks like that when it
 * is stamped with the period's start. This shows only in columns that have to do with returns; when
 * other figures became known, prices cannot tell.
 */
export function isEarly({ values, before, after }: ColumnTiming): boolean {
  const bound = Math.max(CORRELATION_MIN, DEVIATIONS_MIN / Math.sqrt(values));
  return values >= VALUES_MIN && Math.abs(after) > Math.abs(before) && Math.abs(after) >= bound;
}

/** The timing of a column of the bars, from bar `first` on. O(bars). */
export function timingOf(column: string, { close, columns, barCount }: BarSeries, first: number): ColumnTiming {
  const cells = columns[column];
  const bars: number[] = [];
  let last = NaN;
  for (let i = first; i < barCount; i++) {
    if (Number.isNaN(cells[i]) || cells[i] === last) continue;
    last = cells[i];
    bars.push(i);
  }
  const inner = bars.slice(1, -1);
  const returnUntil = (k: number) => Math.log(close[bars[k]] / close[bars[k - 1]]);
  const before = inner.map((_, k) => returnUntil(k + 1));
  const after = inner.map((_, k) => returnUntil(k + 2));
  const levels = inner.map((bar) => cells[bar]);
  const changes = inner.map((bar, k) => cells[bar] - cells[bars[k]]);
  const [most] = [levels, changes]
    .map((xs) => ({ before: correlation(xs, before), after: correlation(xs, after) }))
    .sort((a, b) => Math.abs(b.after) - Math.abs(a.after));
  return { column, values: inner.length, ...most, bar: inner[0] ?? first };
}

/** Pearson's correlation; 0 where either side does not vary. */
function correlation(xs: readonly number[], ys: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(xs), mean(ys)];
  let [xx, yy, xy] = [0, 0, 0];
  for (let i = 0; i < xs.length; i++) {
    xx += (xs[i] - x) ** 2;
    yy += (ys[i] - y) ** 2;
    xy += (xs[i] - x) * (ys[i] - y);
  }
  const product = Math.sqrt(xx) * Math.sqrt(yy);
  return product > 0 ? xy / product : 0;
}
