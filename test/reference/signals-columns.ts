import { deviationOf, meanOf } from './indicators.js';
import { observedIn } from './signals-onchain.js';
import { and, gt, lt, number, type Params, raw, type SignalTable, type Truth } from './signals-truth.js';

const over = (minObservations: (p: Params) => number, decide: (x: number[], p: Params) => Truth) =>
  observedIn((p) => String(p.column), minObservations, decide);

const threshold = (p: Params) => number(p, 'threshold');

/** The newest value in units of the sample deviation of the `window` values before it. */
function scored(x: number[], p: Params, compare: typeof gt): Truth {
  const newest = x[x.length - 1];
  const before = x.slice(-1 - number(p, 'window'), -1);
  if (before.every((value) => value === before[0])) return raw(false);
  const deviation = deviationOf(before, 1);
  const mean = meanOf(before);
  const scale = (Math.abs(newest) + Math.abs(mean)) / deviation;
  return and(raw(deviation > 0), compare((newest - mean) / deviation, threshold(p), { scale }));
}

export const columnSignals: SignalTable = {
  column_above: over(
    () => 1,
    (x, p) => raw(x[x.length - 1] > threshold(p)),
  ),
  column_below: over(
    () => 1,
    (x, p) => raw(x[x.length - 1] < threshold(p)),
  ),
  column_crosses_above: over(
    () => 2,
    (x, p) => raw(x[x.length - 2] <= threshold(p) && x[x.length - 1] > threshold(p)),
  ),
  column_crosses_below: over(
    () => 2,
    (x, p) => raw(x[x.length - 2] >= threshold(p) && x[x.length - 1] < threshold(p)),
  ),
  column_zscore_above: over(
    (p) => number(p, 'window') + 1,
    (x, p) => scored(x, p, gt),
  ),
  column_zscore_below: over(
    (p) => number(p, 'window') + 1,
    (x, p) => scored(x, p, lt),
  ),
};
