import { normaliseAsset } from '../../data/bars/index.js';
import { isRecord } from '../../engine/errors.js';
import {
  type ExecutionConfig,
  fieldOf,
  idleSettingWarnings,
  isSettingName,
  resolveConfig,
  settingNames,
} from '../../engine/execution/index.js';
import { apiTimeframes, parseInterval, parseIsoTime, tryParseInterval } from '../../engine/series/index.js';
import {
  allRules,
  parseStrategy,
  placedRules,
  type Rule,
  type StrategyDefinition,
  unknownStrategyKeys,
} from '../../engine/strategy/index.js';
import { ApiError, wrongValue } from '../api-error.js';
import { isPlainStrategy } from '../further-bars.js';
import { nameUnknownKeys, passUnknownKeys } from '../read-fields.js';
import { unknownSettingWarnings } from '../setting-warnings.js';
import { pairKey } from './market.js';
import type { ExecutionState, StoredStrategy } from './stored.js';

/** A strategy with everything that an evaluation needs. */
export interface Evaluable {
  /** Null for a definition that is not saved. */
  readonly strategyId: string | null;
  readonly name: string | null;
  /** As the strategy spells it. */
  readonly asset: string;
  readonly baseAsset: string;
  readonly definition: StrategyDefinition;
  readonly config: ExecutionConfig;
  /** Warnings about the settings. */
  readonly warnings: readonly string[];
  /** The timeframe of the first entry rule. */
  readonly intervalMs: number;
  /** Pairs of asset and timeframe of all rules, refused ones included. */
  readonly pairs: ReadonlySet<string>;
  /** Whether its account has sides, margin, working orders, moving levels or guards. */
  readonly isPlain: boolean;
}

/** @throws VALIDATION_ERROR for an archived strategy and for rules or settings that cannot run */
export function savedEvaluable(strategy: StoredStrategy): Evaluable {
  if (strategy.status === 'archived') {
    throw new ApiError('VALIDATION_ERROR', `strategy ${strategy.id} is archived and cannot be evaluated`);
  }
  const { id, name, asset } = strategy;
  const { cash_balance } = strategy.lane.execution_state;
  // The owner may have set an unusable balance.
  readNumber(cash_balance, 'execution_state.cash_balance', {});
  const rules = readRecord(strategy.rules, 'rules');
  const unread: string[] = [];
  nameUnknownKeys(unread)(unknownStrategyKeys(rules, true));
  const definition = parseStrategy(toDefinition(rules, name), 'relaxed', {
    onUnknownKeys: () => {},
    takesSides: true,
    takesWeeks: false,
  });
  const intervalMs = primaryTimeframe(definition);
  const { config, warnings } = resolveConfig({
    saved: knownSettings(strategy.execution_config),
    strategyRewardFactor: definition.rewardFactor,
    interval: intervalMs,
    takesPositionFields: true,
  });
  return {
    strategyId: id,
    name,
    asset,
    ...common(asset, definition, config, intervalMs),
    config,
    warnings: [...unread, ...warnings, ...idleSettingWarnings(config, definition.shortEntry !== undefined)],
    intervalMs,
  };
}

export interface InlineStrategy extends Evaluable {
  readonly state: ExecutionState;
  /** As sent; undefined unless the caller keeps the positions. */
  readonly openPositions: unknown;
}

/**
 * A definition as callers write it: rules under `rules`, or `entry` and `exit` at the top level.
 * Unknown keys are named in the warnings.
 * @throws MISSING_FIELD without asset or rules, VALIDATION_ERROR
 */
