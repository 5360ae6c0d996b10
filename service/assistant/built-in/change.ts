import { findSignal } from '../../../engine/index.js';
import { type PlannedRule, type Role, roles } from '../candidate.js';
import type { Change, Collected, ParameterChange, ParameterName } from '../mind.js';
import type { Language } from './canonical.js';
import { average } from './rules/indicator-words.js';
import { mirroredAll } from './sides.js';

/** What the user wants of the assistant now. */
export type Intent = 'state' | 'correct' | 'ask' | 'agree' | 'decline' | 'compare' | 'rerun' | 'stop';

/** What a question is about. */
export type Topic =
  | 'guarantee'
  | 'advice'
  | 'offered'
  | 'next'
  | 'than_before'
  | 'duration'
  | 'why_no_trades'
  | 'worst'
  | 'best_trade'
  | 'win_loss'
  | 'exposed'
  | 'thanked'
  | 'streak'
  | 'average'
  | 'sides'
  | 'members'
  | 'liquidated'
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
  const {
    dates,
    settings,
    excluded = [],
    parameters,
    windows,
    averages,
    leaves_choice,
    adds,
    restores,
    drops_last,
    ...facts
  } = change;
  const isUnwanted = (rule: PlannedRule) => excluded.some((key) => isOf(rule, key));
  const asFilters = (rules: readonly PlannedRule[]) =>
    rules.map((rule): PlannedRule => ({ ...rule, signal_type: 'FILTER' }));
  const said = change.entry ?? [];
  const last = drops_last === true && before.entry.length > 1 ? before.entry.at(-1) : undefined;
  const isGone = (rule: PlannedRule) => isUnwanted(rule) || rule === last;
  const kept = before.entry.filter((rule) => !isGone(rule));
  const removed = before.entry.filter(isGone);
  const isJoined = adds === true && before.entry.length > 0;
  const plain = isJoined ? [...kept, ...asFilters(said)] : (change.entry ?? kept);
  const joined = restores === true ? [...plain, ...asFilters(before.removed)] : plain;
  // What is left of the rules still begins with one that buys.
  const entry = joined.map((rule, i): PlannedRule => (i === 0 ? { ...rule, signal_type: 'TRIGGER' } : rule));
  const isWanted = (key: string) =>
    ![...said, ...(restores === true ? before.removed : [])].some((rule) => isOf(rule, key));
  const next: Collected = {
    ...before,
    ...facts,
    ...accountAfter(change),
    ...(dates === undefined ? {} : windowAfter(dates)),
    ...withStop(before, change),
    excluded: [...new Set([...before.excluded.filter(isWanted), ...excluded])],
    removed: removed.length > 0 ? removed : restores === true ? [] : before.removed,
    leaves_choice: before.leaves_choice || leaves_choice === true,
    // The rules of another style are not those of this one.
    entry: change.style !== undefined && change.entry === undefined && change.style !== before.style ? [] : entry,
    exit: change.exit ?? before.exit.filter((rule) => !isUnwanted(rule)),
  };
  const plainSides = withSides(next, change);
  const sided =
    averages === undefined
      ? plainSides
      : { ...plainSides, ...eachRole((role) => plainSides[role].map((rule) => withAverage(rule, averages))) };
  if (parameters === undefined && windows === undefined) return sided;
  const rules = withParameters(sided, parameters ?? []);
  return {
    ...sided,
    ...Object.fromEntries(
      roles.map((role) => [role, rules[role].map((rule) => withWindows(rule, windows, role))] as const),
    ),
  };
}

/** A stop that is said ends "no stop", and "no stop" ends what moves one. */
function withStop(before: Collected, { settings = {}, trail }: Change): Pick<Collected, 'settings' | 'trail'> {
  const all = { ...before.settings, ...settings };
  if (settings.stop_order === false) {
    const { break_even_at: _, ...kept } = all;
    return { settings: kept, trail: null };
  }
  const isSaid = 'stop_loss_calculation' in settings || 'break_even_at' in settings || (trail ?? null) !== null;
  const { stop_order, ...stopped } = all;
  return {
    settings: isSaid || stop_order === undefined ? stopped : all,
    trail: trail === undefined ? before.trail : trail,
  };
}

/** Another asset is one alone, and the first of several stands for all. */
function accountAfter({ asset, portfolio }: Change): Partial<Pick<Collected, 'asset' | 'portfolio'>> {
  if (portfolio === undefined) return asset === undefined ? {} : { portfolio: [] };
  const [first] = portfolio;
  if (first === undefined) return { portfolio };
  return { asset: first, portfolio: portfolio.length > 1 ? portfolio : [] };
}

