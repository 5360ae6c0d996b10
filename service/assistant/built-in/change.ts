import type { PlannedRule } from '../candidate.js';
import type { Change, Collected, ParameterChange } from '../mind.js';
import type { Language } from './canonical.js';

/** What the user wants of the assistant now. */
export type Intent = 'state' | 'correct' | 'ask' | 'agree' | 'decline' | 'compare' | 'rerun' | 'stop';

/** What a question is about. */
export type Topic =
  | 'guarantee'
  | 'next'
  | 'why_no_trades'
  | 'worst'
  | 'streak'
  | 'drawdown'
  | 'costs'
  | 'why_lost'
  | 'hold'
  | 'believe'
  | 'won'
  | 'trades'
  | 'money'
  | 'best'
  | 'rules'
  | 'understood'
  | 'improve'
  | 'save'
  | 'lost';

/** One message, as the grammar reads it. */
export interface Reading {
  readonly language: Language;
  readonly change: Change;
  readonly intent: Intent;
  readonly topics: readonly Topic[];
  /** Sentences about wishes that cannot be met; with one, nothing else of the message acts. */
  readonly refused: readonly string[];
  /** Whether the message agrees to runs, or asks for one; a question does neither. */
  readonly consents: boolean;
  /** Whether the user gives up what was refused before. */
  readonly givesUp: boolean;
  /** Whether the user does not know; that is no consent. */
  readonly doubts: boolean;
  /** Parts that look like conditions and were not understood. */
  readonly notUnderstood: readonly string[];
  readonly sentiment: Collected['user_sentiment'];
  readonly level: Collected['user_knowledge_level'];
}

export const isEmpty = (change: Change): boolean => Object.keys(change).length === 0;

/** Whether a message wishes for something, beside what it asks. */
export const isWish = ({ change, intent }: Pick<Reading, 'change' | 'intent'>): boolean =>
  !isEmpty(change) && intent !== 'ask' && intent !== 'compare';

/** What is known after a change. */
export function merged(before: Collected, change: Change): Collected {
  const { dates, settings, excluded, parameters, windows, leaves_choice, adds, ...facts } = change;
  const joined = (change.entry ?? []).map((rule): PlannedRule => ({ ...rule, signal_type: 'FILTER' }));
  const isJoined = adds === true && before.entry.length > 0;
  const entry = isJoined ? [...before.entry, ...joined] : (change.entry ?? before.entry);
  const next: Collected = {
    ...before,
    ...facts,
    ...(dates === undefined ? {} : windowAfter(dates)),
    settings: { ...before.settings, ...settings },
    excluded: [...new Set([...before.excluded, ...(excluded ?? [])])],
    leaves_choice: before.leaves_choice || leaves_choice === true,
    // The rules of another style are not those of this one.
    entry: change.style !== undefined && change.entry === undefined && change.style !== before.style ? [] : entry,
  };
  if (parameters === undefined && windows === undefined) return next;
  const { entry: buys, exit: sells } = withParameters(next, parameters ?? []);
  return {
    ...next,
    entry: buys.map((rule) => withWindows(rule, windows, 'entry')),
    exit: sells.map((rule) => withWindows(rule, windows, 'exit')),
  };
}

/** The rules that buy and those that sell. */
type Rules = Pick<Collected, 'entry' | 'exit'>;

/** The rules with other values of parameters, each where it belongs. */
export function withParameters({ entry, exit }: Rules, changes: readonly ParameterChange[]): Rules {
  return changes.reduce<Rules>(
    (rules, change) => {
      const own = placed(rules, change);
      const corrected = (role: Role) => rules[role].map((rule) => withParameter(rule, own, role));
      return { entry: corrected('entry'), exit: corrected('exit') };
    },
    { entry, exit },
  );
}

/** Whether a rule has a parameter that a change names. */
export const fits = (rules: Rules, change: ParameterChange): boolean =>
  (['entry', 'exit'] as const).some((role) => rules[role].some((rule) => holds(rule, change, role)));

/**
 * The change of one value. "Threshold 25" of an RSI that buys at 30 and sells at 70 is said of the
 * nearer one, and "period 10" of both, where they have the same.
 */
function placed(rules: Rules, change: ParameterChange): ParameterChange {
  const held = (['entry', 'exit'] as const).flatMap((role) =>
    rules[role].filter((rule) => holds(rule, change, role)).map((rule) => Number(heldValue(rule, change.name))),
  );
  const [first] = held;
  if (first === undefined || held.every((value) => value === first)) return change;
  const off = (value: number) => Math.abs(value - change.value);
  return { ...change, was: held.reduce((nearest, value) => (off(value) < off(nearest) ? value : nearest)) };
}

