import type { ClockPart } from '../../indicators/clock.js';
import type { IndicatorFunction } from '../../indicators/functions.js';

/** A number, or the name of a parameter that gives it. */
export type Amount = number | { readonly param: string };

type ArithmeticSign = '+' | '-' | '*' | '/';
export type ComparisonSign = '<' | '<=' | '>' | '>=' | '==' | '!=';

/** A part of a formula that has a number on every bar. */
export type ValueNode =
  | { readonly kind: 'amount'; readonly amount: Amount }
  /** A column of the bars, or beside them. */
  | { readonly kind: 'column'; readonly name: string }
  | {
      readonly kind: 'indicator';
      readonly indicator: IndicatorFunction;
      readonly input: ValueNode | null;
      readonly amounts: readonly Amount[];
      readonly position: number;
    }
  | {
      readonly kind: 'arithmetic';
      readonly sign: ArithmeticSign | 'max' | 'min';
      readonly left: ValueNode;
      readonly right: ValueNode;
    }
  | { readonly kind: 'abs' | 'last'; readonly part: ValueNode }
  | { readonly kind: 'session vwap' }
  /** A part of the close of the bar, in UTC. */
  | { readonly kind: 'clock'; readonly part: ClockPart }
  /** Bars since a condition was true. */
  | { readonly kind: 'since'; readonly condition: ConditionNode }
  /** A value on the bar on which a condition was last true. */
  | { readonly kind: 'when'; readonly condition: ConditionNode; readonly part: ValueNode }
  /** Percent of the values before this one that are at most this one. */
  | { readonly kind: 'rank'; readonly part: ValueNode; readonly bars: Amount }
  | { readonly kind: 'shifted'; readonly part: ValueNode; readonly bars: Amount };

/** A part of a formula that is true or false on every bar. */
export type ConditionNode =
  | {
      readonly kind: 'comparison';
      readonly sign: ComparisonSign;
      readonly left: ValueNode;
      readonly right: ValueNode;
    }
  | { readonly kind: 'crossing'; readonly left: ValueNode; readonly right: ValueNode }
  | { readonly kind: 'both' | 'either'; readonly left: ConditionNode; readonly right: ConditionNode }
  | { readonly kind: 'not'; readonly part: ConditionNode }
  | { readonly kind: 'recently'; readonly part: ConditionNode; readonly bars: Amount }
  | { readonly kind: 'earlier'; readonly part: ConditionNode; readonly bars: Amount };

/** What a parameter of a formula may be, from all the places that name it. */
export interface ParamBounds {
  readonly isWhole: boolean;
  readonly min: number;
  readonly max: number;
}

interface ParsedParams {
  /** By name, with the position of the first use. */
  readonly params: ReadonlyMap<string, ParamBounds & { readonly position: number }>;
}

export interface ParsedFormula extends ParsedParams {
  readonly condition: ConditionNode;
}

/** A formula of a number instead of a condition. */
export interface ParsedValueFormula extends ParsedParams {
  readonly value: ValueNode;
}