/** The rules of the sides that are traded: those of a side that is given up are gone. */
function withSides(next: Collected, { sides, entry, short_entry }: Change): Collected {
  if (sides === 'long') {
    // Nothing reverses where one side trades.
    const { opposite_entry: _, ...settings } = next.settings;
    return { ...next, settings, short_entry: [], short_exit: [] };
  }
  if (sides === 'short' && entry === undefined) return { ...next, entry: [], exit: [] };
  // "Both sides" of a short buys on what its rules say on the other side.
  const bought = sides === 'both' && next.entry.length === 0 ? mirroredAll(next.short_entry) : null;
  if (bought !== null && bought.length > 0) return { ...next, entry: bought, exit: mirroredAll(next.short_exit) ?? [] };
  // Who buys too after "short BTC" trades both sides.
  if (next.sides === 'short' && entry !== undefined && short_entry === undefined) return { ...next, sides: 'both' };
  if (short_entry === undefined && next.short_entry.length === 0) return next;
  const both = next.entry.length > 0 && next.short_entry.length > 0;
  return { ...next, sides: both ? 'both' : next.short_entry.length > 0 ? (sides ?? 'short') : next.sides };
}

/** The rules of each role. */
type Rules = Pick<Collected, Role>;

/** The rules with other values of parameters, each where it belongs. */
export const withParameters = (before: Rules, changes: readonly ParameterChange[]): Rules =>
  changes.reduce<Rules>((rules, change) => {
    const own = placed(rules, change);
    return eachRole((role) => rules[role].map((rule) => withParameter(rule, own, role)));
  }, before);

const eachRole = (of: (role: Role) => readonly PlannedRule[]): Rules => ({
  entry: of('entry'),
  exit: of('exit'),
  short_entry: of('short_entry'),
  short_exit: of('short_exit'),
});

/** Rules of some roles with none of the others. */
export const rulesOf = (some: Partial<Rules>): Rules => eachRole((role) => some[role] ?? []);

/** How far a value is from the nearest one that it would replace, as a ratio; infinite where there is none. */
export function distanceOf(rules: Partial<Rules>, change: ParameterChange): number {
  const held = roles.flatMap((role) =>
    (rules[role] ?? []).filter((rule) => holds(rule, change, role)).map((rule) => Number(heldValue(rule, change))),
  );
  const ratio = (value: number) =>
    value * change.value > 0 ? Math.abs(Math.log(value / change.value)) : 10 + Math.abs(value - change.value);
  return Math.min(...held.map(ratio));
}

/** Whether a rule has a parameter that a change names. */
export const fits = (rules: Partial<Rules>, change: ParameterChange): boolean =>
  roles.some((role) => (rules[role] ?? []).some((rule) => holds(rule, change, role)));

/**
 * The change of one value. "Threshold 25" of an RSI that buys at 30 and sells at 70 is said of the
 * nearer one, and "period 10" of both, where they have the same.
 */