function windowAfter(dates: NonNullable<Change['dates']>) {
  const isWhole = dates.lookback_months !== undefined || dates.start_date !== undefined;
  if (!isWhole) return { end_date: dates.end_date ?? null };
  return {
    start_date: dates.start_date ?? null,
    end_date: dates.end_date ?? null,
    lookback_months: dates.lookback_months ?? null,
  };
}

const names: Readonly<Record<ParameterChange['name'], readonly string[]>> = {
  multiplier: ['multiplier', 'window_dev'],
  period: ['window', 'period'],
  threshold: ['threshold'],
};

type Role = 'entry' | 'exit';

/** Whether a rule is one of an indicator: by its name, or by what its formula has. */
export const isOf = ({ name, params }: PlannedRule, key: string): boolean =>
  name.split('_').includes(key) || new RegExp(`\\b${key}\\b`).test(String(params.when ?? ''));

/** The rule with other periods, where it has a fast and a slow one. */
function withWindows(rule: PlannedRule, windows: Change['windows'], role: Role): PlannedRule {
  if (windows === undefined || (windows.role ?? role) !== role || !('window_fast' in rule.params)) return rule;
  const { fast, slow, sign } = windows;
  const signal = sign === undefined || !('window_sign' in rule.params) ? {} : { window_sign: sign };
  return { ...rule, params: { ...rule.params, window_fast: fast, window_slow: slow, ...signal } };
}

/** Whether a change is of this rule, and the rule has its parameter. */
function holds(rule: PlannedRule, { name, role, of, was, side }: ParameterChange, own: Role): boolean {
  if ((role ?? own) !== own || (of !== undefined && !isOf(rule, of))) return false;
  if (side !== undefined && sideOf(rule) !== side) return false;
  const held = heldValue(rule, name);
  return held !== null && (was === undefined || held === was);
}

/** Side of its threshold on which a rule is true; null where it has none. */
function sideOf({ name, params }: PlannedRule): 'up' | 'down' | null {
  const words = name === 'formula' ? String(params.when) : name;
  if (/crosses_above|>|_up$|overbought|strong_trend/.test(words)) return 'up';
  return /crosses_below|<|_down$|oversold/.test(words) ? 'down' : null;
}

const FORMULA_PERIOD =
  /(?<=\b(?:rsi|cci|stoch|roc|cmo|mfi|adx|williams_r|ema|dema|tema|sma|wma|vwma|hma|trima|highest|lowest|bollinger_upper|bollinger_lower|keltner_upper|keltner_lower)\((?:close, |high, |low, |volume, )?)\d+/g;
const FORMULA_MULTIPLIER =
  /(?<=\b(?:bollinger_(?:upper|lower)\(\d+|keltner_(?:upper|lower)\(\d+, \d+), )\d+(?:\.\d+)?(?=\))/g;
/** A level that a formula compares with, and no period of an average. */
const FORMULA_LEVEL = /(?<=[<>] )-?\d+(?:\.\d+)?$|(?<=^crosses_(?:above|below)\(.*, )-?\d+(?:\.\d+)?(?=\)$)/;

const inFormula: Readonly<Record<ParameterChange['name'], RegExp>> = {
  multiplier: FORMULA_MULTIPLIER,
  period: FORMULA_PERIOD,
  threshold: FORMULA_LEVEL,
};

function heldValue({ params }: PlannedRule, name: ParameterChange['name']): number | null {
  const key = names[name].find((each) => each in params);
  if (key !== undefined) return Number(params[key]);
  const found = String(params.when ?? '').match(inFormula[name])?.[0];
  return found === undefined ? null : Number(found);
}

/** The rule with another value of a parameter; the same rule where it has no such parameter. */
function withParameter(rule: PlannedRule, change: ParameterChange, role: Role): PlannedRule {
  if (!holds(rule, change, role)) return rule;
  const { name, value } = change;
  const key = names[name].find((each) => each in rule.params);
  if (key !== undefined) return { ...rule, params: { ...rule.params, [key]: value } };
  const when = rule.params.when;
  if (typeof when !== 'string') return rule;
  // Bounded because a message is read to 4,000 characters, and formulas and money are shorter.
  return { ...rule, params: { ...rule.params, when: when.replace(inFormula[name], String(value)) } };
}
