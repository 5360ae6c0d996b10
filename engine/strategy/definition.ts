import { EngineError, isRecord, quote, wrongField } from '../errors.js';
import { tryParseInterval, WEEK_MS } from '../series/intervals.js';
import type { Signal, SignalType } from '../signals/signal.js';
import { refuseUnknownKeys, type UnknownKey, unknownKeys } from '../unknown-keys.js';

/**
 * A strategy as its author wrote it, checked for shape and composition. `planStrategy` checks its
 * signals.
 */
export interface StrategyDefinition {
  readonly name: string;
  /** Null where the definition leaves it to the run. */
  readonly asset: string | null;
  /** Empty where the strategy has a short side only. */
  readonly entry: readonly Rule[];
  readonly exit: readonly Rule[];
  /** The rules of the short side; both are absent where there is none. */
  readonly shortEntry?: readonly Rule[];
  readonly shortExit?: readonly Rule[];
  readonly rewardFactor?: number;
  /** Execution fields saved with the definition, not yet validated. */
  readonly executionConfig?: Readonly<Record<string, unknown>>;
  /** Signals of the author's own that the rules may name; never in a service. */
  readonly own?: readonly Signal[];
  /** Whether a rule runs on weeks and may; never in a service. */
  readonly takesWeeks?: boolean;
}

export interface Rule {
  readonly name: string;
  /** The role that the rule plays; it may differ from the type of the signal it names. */
  readonly signalType: SignalType;
  /** Null means the interval of the run. */
  readonly timeframe: string | null;
  readonly params: Readonly<Record<string, unknown>>;
  /** True where the signal has a value and is false. */
  readonly negate?: true;
  /** True on a bar if it was true on one of the last so many bars of its timeframe. */
  readonly withinBars?: number;
  /** The asset whose bars the rule reads, as its author spells it; absent for the run's asset. */
  readonly asset?: string;
  /** Number of its group where the rules of the side are a choice (`any`), else absent. */
  readonly group?: number;
}

/** The lists of rules: the key in JSON, and the field of a definition and a plan. */
export const ruleLists = [
  ['entry', 'entry'],
  ['exit', 'exit'],
  ['short_entry', 'shortEntry'],
  ['short_exit', 'shortExit'],
] as const;

export type RuleListKey = (typeof ruleLists)[number][0];

export type RuleLists = Pick<StrategyDefinition, (typeof ruleLists)[number][1]>;

/** All rules of a definition, in the order of `ruleLists`. */
export const allRules = (strategy: RuleLists): Rule[] => ruleLists.flatMap(([, field]) => strategy[field] ?? []);

/** The same with the place of each in the JSON, such as `entry[1]` or `short_exit.any[0][2]`. */
export function placedRules(strategy: RuleLists): { readonly rule: Rule; readonly place: string }[] {
  return ruleLists.flatMap(([key, field]) => {
    const counts = new Map<number | undefined, number>();
    return (strategy[field] ?? []).map((rule) => {
      const { group } = rule;
      const i = counts.get(group) ?? 0;
      counts.set(group, i + 1);
      return { rule, place: group === undefined ? `${key}[${i}]` : `${key}.any[${group}][${i}]` };
    });
  });
}

/**
 * How many filters a rule set may have. `strict`, for definitions that are stored: the entry has
 * one TRIGGER and one FILTER; the exit is empty, or has one TRIGGER and at most one FILTER.
 * `relaxed`, for definitions that are only run: any number of filters.
 */
export type Composition = 'strict' | 'relaxed';

interface Reading {
  /** Signals of the author's own that the rules may name. */
  readonly own?: readonly Signal[];
  /** Takes the keys that nothing reads. Default: they are refused. */
  readonly onUnknownKeys?: (unknown: readonly UnknownKey[]) => void;
  /**
   * Whether the caller runs a short side, choices of rules, and rules that are negated, remembered
   * or read on another asset. Default: their keys are unknown.
   */
  readonly takesSides?: boolean;
  /** Whether rules may run on weeks, which the documented timeframes lack. Default: as `takesSides`. */
  readonly takesWeeks?: boolean;
}

