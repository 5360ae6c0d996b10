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

/** Said of a run with too few trades to lead. */
export const TOO_FEW = ', with too few trades to lead';

interface Ranked {
  readonly values: Float64Array | Float32Array;
  readonly isLowBetter: boolean;
}

/**
 * Compares two runs that have the metric, the better one first: runs that may lead, then the better
 * value, then the earlier run. The query ranks the best runs in the same order.
 * @param isFew by run: 1 for one with too few trades to lead
 */
export const betterFirst =
  ({ values, isLowBetter }: Ranked, isFew: Uint8Array) =>
  (a: number, b: number): number => {
    // biome-ignore-start lint/style/noNonNullAssertion: a and b are indices of runs
    const [few, step] = [isFew[a]! - isFew[b]!, values[a]! - values[b]!];
    // biome-ignore-end lint/style/noNonNullAssertion: a and b are indices of runs
    return few || (isLowBetter ? step : -step) || a - b;
  };

/** Deepest tint of a cell. Text on it keeps a contrast of 4.5 : 1 in both themes. */
const TINT_MAX = 0.7;
const TINT_MIN = 0.06;

/** Tints of the cells of a heat map, shared by the page and its script. */
interface Tints {
  /** The signs that occur among the values. */
  readonly side: 'both' | 'hot' | 'cold';
  /** The values at the two ends of the colour scale. */
  readonly ends: readonly [from: number, to: number];
  /** CSS opacity for a value. */
  of(value: number): string;
  /** CSS position of zero between the ends; meaningful only if both signs occur. */
  readonly zero: string;
}

/**
 * Tints grow from zero outwards if both signs occur, else from the end nearer to zero. Where low
 * values are better, the scale is turned, so that the best value has the deepest blue.
 */
export function tintScale(low: number, high: number, isLowBetter: boolean): Tints {
  const side = low < 0 && high > 0 ? 'both' : high <= 0 ? 'cold' : 'hot';
  const isTurned = isLowBetter && side !== 'both';
  const near = { both: 0, cold: isTurned ? low : high, hot: isTurned ? high : low }[side];
  const far = { both: Math.max(-low, high), cold: isTurned ? high : low, hot: isTurned ? low : high }[side];
  return {
    side,
    ends: isTurned ? [high, low] : [low, high],
    of(value) {
      const strength = far === near ? 1 : Math.abs((value - near) / (far - near));
      return (TINT_MIN + (TINT_MAX - TINT_MIN) * strength).toFixed(3);
    },
    zero: `${((100 * -low) / (high - low)).toFixed(1)}%`,
  };
}
