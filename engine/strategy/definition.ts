import { EngineError, quote, wrongField } from '../errors.js';
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
  readonly entry: readonly Rule[];
  readonly exit: readonly Rule[];
  readonly rewardFactor?: number;
  /** Execution fields saved with the definition, not yet validated. */
  readonly executionConfig?: Readonly<Record<string, unknown>>;
  /** Signals of the author's own that the rules may name; never in a service. */
  readonly own?: readonly Signal[];
}

export interface Rule {
  readonly name: string;
  /** The role that the rule plays; it may differ from the type of the signal it names. */
  readonly signalType: SignalType;
  /** Null means the interval of the run. */
  readonly timeframe: string | null;
  readonly params: Readonly<Record<string, unknown>>;
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
}

/** Refused with a reason of their own; see `refuseAtrFields`. */
const ATR_FIELDS = ['atr_period', 'atr_multiplier'];
const STRATEGY_KEYS = ['name', 'asset', 'entry', 'exit', 'reward_factor', 'execution_config', ...ATR_FIELDS];
const RULE_KEYS = ['name', 'signal_type', 'timeframe', 'params', ...ATR_FIELDS];

/**
 * Reads a definition from parsed JSON.
 * @throws MISSING_FIELD, INVALID_FIELD for a wrong shape or a key that nothing reads;
 *   INVALID_STRATEGY where the rules cannot be composed
 */
export function parseStrategy(
  json: unknown,
  composition: Composition,
  { own = [], onUnknownKeys = refuseUnknownKeys }: Reading = {},
): StrategyDefinition {
  const record = asRecord(json, 'strategy');
  requirePlain(record);
  onUnknownKeys(unknownStrategyKeys(record));
  refuseAtrFields(record, 'strategy');
  const entry = readRules(record, 'entry');
  const exit = record.exit === undefined || record.exit === null ? [] : readRules(record, 'exit');
  checkEntry(entry, composition);
  checkExit(exit, composition);
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
    entry,
    exit,
    ...(typeof rewardFactor === 'number' ? { rewardFactor } : {}),
    ...(config === undefined || config === null ? {} : { executionConfig: asRecord(config, 'execution_config') }),
    ...(own.length === 0 ? {} : { own }),
  };
}

/** The keys that nothing reads, of the strategy and of its rules. */
export function unknownStrategyKeys(strategy: Readonly<Record<string, unknown>>): UnknownKey[] {
  const ofRules = (['entry', 'exit'] as const).flatMap((side) => {
    const rules = strategy[side];
    if (!Array.isArray(rules)) return [];
    return rules.flatMap((rule, i) =>
      typeof rule === 'object' && rule !== null ? unknownKeys(`${side}[${i}]`, rule, RULE_KEYS, true) : [],
    );
  });
  return [...unknownKeys('strategy', strategy, STRATEGY_KEYS), ...ofRules];
}

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
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrongField(field, 'an object', value);
  }
  return value as Record<string, unknown>;
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

function readRules(record: Record<string, unknown>, side: 'entry' | 'exit'): Rule[] {
  const rules = requireField(record, side, side);
  if (!Array.isArray(rules)) throw invalid(side, `must be an array of rules, was ${quote(rules)}`);
  return rules.map((rule, i) => readRule(asRecord(rule, `${side}[${i}]`), `${side}[${i}]`));
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

const countOf = (rules: readonly Rule[], type: SignalType) => rules.filter((rule) => rule.signalType === type).length;

function checkEntry(entry: readonly Rule[], composition: Composition): void {
  const triggers = countOf(entry, 'TRIGGER');
  const filters = countOf(entry, 'FILTER');
  if (triggers !== 1) throw misfit('entry', `entry must have exactly 1 TRIGGER, has ${triggers}`);
  if (composition === 'strict' && filters !== 1) {
    throw misfit('entry', `entry must have exactly 1 FILTER, has ${filters}`);
  }
}

function checkExit(exit: readonly Rule[], composition: Composition): void {
  if (exit.length === 0) return;
  const triggers = countOf(exit, 'TRIGGER');
  const filters = countOf(exit, 'FILTER');
  if (triggers !== 1) throw misfit('exit', `exit must be empty or have exactly 1 TRIGGER, has ${triggers}`);
  if (composition === 'strict' && filters > 1) throw misfit('exit', `exit must have at most 1 FILTER, has ${filters}`);
}