/** Refused with a reason of their own; see `refuseAtrFields`. */
const ATR_FIELDS = ['atr_period', 'atr_multiplier'];
const STRATEGY_KEYS = ['name', 'asset', 'entry', 'exit', 'reward_factor', 'execution_config', ...ATR_FIELDS];
const RULE_KEYS = ['name', 'signal_type', 'timeframe', 'params', ...ATR_FIELDS];
/** Every key of a definition, those among them that are refused with a reason of their own. */
export const strategyKeys: readonly string[] = [...STRATEGY_KEYS, 'short_entry', 'short_exit'];
const WITHIN_BARS_MAX = 500;

/** The keys of a rule that `readReach` reads. */
export const reachKeys = ['negate', 'within_bars', 'asset'] as const;
const SIDED_RULE_KEYS = [...RULE_KEYS, ...reachKeys];

export const GROUPS_MAX = 8;

/**
 * Reads a definition from parsed JSON.
 * @throws MISSING_FIELD, INVALID_FIELD for a wrong shape or a key that nothing reads;
 *   INVALID_STRATEGY where the rules cannot be composed
 */
export function parseStrategy(
  json: unknown,
  composition: Composition,
  { own = [], onUnknownKeys = refuseUnknownKeys, takesSides = false, takesWeeks = takesSides }: Reading = {},
): StrategyDefinition {
  const record = asRecord(json, 'strategy');
  requirePlain(record);
  onUnknownKeys(unknownStrategyKeys(record, takesSides));
  refuseAtrFields(record, 'strategy');
  const rules = takesSides ? readSides(record, composition) : readLongSide(record, composition);
  const rewardFactor = record.reward_factor;
  if (
    rewardFactor !== undefined &&
    rewardFactor !== null &&
    !(Number.isFinite(rewardFactor) && Number(rewardFactor) > 0)
  ) {
    throw invalid('reward_factor', `must be a finite number > 0, was ${quote(rewardFactor)}`);
  }
  const config = record.execution_config;
  return {
    name: optionalText(record, 'name') ?? 'strategy',
    asset: optionalText(record, 'asset'),
    ...rules,
    ...(typeof rewardFactor === 'number' ? { rewardFactor } : {}),
    ...(config === undefined || config === null ? {} : { executionConfig: asRecord(config, 'execution_config') }),
    ...(own.length === 0 ? {} : { own }),
    ...(takesWeeks && allRules(rules).some(({ timeframe }) => isWeek(timeframe)) ? { takesWeeks } : {}),
  };
}

const isWeek = (timeframe: string | null): boolean => timeframe !== null && tryParseInterval(timeframe) === WEEK_MS;

/**
 * The keys that nothing reads, of the strategy and of its rules.
 * @param takesSides see `Reading`
 */
export function unknownStrategyKeys(strategy: Readonly<Record<string, unknown>>, takesSides = false): UnknownKey[] {
  const known = takesSides ? SIDED_RULE_KEYS : RULE_KEYS;
  const inRules = ruleLists.flatMap(([key]) => {
    if (!takesSides && !STRATEGY_KEYS.includes(key)) return [];
    return writtenGroups(strategy[key], key, takesSides).flatMap(({ rules, path }) =>
      rules.flatMap((rule, i) =>
        typeof rule === 'object' && rule !== null ? unknownKeys(`${path}[${i}]`, rule, known, true) : [],
      ),
    );
  });
  return [...unknownKeys('strategy', strategy, takesSides ? strategyKeys : STRATEGY_KEYS), ...inRules];
}

/** The lists of rules of a side as written, before any check: one, or one for each group of `any`. */
function writtenGroups(side: unknown, path: string, takesSides: boolean): { rules: unknown[]; path: string }[] {
  if (Array.isArray(side)) return [{ rules: side, path }];
  const groups = takesSides && isChoice(side) ? side.any : null;
  if (!Array.isArray(groups)) return [];
  return groups.flatMap((rules, i) => (Array.isArray(rules) ? [{ rules, path: `${path}.any[${i}]` }] : []));
}

const isChoice = (side: unknown): side is { readonly any: unknown } =>
  typeof side === 'object' && side !== null && Object.hasOwn(side, 'any');

const DEPTH_MAX = 32;

/**
 * Refuses deep nesting, which no definition needs, so that every later walk over it stays within
 * the stack. Also refuses a number that is too large for a double: the record of the run would hold
 * null in its place.
 */
