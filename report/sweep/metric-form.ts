import { amount, count, money, percent } from '../format.js';

/** How the page and its script format a metric. */
export type MetricKind = 'percent' | 'ratio' | 'amount' | 'count';

const forms: Readonly<Record<MetricKind, (value: number) => string>> = {
  percent: (value) => percent(value, 1),
  ratio: (value) => amount(value),
  amount: (value) => money(value),
  count,
};

/** Text of a metric; a dash for NaN and infinities. */
export const metricForm = (value: number, kind: MetricKind): string => forms[kind](value);
