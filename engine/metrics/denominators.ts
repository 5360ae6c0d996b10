import type { MetricName } from './metrics.js';

/** What a ratio divides by, told from the other metrics of a run. */
interface Denominator {
  /** The metric with the sign of the numerator. */
  readonly gain: MetricName;
  /** The metric that is 0 with the denominator; without one, the ratio itself is 0 or null only then. */
  readonly risk?: MetricName;
  /** Why there is none, in few words. */
  readonly without: string;
}

/**
 * The ratios whose denominator a run may lack. Their documented value is then 0, or null. In
 * rankings, words and pages they have none: with a gain they are above any number, without one
 * they say nothing.
 *
 * A ratio of returns of bars or days is 0 by its value only where their mean is 0, and then either
 * all are 0 or the account lost (a mean of growth is above its compound). So the total return tells
 * both apart.
 */
const denominators: Partial<Readonly<Record<MetricName, Denominator>>> = {
  sharpe_ratio: { gain: 'total_return', without: 'no deviation' },
  sortino_ratio: { gain: 'total_return', without: 'no loss' },
  calmar_ratio: { gain: 'total_return', risk: 'max_drawdown', without: 'no drawdown' },
  gain_to_pain_ratio: { gain: 'total_return', without: 'no losing day' },
  profit_factor: { gain: 'expectancy', without: 'none lost' },
};

/** Null for a metric that every run has. */
export const ratioDenominator = (name: MetricName): Denominator | null => denominators[name] ?? null;

type Known = Partial<Readonly<Record<MetricName, number | null>>>;

/**
 * The value by which a run is ranked: above any number for a ratio of a gain to no risk, null for a
 * ratio of nothing to no risk.
 * @param metrics of a run that traded, with the metrics that `ratioDenominator` names
 */
export function rankingValue(name: MetricName, metrics: Known): number | null {
  const value = metrics[name] ?? null;
  const denominator = ratioDenominator(name);
  const isZero = (one: number | null | undefined) => (one ?? 0) === 0;
  if (denominator === null || !isZero(value)) return value;
  const { gain, risk } = denominator;
  if (risk !== undefined && !isZero(metrics[risk])) return value;
  const gained = metrics[gain] ?? 0;
  if (gained === 0) return null;
  return gained > 0 ? Number.POSITIVE_INFINITY : value;
}

/** Why a ratio without its denominator has no value, such as `no loss`; null for other metrics. */
export const whyWithout = (name: MetricName): string | null => ratioDenominator(name)?.without ?? null;

/** A metric in words and pages. */
interface Stated {
  /** Null for a ratio without its denominator. */
  readonly value: number | null;
  /** Why there is no value; null where there is one. */
  readonly why: string | null;
  /** Whether it ranks above any number. */
  readonly isAboveAny: boolean;
}

/** @param metrics with `total_trades`, and those that `ratioDenominator` names */
export function stated(name: MetricName, metrics: Known): Stated {
  const value = rankingValue(name, metrics);
  const isAboveAny = value === Number.POSITIVE_INFINITY;
  if (value !== null && !isAboveAny) return { value, why: null, isAboveAny };
  return { value: null, why: metrics.total_trades === 0 ? 'no trade' : whyWithout(name), isAboveAny };
}
