import type { Column } from '../indicators/column.js';

/**
 * The condition of a signal on a bar, as data. A comparison with NaN on either side is false,
 * whichever way it is written, so it is false while either side is warming up.
 */
export type Condition =
  | { readonly kind: 'compare'; readonly left: Operand; readonly right: Operand; readonly isStrict: boolean }
  /** left was at or below right on the bar before and is above it now. */
  | { readonly kind: 'cross'; readonly left: Operand; readonly right: Operand }
  | { readonly kind: 'all' | 'any'; readonly parts: readonly Condition[] }
  /** Every value of `defined` is a number, and no part holds. */
  | { readonly kind: 'none'; readonly defined: readonly Operand[]; readonly parts: readonly Condition[] }
  /** True on one of the last `bars` bars, this one included; bars before the first do not count. */
  | { readonly kind: 'recent'; readonly bars: number; readonly part: Condition };

/** A constant, or `scale` times a column read `lag` bars back. */
export type Operand = number | { readonly column: Column; readonly lag: number; readonly scale: number };

/** Argument of the builders; a bare column means its value at this bar. */
type Value = Operand | Column;

const operand = (value: Value): Operand =>
  typeof value === 'number' || 'column' in value ? value : { column: value, lag: 0, scale: 1 };

/** The value of a column `bars` bars earlier. */
export const ago = (column: Column, bars: number): Operand => ({ column, lag: bars, scale: 1 });

/** A column times a constant, optionally read some bars earlier. */
export const times = (scale: number, column: Column, lag = 0): Operand => ({ column, lag, scale });

const compare = (left: Value, right: Value, isStrict: boolean): Condition => ({
  kind: 'compare',
  left: operand(left),
  right: operand(right),
  isStrict,
});

export const above = (left: Value, right: Value): Condition => compare(left, right, true);
export const below = (left: Value, right: Value): Condition => compare(right, left, true);
export const atLeast = (left: Value, right: Value): Condition => compare(left, right, false);
export const atMost = (left: Value, right: Value): Condition => compare(right, left, false);

/** a[t-1] <= b[t-1] and a[t] > b[t]: touching does not fire, leaving an exact tie does. */
export const crossesAbove = (a: Value, b: Value): Condition => ({ kind: 'cross', left: operand(a), right: operand(b) });
/** a[t-1] >= b[t-1] and a[t] < b[t]. */
export const crossesBelow = (a: Value, b: Value): Condition => ({ kind: 'cross', left: operand(b), right: operand(a) });

export const all = (...parts: Condition[]): Condition => ({ kind: 'all', parts });
export const any = (...parts: Condition[]): Condition => ({ kind: 'any', parts });
const never: Condition = any();

/** True where every value of `defined` is a number and no part holds. */
export const noneOf = (defined: readonly Value[], ...parts: Condition[]): Condition => ({
  kind: 'none',
  defined: defined.map(operand),
  parts,
});

export const recently = (bars: number, part: Condition): Condition => ({ kind: 'recent', bars, part });

/**
 * The same condition as it stood `bars` bars earlier. Its values are undefined on the first `bars`
 * bars.
 */
export function earlier(bars: number, condition: Condition): Condition {
  const shift = (value: Operand): Operand => (typeof value === 'number' ? value : { ...value, lag: value.lag + bars });
  switch (condition.kind) {
    case 'compare':
    case 'cross':
      return { ...condition, left: shift(condition.left), right: shift(condition.right) };
    case 'all':
    case 'any':
      return { kind: condition.kind, parts: condition.parts.map((part) => earlier(bars, part)) };
    case 'none': {
      const parts = condition.parts.map((part) => earlier(bars, part));
      return { kind: condition.kind, defined: condition.defined.map(shift), parts };
    }
    case 'recent':
      return { ...condition, part: earlier(bars, condition.part) };
  }
}

/** True where the condition is not, whether or not its values are numbers. */
const complement = (condition: Condition): Condition => noneOf([], condition);

/** Of a condition over the last bars: where it counts as defined, given where its part does. */
type DefinedWindow = (bars: number, part: Condition) => Condition;
const everyBar: DefinedWindow = (bars, part) => complement(recently(bars, complement(part)));

/** True where every value that the condition reads is a number. */
function isDefined(condition: Condition, window: DefinedWindow = everyBar): Condition {
  const inside = (part: Condition): Condition => isDefined(part, window);
  switch (condition.kind) {
    case 'compare':
      return all(atLeast(condition.left, condition.left), atLeast(condition.right, condition.right));
    case 'cross': {
      const now = inside({ ...condition, kind: 'compare', isStrict: true });
      return all(now, earlier(1, now));
    }
    case 'all':
    case 'any':
      return all(...condition.parts.map(inside));
    case 'none':
      return all(...condition.defined.map((value) => atLeast(value, value)), ...condition.parts.map(inside));
    case 'recent':
      return window(condition.bars, inside(condition.part));
  }
}

/** True where every value that the condition reads is a number, and the condition is not true. */
export const negated = (condition: Condition): Condition => all(isDefined(condition), complement(condition));

/**
 * True where the condition is false only because a value that it reads is undefined. Conditions
 * over the last bars skip undefined bars, so there one bar with values is enough.
 */
export const undefinedFor = (condition: Condition): Condition =>
  complement(any(condition, isDefined(condition, recently)));

/** True on every bar. */
export const always: Condition = all();

/**
 * The branch that a direction parameter names, ignoring case; any other direction is false on every
 * bar.
 */
export function byDirection(direction: string, branches: { bullish: Condition; bearish: Condition }): Condition {
  const name = String(direction).toLowerCase();
  return name === 'bullish' || name === 'bearish' ? branches[name] : never;
}

/** The columns that a condition reads, each once. */
export function columnsOfCondition(condition: Condition): Column[] {
  const found = new Map<string, Column>();
  const add = (value: Operand) => {
    if (typeof value !== 'number') found.set(value.column.key, value.column);
  };
  const visit = (part: Condition): void => {
    switch (part.kind) {
      case 'compare':
      case 'cross':
        add(part.left);
        add(part.right);
        break;
      case 'recent':
        visit(part.part);
        break;
      case 'none':
        part.defined.forEach(add);
        part.parts.forEach(visit);
        break;
      default:
        part.parts.forEach(visit);
    }
  };
  visit(condition);
  return [...found.values()];
}