export function inlineStrategy(json: unknown, field: string): InlineStrategy {
  const record = readRecord(json, field);
  const nested = own(record, 'rules');
  const rules = nested === undefined ? record : readRecord(nested, `${field}.rules`);
  const missing = own(record, 'asset') === undefined ? [`${field}.asset`] : [];
  if (own(rules, 'entry') === undefined && own(rules, 'short_entry') === undefined)
    missing.push(nested === undefined ? `${field}.rules` : `${field}.rules.entry`);
  if (missing.length > 0) {
    throw new ApiError('MISSING_FIELD', `Missing required fields: ${missing.join(', ')}`, { fields: missing });
  }
  const asset = required(readText(own(record, 'asset'), `${field}.asset`), `${field}.asset`);
  const name = readText(own(record, 'name') ?? own(rules, 'name'), `${field}.name`) ?? null;
  const written = { ...toDefinition(rules, name), ...atrFields(record) };
  if (own(written, 'reward_factor') === undefined)
    Object.assign(written, { reward_factor: own(record, 'reward_factor') });
  const unread: string[] = [];
  const definition = parseStrategy(written, 'relaxed', {
    onUnknownKeys: passUnknownKeys(unread),
    takesSides: true,
    takesWeeks: false,
  });
  const intervalMs = primaryTimeframe(definition);
  const settings = own(record, 'execution_config');
  const { config, warnings } = resolveConfig({
    request: knownSettings(settings),
    riskFields: { position_size_calc: own(record, 'position_size_calc') },
    strategyRewardFactor: definition.rewardFactor,
    interval: intervalMs,
    takesPositionFields: true,
  });
  const state = readState(own(record, 'execution_state'), `${field}.execution_state`, config.initial_balance);
  return {
    strategyId: null,
    name,
    asset,
    ...common(asset, definition, config, intervalMs),
    config,
    warnings: [
      ...unread,
      ...unknownSettingWarnings(withoutTimeframe(settings)),
      ...warnings,
      ...idleSettingWarnings(config, definition.shortEntry !== undefined),
    ],
    intervalMs,
    state,
    openPositions: own(record, 'open_positions'),
  };
}

/** The rules, and the fields that are not allowed among them, so that the engine refuses those. */
function toDefinition(rules: Json, name: string | null): Record<string, unknown> {
  return {
    name: name ?? undefined,
    entry: own(rules, 'entry'),
    exit: own(rules, 'exit'),
    short_entry: own(rules, 'short_entry'),
    short_exit: own(rules, 'short_exit'),
    reward_factor: own(rules, 'reward_factor'),
    ...atrFields(rules),
  };
}

const atrFields = (record: Json) =>
  Object.fromEntries(
    ['atr_period', 'atr_multiplier'].filter((key) => Object.hasOwn(record, key)).map((key) => [key, record[key]]),
  );

/**
 * The execution settings among the keys of an object. Null counts only for a setting that can be
 * off.
 */
function knownSettings(value: unknown): Record<string, unknown> {
  const record = readRecord(value ?? {}, 'execution_config');
  const settings: Record<string, unknown> = {};
  for (const name of ['preset', ...settingNames]) {
    const isNullable = isSettingName(name) && fieldOf(name).nullable;
    if (Object.hasOwn(record, name) && (record[name] !== null || isNullable)) settings[name] = record[name];
  }
  return settings;
}

/** Clients put the timeframe among the settings, although the rules state it. */
function withoutTimeframe(settings: unknown): Json {
  const { timeframe: _, ...rest } = readRecord(settings ?? {}, 'execution_config');
  return rest;
}

const knownTimeframes: ReadonlySet<number> = new Set(apiTimeframes.map((name) => parseInterval(name)));

function primaryTimeframe(definition: StrategyDefinition): number {
  const { rule, place } = placedRules(definition)[0] as { rule: Rule; place: string };
  const ms = rule.timeframe === null ? null : tryParseInterval(rule.timeframe);
  if (ms !== null && knownTimeframes.has(ms)) return ms;
  throw invalid(`${place}.timeframe`, `one of ${apiTimeframes.join(', ')}`, rule.timeframe);
}

function common(asset: string, definition: StrategyDefinition, config: ExecutionConfig, intervalMs: number) {
  const baseAsset = normaliseAsset(asset);
  const pairs = allRules(definition).flatMap(({ timeframe, asset: of }) => {
    const ms = tryParseInterval(timeframe ?? '');
    return ms !== null && knownTimeframes.has(ms)
      ? [pairKey(of === undefined ? baseAsset : normaliseAsset(of), ms)]
      : [];
  });
  const traded = { strategy: definition, config, baseAsset, intervalMs };
  return { baseAsset, definition, pairs: new Set(pairs), isPlain: isPlainStrategy(traded) };
}