function requirePlain(json: unknown): void {
  let level: unknown[] = [json];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEPTH_MAX) throw invalid('strategy', `must nest at most ${DEPTH_MAX} levels deep`);
    for (const value of level) {
      if (typeof value === 'number' && !Number.isFinite(value)) {
        throw invalid('strategy', `must hold finite numbers, holds ${quote(value)}`);
      }
    }
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
}

const invalid = (field: string, problem: string) => new EngineError('INVALID_FIELD', `${field} ${problem}`, { field });

const misfit = (field: string, message: string) => new EngineError('INVALID_STRATEGY', message, { field });

function asRecord(value: unknown, field: string): Record<string, unknown> {
  if (!isRecord(value)) {
    throw wrongField(field, 'an object', value);
  }
  return value;
}

function optionalText(record: Record<string, unknown>, field: string): string | null {
  const value = Object.hasOwn(record, field) ? record[field] : null;
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' || value.trim() === '') throw invalid(field, `must be a text, was ${quote(value)}`);
  return value;
}

function requireField(record: Record<string, unknown>, key: string, field: string): unknown {
  if (!Object.hasOwn(record, key) || record[key] === undefined) {
    throw new EngineError('MISSING_FIELD', `${field} is required`, { field });
  }
  return record[key];
}

const isGiven = (record: Readonly<Record<string, unknown>>, key: string): boolean =>
  record[key] !== undefined && record[key] !== null;

function readLongSide(record: Record<string, unknown>, composition: Composition) {
  const entry = readRules(requireField(record, 'entry', 'entry'), 'entry');
  const exit = isGiven(record, 'exit') ? readRules(record.exit, 'exit') : [];
  checkEntry('entry', entry, composition);
  checkExit('exit', exit, composition);
  return { entry, exit };
}

/** The rules of both sides; one of them needs an entry. */
function readSides(record: Record<string, unknown>, composition: Composition) {
  const isEmptyList = Array.isArray(record.entry) && record.entry.length === 0;
  const hasShort = isGiven(record, 'short_entry');
  const hasLong = !hasShort || (isGiven(record, 'entry') && !isEmptyList);
  if (hasLong) requireField(record, 'entry', 'entry');
  for (const [entry, exit, isPresent] of [
    ['entry', 'exit', hasLong],
    ['short_entry', 'short_exit', hasShort],
  ] as const) {
    const isEmptyExit = Array.isArray(record[exit]) && record[exit].length === 0;
    if (isPresent || !isGiven(record, exit) || isEmptyExit) continue;
    throw misfit(exit, `${exit} must stand beside ${entry}, which is missing`);
  }
  const entry = hasLong ? readSide(record.entry, 'entry', composition, checkEntry) : [];
  const exit = hasLong && isGiven(record, 'exit') ? readSide(record.exit, 'exit', composition, checkExit) : [];
  if (!hasShort) return { entry, exit };
  const shortEntry = readSide(record.short_entry, 'short_entry', composition, checkEntry);
  const shortExit = isGiven(record, 'short_exit')
    ? readSide(record.short_exit, 'short_exit', composition, checkExit)
    : [];
  return { entry, exit, shortEntry, shortExit };
}

type CheckSide = (field: string, rules: readonly Rule[], composition: Composition, isGroup?: boolean) => void;

/** A list of rules, or `{"any": [list, ...]}`; each list obeys the composition rule. */
function readSide(side: unknown, path: RuleListKey, composition: Composition, check: CheckSide): Rule[] {
  if (!isChoice(side) || Array.isArray(side)) {
    const rules = readRules(side, path, true);
    check(path, rules, composition);
    return rules;
  }
  const { any, ...others } = side;
  const [other] = Object.keys(others);
  if (other !== undefined) throw invalid(path, `must hold any and nothing else, holds ${quote(other)}`);
  if (!Array.isArray(any) || any.length === 0 || any.length > GROUPS_MAX) {
    throw wrongField(`${path}.any`, `1 to ${GROUPS_MAX} lists of rules`, any);
  }
  return any.flatMap((group, i) => {
    const place = `${path}.any[${i}]`;
    const rules = readRules(group, place, true);
    check(place, rules, composition, true);
    return rules.map((rule) => ({ ...rule, group: i }));
  });
}

