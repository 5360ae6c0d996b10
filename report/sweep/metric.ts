import { betterSide, type MetricName, metricTable, whyWithout } from '../../engine/metrics/index.js';
import { NONE } from '../format.js';
import { type MetricKind, metricForm } from './metric-form.js';
import type { SheetRun } from './sheet.js';

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
