import { betterSide, type MetricName, metricTable, whyWithout } from '../../engine/metrics/index.js';
import type { WalkForward } from '../../engine/sweep/index.js';
import { NONE } from '../format.js';
import { type MetricKind, metricForm } from './picture.js';
import type { SheetDataset, SheetRun, SweepSheet } from './sheet.js';

const units: Readonly<Record<string, { readonly unit: string }>> = metricTable;

export function metricKind(name: MetricName): MetricKind {
  const unit = units[name]?.unit;
  if (unit === 'fraction') return 'percent';
  if (unit === 'ratio') return 'ratio';
  return unit === 'amount' ? 'amount' : 'count';
}

/** Text of a metric; of a ratio without its denominator, why it has none. */
export const metricText = (name: MetricName, value: number | null | undefined): string =>
  value === null || value === undefined ? (whyWithout(name) ?? NONE) : metricForm(value, metricKind(name));

export const isLowBetter = (name: MetricName): boolean => betterSide(name) === 'lower';

/** Whether a run has too few trades to lead. */
export const hasFewTrades = ({ metrics }: Pick<SheetRun, 'metrics'>, minTrades: number): boolean =>
  (metrics.total_trades ?? 0) < minTrades;

/** Such as `higher is better`. */
export const betterWords = (name: MetricName): string => `${betterSide(name)} is better`;

/** Proper names keep their capital inside a sentence. */
const named = /^(Sharpe|Sortino|Calmar|IRR)/;

/** A label such as `Max drawdown`, for use inside a sentence. */
export const metricWords = (label: string): string =>
  named.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);

/**
 * A walk-forward and the run that its newest training window chose: the run that a trader would use
 * next.
 */
export interface NewestChoice {
  readonly run: SheetRun;
  readonly walk: WalkForward;
}

/** Null if the sweep does not walk forward or no run of the dataset traded. */
export function findNewestChoice({ leader, honesty }: SheetDataset): NewestChoice | null {
  const walk = honesty?.walkForward ?? null;
  return leader === null || walk === null || walk.folds.length === 0 ? null : { run: leader, walk };
}

/**
 * The newest choice of a walk-forward sweep. With several datasets, it is the choice on the dataset
 * whose walk-forward has the highest Sharpe ratio out of sample. In-sample figures do not decide:
 * the best of all training windows is only the luckiest.
 */
export const walkForwardWinner = ({ datasets }: Pick<SweepSheet, 'datasets'>): NewestChoice | null =>
  datasets
    .flatMap((dataset) => findNewestChoice(dataset) ?? [])
    .reduce<NewestChoice | null>(
      (best, one) => (best === null || one.walk.sharpe > best.walk.sharpe ? one : best),
      null,
    );