function readRules(rules: unknown, path: string, takesSides = false): Rule[] {
  if (!Array.isArray(rules)) throw invalid(path, `must be an array of rules, was ${quote(rules)}`);
  return rules.map((rule, i) => {
    const record = asRecord(rule, `${path}[${i}]`);
    return { ...readRule(record, `${path}[${i}]`), ...(takesSides ? readReach(record, `${path}[${i}]`) : {}) };
  });
}

/** Which bars a rule reads, and how: negated, over the last ones, of another asset. */
export type RuleReach = Pick<Rule, 'negate' | 'withinBars' | 'asset'>;

/** @throws INVALID_FIELD */
export function readReach(rule: Readonly<Record<string, unknown>>, path: string): RuleReach {
  const { negate, within_bars: withinBars } = rule;
  if (isGiven(rule, 'negate') && typeof negate !== 'boolean')
    throw wrongField(`${path}.negate`, 'true or false', negate);
  const isWhole = Number.isInteger(withinBars) && Number(withinBars) >= 1 && Number(withinBars) <= WITHIN_BARS_MAX;
  if (isGiven(rule, 'within_bars') && !isWhole) {
    throw wrongField(`${path}.within_bars`, `a whole number 1..${WITHIN_BARS_MAX}`, withinBars);
  }
  const { asset } = rule;
  if (isGiven(rule, 'asset') && (typeof asset !== 'string' || asset.trim() === '')) {
    throw wrongField(`${path}.asset`, 'the name of an asset such as BTC', asset);
  }
  return {
    ...(negate === true ? { negate } : {}),
    ...(isGiven(rule, 'within_bars') && withinBars !== 1 ? { withinBars: Number(withinBars) } : {}),
    ...(typeof asset === 'string' ? { asset } : {}),
  };
}

function readRule(rule: Record<string, unknown>, path: string): Rule {
  refuseAtrFields(rule, path);
  const name = requireField(rule, 'name', `${path}.name`);
  if (typeof name !== 'string' || name === '')
    throw invalid(`${path}.name`, `must be a signal name, was ${quote(name)}`);
  const signalType = requireField(rule, 'signal_type', `${path}.signal_type`);
  if (signalType !== 'TRIGGER' && signalType !== 'FILTER') {
    throw invalid(`${path}.signal_type`, `must be TRIGGER or FILTER, was ${quote(signalType)}`);
  }
  const timeframe = requireField(rule, 'timeframe', `${path}.timeframe`);
  if (timeframe !== null && typeof timeframe !== 'string') {
    throw invalid(`${path}.timeframe`, `must be a text such as 1h, was ${quote(timeframe)}`);
  }
  const params = asRecord(requireField(rule, 'params', `${path}.params`) ?? {}, `${path}.params`);
  refuseAtrFields(params, `${path}.params`);
  return { name, signalType, timeframe, params };
}

/** Stop distances belong to execution, so that one definition can be run with any of them. */
function refuseAtrFields(record: Record<string, unknown>, path: string): void {
  for (const field of ATR_FIELDS) {
    if (Object.hasOwn(record, field)) {
      throw misfit(field, `${field} must not appear in ${path}: it belongs to execution_config`);
    }
  }
}

const countRules = (rules: readonly Rule[], type: SignalType) =>
  rules.filter((rule) => rule.signalType === type).length;

function checkEntry(field: string, entry: readonly Rule[], composition: Composition): void {
  const triggers = countRules(entry, 'TRIGGER');
  const filters = countRules(entry, 'FILTER');
  if (triggers !== 1) throw misfit(field, `${field} must have exactly 1 TRIGGER, has ${triggers}`);
  if (composition === 'strict' && filters !== 1) {
    throw misfit(field, `${field} must have exactly 1 FILTER, has ${filters}`);
  }
}

/** @param isGroup whether the rules are one of several lists, each of which must be able to hold */
function checkExit(field: string, exit: readonly Rule[], composition: Composition, isGroup = false): void {
  if (exit.length === 0 && !isGroup) return;
  const triggers = countRules(exit, 'TRIGGER');
  const filters = countRules(exit, 'FILTER');
  if (triggers !== 1) {
    const bound = isGroup ? 'have exactly 1 TRIGGER' : 'be empty or have exactly 1 TRIGGER';
    throw misfit(field, `${field} must ${bound}, has ${triggers}`);
  }
  if (composition === 'strict' && filters > 1) {
    throw misfit(field, `${field} must have at most 1 FILTER, has ${filters}`);
  }
}