function placed(rules: Rules, change: ParameterChange): ParameterChange {
  const held = roles.flatMap((role) =>
    rules[role].filter((rule) => holds(rule, change, role)).map((rule) => Number(heldValue(rule, change))),
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

/** Keys of parameters by the word that people have for them. */
const names: Readonly<Record<Exclude<ParameterName, 'number'>, readonly string[]>> = {
  multiplier: ['multiplier', 'window_dev', 'kc_atr_mult'],
  period: ['window', 'period'],
  threshold: ['threshold'],
  fast: ['window_fast'],
  slow: ['window_slow'],
  signal: ['window_sign'],
};

/** Whether a rule is one of an indicator: by its name, or by what its formula has. */
export const isOf = ({ name, params }: PlannedRule, key: string): boolean =>
  `_${name}_`.includes(`_${key}_`) ||
  new RegExp(`(?<![a-z_])(?:${inFormulas[key] ?? key})(?![a-z])`).test(String(params.when ?? ''));

/** What formulas have for the first part of the names of signals. */
const inFormulas: Readonly<Record<string, string>> = {
  bb: 'bollinger',
  kc: 'keltner',
  dc: 'highest|lowest',
  stoch: 'stoch(?!_rsi)',
  stochrsi: 'stoch_rsi',
  ttm_squeeze_fired: 'squeeze',
};

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
  const held = heldValue(rule, { name, was });
  return held !== null && (was === undefined || held === was);
}

/** Side of its threshold on which a rule is true; null where it has none. */
export function sideOf({ name, params }: PlannedRule): 'up' | 'down' | null {
  const words = name === 'formula' ? String(params.when) : name;
  if (/crosses_above|>|_up$|overbought|strong_trend/.test(words)) return 'up';
  return /crosses_below|<|_down$|oversold/.test(words) ? 'down' : null;
}

const FORMULA_PERIOD =
  /(?<=\b(?:rsi|cci|stoch|roc|cmo|mfi|adx|williams_r|ema|dema|tema|sma|wma|vwma|vwap|natr|atr|cmf|hma|trima|highest|lowest|bollinger_upper|bollinger_lower|keltner_upper|keltner_lower)\((?:close, |high, |low, |volume, )?)\d+/g;
const FORMULA_MULTIPLIER =
  /(?<=\b(?:bollinger_(?:upper|lower)\(\d+|keltner_(?:upper|lower)\(\d+, \d+), )\d+(?:\.\d+)?(?=\))/g;
/** A level that a formula compares with, and no period of an average. */
const FORMULA_LEVEL = /(?<=[<>] )-?\d+(?:\.\d+)?$|(?<=^crosses_(?:above|below)\(.*, )-?\d+(?:\.\d+)?(?=\)$)/;

const formulaNumber = (value: number | undefined): RegExp =>
  new RegExp(`(?<![\\w.-])${String(value).replace('.', '\\.')}(?![\\w.])`, 'g');

interface Sought {
  readonly name: ParameterName;
  readonly was?: number | undefined;
}

/** The numbers of a formula that a change is of. */
function inFormula({ name, was }: Sought): RegExp {
  if (name === 'number') return formulaNumber(was);
  if (name === 'multiplier') return FORMULA_MULTIPLIER;
  return name === 'threshold' ? FORMULA_LEVEL : FORMULA_PERIOD;
}

/** The key of the parameter that a change is of; undefined where a rule has none. */
function keyOf({ params }: PlannedRule, { name, was }: Sought): string | undefined {
  return name === 'number'
    ? Object.keys(params).find((each) => params[each] === was)
    : names[name].find((each) => each in params);
}

function heldValue(rule: PlannedRule, change: Sought): number | null {
  const key = keyOf(rule, change);
  if (key !== undefined) return Number(rule.params[key]);
  const isOfTwo = change.name === 'fast' || change.name === 'slow' || change.name === 'signal';
  const found = isOfTwo ? undefined : String(rule.params.when ?? '').match(inFormula(change))?.[0];
  return found === undefined ? null : Number(found);
}

/** The rule with another kind of moving average, as the signal that means it or else as a formula. */
function withAverage(rule: PlannedRule, { from, to }: NonNullable<Change['averages']>): PlannedRule {
  const { name, params } = rule;
  if (name === 'formula') {
    const when = String(params.when).replace(new RegExp(`\\b${from}\\((?:close, )?(\\d+)\\)`, 'g'), (_, n: string) =>
      average(to, Number(n)),
    );
    return { ...rule, params: { ...params, when } };
  }
  if (!`_${name}_`.includes(`_${from}_`)) return rule;
  const signal = findSignal(
    /^(?:price_above_ema|is_above_)/.test(name)
      ? to === 'ema'
        ? 'price_above_ema'
        : `is_above_${to}`
      : name.replace(from, to),
  );
  if (signal !== undefined) return { ...rule, name: signal.name };
  const { window: n, window_fast: fast, window_slow: slow } = params;
  const when =
    n === undefined
      ? `crosses_${name.endsWith('_down') ? 'below' : 'above'}(${average(to, Number(fast))}, ${average(to, Number(slow))})`
      : `close > ${average(to, Number(n))}`;
  return { ...rule, name: 'formula', params: { when } };
}

/** Bands whose signals take a whole width only, as the formulas that take any. */
const asFormulas: Readonly<Record<string, (n: unknown, width: number) => string>> = {
  bb_upper_breakout: (n, width) => `crosses_above(close, bollinger_upper(${n}, ${width}))`,
  bb_lower_breakout: (n, width) => `crosses_below(close, bollinger_lower(${n}, ${width}))`,
  bb_above_upper: (n, width) => `close > bollinger_upper(${n}, ${width})`,
  bb_below_lower: (n, width) => `close < bollinger_lower(${n}, ${width})`,
};

/** The rule with another value of a parameter; the same rule where it has no such parameter. */
export function withParameter(rule: PlannedRule, change: ParameterChange, role: Role): PlannedRule {
  if (!holds(rule, change, role)) return rule;
  const { value } = change;
  const key = keyOf(rule, change);
  const asFormula = asFormulas[rule.name];
  if (key === 'window_dev' && asFormula !== undefined && !Number.isInteger(value))
    return { ...rule, name: 'formula', params: { when: asFormula(rule.params.window, value) } };
  if (key !== undefined) return { ...rule, params: { ...rule.params, [key]: value } };
  const when = rule.params.when;
  if (typeof when !== 'string') return rule;
  // Bounded because a message is read to 4,000 characters, and formulas and money are shorter.
  return { ...rule, params: { ...rule.params, when: when.replace(inFormula(change), String(value)) } };
}
