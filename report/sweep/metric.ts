import { type MetricName, metricTable } from '../../engine/index.js';
import { amount, count, NONE, percent } from '../format.js';

/** How the script and the page write a metric. */
export type MetricKind = 'percent' | 'ratio' | 'amount' | 'count';

const units: Readonly<Record<string, { readonly unit: string }>> = metricTable;

export function metricKind(name: MetricName): MetricKind {
  const unit = units[name]?.unit;
  if (unit === 'fraction') return 'percent';
  if (unit === 'ratio') return 'ratio';
  return unit === 'amount' ? 'amount' : 'count';
}

/** The same forms as `formOf` in the script of the page. */
export function metricText(name: MetricName, value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NONE;
  const kind = metricKind(name);
  if (kind === 'percent') return percent(value, 1);
  return kind === 'count' ? count(value) : amount(value);
}

/** Names of people keep their capital inside a sentence. */
const named = /^(Sharpe|Sortino|Calmar|IRR)/;

/** `max_drawdown` inside a sentence. */
export const metricWords = (label: string): string =>
  named.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