/** The same bound as for the trade count of a saved strategy. */
const COUNT_MAX = 1_000_000_000;

/** A fresh state, overridden by the values that the caller sends. */
function readState(value: unknown, field: string, initialBalance: number): ExecutionState {
  const record = readRecord(value ?? {}, field);
  const amount = (key: string) => readNumber(own(record, key), `${field}.${key}`, { min: 0 });
  const count = (key: string) =>
    readNumber(own(record, key), `${field}.${key}`, { min: 0, max: COUNT_MAX, isInteger: true });
  // biome-ignore lint/style/noNonNullAssertion: the initial balance is a number, so it reads as one
  const cash = amount('cash_balance') ?? readNumber(initialBalance, 'execution_config.initial_balance', { above: 0 })!;
  return {
    cash_balance: cash,
    account_value: amount('account_value') ?? cash,
    total_trades: count('total_trades') ?? 0,
    num_open_positions: count('num_open_positions') ?? 0,
  };
}

/** Readers of untyped values. An absent value is undefined; null counts as absent. */

/** No one trades larger amounts, and below it sums and products stay far from infinity. */
export const AMOUNT_MAX = 1e15;

export const invalid = wrongValue;

export type Json = Readonly<Record<string, unknown>>;

export function readRecord(value: unknown, field: string): Json {
  if (isRecord(value)) return value;
  throw invalid(field, 'an object', value);
}

/** An own value of a record; inherited ones, such as `constructor`, are absent. */
export function own(record: Json, key: string): unknown {
  return Object.hasOwn(record, key) ? (record[key] ?? undefined) : undefined;
}

export function readText(value: unknown, field: string, lengthMax = 255): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && value.trim() !== '' && value.length <= lengthMax) return value;
  throw invalid(field, `a text of 1..${lengthMax} characters`, value);
}

export function readBoolean(value: unknown, field: string): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value;
  throw invalid(field, 'true or false', value);
}

interface NumberBounds {
  readonly min?: number;
  /** Exclusive. */
  readonly above?: number;
  readonly max?: number;
  readonly isInteger?: boolean;
}

export function readNumber(value: unknown, field: string, bounds: NumberBounds): number | undefined {
  if (value === undefined || value === null) return undefined;
  const { min = -AMOUNT_MAX, above = -Infinity, max = AMOUNT_MAX, isInteger = false } = bounds;
  const isNumber = typeof value === 'number' && (isInteger ? Number.isInteger(value) : Number.isFinite(value));
  if (isNumber && value >= min && value > above && value <= max) return value;
  const from = bounds.above === undefined ? `>= ${min}` : `> ${above}`;
  throw invalid(field, `${isInteger ? 'an integer' : 'a number'} ${from} and <= ${max}`, value);
}

export function readOneOf<T extends string>(value: unknown, field: string, values: readonly T[]): T | undefined {
  if (value === undefined || value === null) return undefined;
  if (values.includes(value as T)) return value as T;
  throw invalid(field, values.join(' or '), value);
}

export function readArray(value: unknown, field: string, lengthMax: number): readonly unknown[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw invalid(field, 'an array', value);
  if (value.length <= lengthMax) return value;
  throw new ApiError('VALIDATION_ERROR', `${field} must hold at most ${lengthMax} items, holds ${value.length}`, {
    field,
  });
}

/** Reads an ISO 8601 text as epoch ms. */
export function readTime(value: unknown, field: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  const ms = typeof value === 'string' ? parseIsoTime(value.trim()) : NaN;
  if (Number.isFinite(ms)) return ms;
  throw invalid(field, 'an ISO 8601 time', value);
}

/** The value; MISSING_FIELD if it is absent. */
export function required<T>(value: T | undefined, field: string): T {
  if (value !== undefined) return value;
  throw new ApiError('MISSING_FIELD', `Missing required field: ${field}`, { fields: [field] });
}
