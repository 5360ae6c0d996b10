import { at, type Series } from './indicators.js';

/** A boolean, and the relative change of the compared values that would flip it. */
export interface Truth {
  readonly value: boolean;
  readonly margin: number;
}

export interface ReferenceBars {
  /** Open times, epoch milliseconds. */
  time: number[];
  open: number[];
  high: number[];
  low: number[];
  close: number[];
  volume: number[];
  /** All columns beside the bars. NaN is a missing cell; an absent key is an absent column. */
  onchain: Record<string, number[]>;
}

export type Params = Record<string, unknown>;
export type Rule = (t: number) => Truth;

export interface SignalDefinition {
  readonly minBars: (params: Params) => number;
  /** The answer of the rule at t; called only for bars past `minBars`. */
  readonly rule: (bars: ReferenceBars, params: Params) => Rule;
  /** At t, the length of what `minBars` counts, where that is not t + 1. */
  readonly counted?: (bars: ReferenceBars, params: Params) => (t: number) => number;
}

export type SignalTable = Record<string, SignalDefinition>;

export interface Closeness {
  /**
   * Size of the values whose cancellation produced the compared ones; rounding noise is relative to
   * it.
   */
  readonly scale?: number;
  /**
   * Equal values are equal for every way to compute them (copies of raw cells, fixed algebraic
   * forms).
   */
  readonly tieIsExact?: boolean;
}

export const relativeDifference = (a: number, b: number, { scale = 0, tieIsExact = false }: Closeness = {}): number => {
  if (a === b && (tieIsExact || (a === 0 && scale === 0))) return Infinity;
  const difference = Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b), scale, 1e-300);
  // NaN: an undefined value or two infinities, neither of which rounding can change.
  return Number.isNaN(difference) ? Infinity : difference;
};

const compared = (value: boolean, a: number, b: number, how?: Closeness): Truth => ({
  value,
  margin: relativeDifference(a, b, how),
});

// A comparison with NaN is false in all four.
export const gt = (a: number, b: number, how?: Closeness): Truth => compared(a > b, a, b, how);
export const ge = (a: number, b: number, how?: Closeness): Truth => compared(a >= b, a, b, how);
export const lt = (a: number, b: number, how?: Closeness): Truth => compared(a < b, a, b, how);
export const le = (a: number, b: number, how?: Closeness): Truth => compared(a <= b, a, b, how);

/** A test of raw cells: no arithmetic, no margin. */
export const raw = (value: boolean): Truth => ({ value, margin: Infinity });

export const never: Truth = raw(false);

/**
 * If true, every part must hold, so the smallest margin counts. If false, one false part suffices,
 * so the firmest one counts.
 */
export const and = (...parts: Truth[]): Truth => {
  const failed = parts.filter((part) => !part.value);
  return failed.length === 0
    ? { value: true, margin: Math.min(...parts.map((part) => part.margin)) }
    : { value: false, margin: Math.max(...failed.map((part) => part.margin)) };
};

export const not = (part: Truth): Truth => ({ value: !part.value, margin: part.margin });

export const or = (...parts: Truth[]): Truth => not(and(...parts.map(not)));

/** For answers that also depend on decisions inside an indicator. */
export const withMargin = (part: Truth, margin: number): Truth => ({
  value: part.value,
  margin: Math.min(part.margin, margin),
});

type Level = Series | number;
type ClosenessAt = (t: number) => Closeness;

const level = (x: Level, t: number): number => (typeof x === 'number' ? x : at(x, t));

/** The general crossing forms of section 2. */
export const crossUp = (a: Level, b: Level, how?: ClosenessAt): Rule => {
  return (t) => and(le(level(a, t - 1), level(b, t - 1), how?.(t - 1)), gt(level(a, t), level(b, t), how?.(t)));
};

export const crossDown = (a: Level, b: Level, how?: ClosenessAt): Rule => {
  return (t) => and(ge(level(a, t - 1), level(b, t - 1), how?.(t - 1)), lt(level(a, t), level(b, t), how?.(t)));
};

export const above = (a: Level, b: Level, how?: ClosenessAt): Rule => {
  return (t) => gt(level(a, t), level(b, t), how?.(t));
};

export const below = (a: Level, b: Level, how?: ClosenessAt): Rule => {
  return (t) => lt(level(a, t), level(b, t), how?.(t));
};

export const atLeast = (a: Level, b: Level, how?: ClosenessAt): Rule => {
  return (t) => ge(level(a, t), level(b, t), how?.(t));
};

export const atMost = (a: Level, b: Level, how?: ClosenessAt): Rule => {
  return (t) => le(level(a, t), level(b, t), how?.(t));
};

export const scaledBy = (scale: Level): ClosenessAt => {
  return (t) => ({ scale: Math.abs(level(scale, t)) });
};

export const number = (params: Params, key: string): number => {
  const value = params[key];
  if (typeof value !== 'number') throw new TypeError(`${key} is not a number`);
  return value;
};

export type Direction = 'bullish' | 'bearish' | 'other';

export const direction = (params: Params): Direction => {
  const text = typeof params.direction === 'string' ? params.direction.toLowerCase() : '';
  return text === 'bullish' || text === 'bearish' ? text : 'other';
};

export const byDirection = (chosen: Direction, bullish: Rule, bearish: Rule): Rule =>
  chosen === 'bullish' ? bullish : chosen === 'bearish' ? bearish : () => never;
