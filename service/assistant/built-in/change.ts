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
  const { dates, settings, excluded, parameter, windows, leaves_choice, adds, ...facts } = change;
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
  if (parameter === undefined && windows === undefined) return next;
  const corrected = (role: 'entry' | 'exit') =>
    next[role].map((rule) => withWindows(withParameter(rule, parameter, role), windows, role));
  return { ...next, entry: corrected('entry'), exit: corrected('exit') };
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

const names: Readonly<Record<NonNullable<Change['parameter']>['name'], readonly string[]>> = {
  multiplier: ['multiplier', 'window_dev'],
  period: ['window', 'period'],
  threshold: ['threshold'],
};

type Role = 'entry' | 'exit';

/** Whether a rule is one of an indicator: by its name, or by what its formula has. */
const isOf = ({ name, params }: PlannedRule, key: string): boolean =>
  name.split('_').includes(key) || new RegExp(`\\b${key}\\b`).test(String(params.when ?? ''));

/** The rule with other periods, where it has a fast and a slow one. */
function withWindows(rule: PlannedRule, windows: Change['windows'], role: Role): PlannedRule {
  if (windows === undefined || (windows.role ?? role) !== role || !('window_fast' in rule.params)) return rule;
  return { ...rule, params: { ...rule.params, window_fast: windows.fast, window_slow: windows.slow } };
}

function applies(rule: PlannedRule, { name, role, of, was }: ParameterChange, own: Role): boolean {
  if ((role ?? own) !== own || (of !== undefined && !isOf(rule, of))) return false;
  return was === undefined || heldValue(rule, name) === was;
}

const FORMULA_PERIOD = /(?<=\b(?:rsi|cci|stoch|roc|cmo|mfi|adx|williams_r)\((?:close, )?)\d+/g;
/** A level that a formula compares with, and no period of an average. */
const FORMULA_LEVEL = /(?<=[<>] )-?\d+(?:\.\d+)?$|(?<=^crosses_(?:above|below)\(.*, )-?\d+(?:\.\d+)?(?=\)$)/;

function heldValue({ params }: PlannedRule, name: ParameterChange['name']): number | null {
  const key = names[name].find((each) => each in params);
  if (key !== undefined) return Number(params[key]);
  if (name === 'multiplier') return null;
  const when = String(params.when ?? '');
  const found = name === 'period' ? when.match(FORMULA_PERIOD)?.[0] : FORMULA_LEVEL.exec(when)?.[0];
  return found === undefined ? null : Number(found);
}

/** The rule with another value of a parameter; the same rule where it has no such parameter. */
export function withParameter(rule: PlannedRule, change: ParameterChange | undefined, role: Role): PlannedRule {
  if (change === undefined || !applies(rule, change, role)) return rule;
  const { name, value } = change;
  const key = names[name].find((each) => each in rule.params);
  if (key !== undefined) return { ...rule, params: { ...rule.params, [key]: value } };
  const when = rule.params.when;
  if (typeof when !== 'string' || name === 'multiplier') return rule;
  // Bounded because a message is read to 4,000 characters, and formulas and money are shorter.
  const changed =
    name === 'period' ? when.replace(FORMULA_PERIOD, String(value)) : when.replace(FORMULA_LEVEL, String(value));
  return { ...rule, params: { ...rule.params, when: changed } };
}
