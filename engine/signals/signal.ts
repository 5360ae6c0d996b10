import type { IndicatorName } from '../indicators/catalogue.js';
import type { SourceName } from '../indicators/column.js';
import type { Constraint, ParamSpecs, ParamValues, ValuesOf } from '../indicators/params.js';
import { isColumnName, type OnchainColumn } from '../series/bars.js';
import type { Condition } from './condition.js';
import type { published } from './generated/published.js';

export type SignalType = 'TRIGGER' | 'FILTER';
export type SignalCategory = 'momentum' | 'trend' | 'volume' | 'volatility' | 'patterns' | 'onchain' | 'user';
type RequiredColumn = 'Open' | 'High' | 'Low' | 'Close' | 'Volume' | OnchainColumn;

/**
 * One signal of the library: validation, listing, documentation, evaluation, tests and benches all
 * read this record.
 */
export interface Signal {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly category: SignalCategory;
  readonly subcategory?: 'chain' | 'defi';
  /** TRIGGER: an event, true on the bar where it happens. FILTER: a state, true while it lasts. */
  readonly type: SignalType;
  readonly family: 'mean_reversion' | 'momentum' | 'trend_following' | 'volatility' | 'breakout' | 'none';
  readonly bias: 'bullish' | 'bearish' | 'neutral' | 'by_direction';
  /** Columns that the condition reads, without one that a parameter names. */
  readonly requires: readonly RequiredColumn[];
  readonly params: ParamSpecs;
  readonly constraints: readonly Constraint[];
  readonly indicators: readonly IndicatorName[];
  readonly description: string;
  /** Truth condition at bar t in the notation of the indicator catalogue. */
  readonly definition: string;
  /** Bars (or observations, of a column beside them) needed before the answer can be true. */
  readonly minBars: (params: ParamValues) => number;
  /**
   * Least history that the answer needs, in ms of wall-clock time; for signals that read buckets
   * longer than a bar.
   */
  readonly historyMs?: (params: ParamValues) => number;
  readonly needsTimestamps: boolean;
  /**
   * Set where the condition runs over the observations of one column beside the bars: its name, or
   * the parameter that names it.
   */
  readonly observes?: OnchainColumn | { readonly param: string };
  /** Set where parameters follow from others, as a formula's parameters from its text. */
  readonly paramsFor?: (given: Readonly<Record<string, unknown>>) => ParamSpecs;
  /** Columns that the condition reads bar by bar, where a parameter decides which. */
  readonly sources?: (params: ParamValues) => readonly SourceName[];
  /**
   * The same condition in the formula language, for a setting in common use that the documented
   * bounds refuse: the refusal offers it.
   */
  readonly asFormula?: (params: ParamValues) => string;
  /** Whether it is meant for both roles. */
  readonly fitsAnyRole?: boolean;
  readonly condition: (params: ParamValues) => Condition;
}

/** The column whose observations the signal reads, or undefined where it reads bars. */
export const observedColumn = ({ observes }: Signal, params: ParamValues): string | undefined =>
  typeof observes === 'object' ? String(params[observes.param]) : observes;

/**
 * The columns beside the bars that the signal reads.
 * @param params complete
 */
export function columnsBeside(signal: Signal, params: ParamValues): readonly string[] {
  const observed = observedColumn(signal, params);
  return observed === undefined ? (signal.sources?.(params) ?? []).filter(isColumnName) : [observed];
}

/** What a published record does not say, as functions of its parameters. */
type Rule<P> =
  | ((params: P) => Condition)
  | {
      readonly condition: (params: P) => Condition;
      readonly historyMs?: (params: P) => number;
      readonly asFormula?: (params: P) => string;
    };

/** A rule for each published record, but for the formula, whose parameters follow from its text. */
export type Rules = {
  readonly [Name in Exclude<keyof typeof published, 'formula'>]: Rule<ValuesOf<(typeof published)[Name]['params']>>;
};

export function publishedSignal(record: (typeof published)[keyof Rules], rule: Rules[keyof Rules]): Signal {
  const functions = typeof rule === 'function' ? { condition: rule } : rule;
  // The functions see their parameters by name and type, which narrows to the general view.
  return Object.freeze({ ...record, ...functions }) as Signal;
}

type Definition<P extends ParamSpecs> = Omit<
  Signal,
  'params' | 'minBars' | 'condition' | 'aliases' | 'constraints' | 'needsTimestamps'
> & {
  readonly params: P;
  readonly minBars: (params: ValuesOf<P>) => number;
  readonly condition: (params: ValuesOf<P>) => Condition;
};

/** Completes the record of a signal that is not published; its functions see typed parameters. */
export function defineSignal<const P extends ParamSpecs>(definition: Definition<P>): Signal {
  const record = { aliases: [], constraints: [], needsTimestamps: false, ...definition };
  return Object.freeze(record) as Signal;
}
