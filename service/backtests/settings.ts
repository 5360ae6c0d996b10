import { EngineError, isRecord, quote } from '../../engine/errors.js';
import {
  type ExecutionFieldName,
  executionFields,
  fieldOf,
  isSettingName,
  legacyCooldownFields,
  presetSettings,
  settingNames,
} from '../../engine/execution/index.js';
import { DAY_MS } from '../../engine/series/index.js';
import { ApiError } from '../api-error.js';
import type { Caller } from '../caller.js';
import { holdsScope } from '../identity/scopes.js';

export { presetNames } from '../../engine/execution/index.js';

type Json = Readonly<Record<string, unknown>>;

/** Fields that a surface may require, in the order in which missing ones are listed. */
export const requiredFields = [
  'initial_balance',
  'min_balance_threshold',
  'min_trade_amount',
  'max_open_positions',
  'max_trades_per_day',
  'max_risk_per_trade',
  'max_units_per_trade',
  'max_trade_amount',
  'volatility_window',
  'target_volatility',
  'volatility_mode',
  'enable_volatility_adjustment',
] as const satisfies readonly ExecutionFieldName[];

/**
 * Execution fields that a request may also give beside `execution_config`; the others are read from
 * it alone.
 */
export const topLevelFields = [
  ...requiredFields,
  ...legacyCooldownFields,
  'cooldown_config',
  'position_size_calc',
  'reward_factor',
  'slippage_pct',
  'fee_pct',
  'max_hold_time_hours',
] as const satisfies readonly ExecutionFieldName[];

/** What an execution_config may hold. */
const configKeys: readonly string[] = ['preset', ...settingNames];

/** The execution settings that a request gives, by where they stand. */
interface GivenSettings {
  /** From its execution_config. */
  readonly config: Json;
  /** From its top level. */
  readonly riskFields: Json;
}

/**
 * The execution settings among the keys of a request; other keys are ignored.
 *
 * Null counts as absent, except inside execution_config where null is a value (`max_hold_bars:
 * null` switches that exit off). At the top level clients send null for fields that they leave out.
 */
export function readSettings(request: Json): GivenSettings {
  const riskFields = pick(request, topLevelFields, () => false);
  const config = pick(asObject('execution_config', request.execution_config), configKeys, isNullable);
  return { config, riskFields };
}

/**
 * The preset that the execution_config of a request names, empty without one: the settings of the
 * request win over it.
 */
export function readPreset(request: Json): Json {
  const { preset } = asObject('execution_config', request.execution_config);
  return preset === undefined || preset === null ? {} : { preset };
}

/** The settings of the preset that a request names. @throws INVALID_FIELD for an unknown name */
export function settingsOfPreset(request: Json): Json {
  const { preset } = readPreset(request);
  return preset === undefined ? {} : presetSettings(preset, DAY_MS); // at every interval the same names
}

/**
 * Refuses an unknown sizing version before anything else is read. Null is refused too: the version
 * changes every figure, so the service does not guess what the caller meant.
 */
export function checkSizing(request: Json): void {
  const { values } = executionFields.position_size_calc;
  for (const source of [request, asObject('execution_config', request.execution_config)]) {
    if (!Object.hasOwn(source, 'position_size_calc')) continue;
    const version = source.position_size_calc;
    if (version === undefined || values.some((known) => known === version)) continue;
    const message = `position_size_calc must be one of ${values.join(', ')}, was ${quote(version)}`;
    throw new ApiError('VALIDATION_ERROR', message, { field: 'position_size_calc' });
  }
}

/** Names of required settings that no source gives. */
export function missingSettings(...sources: readonly Json[]): string[] {
  const isGiven = (name: string) => sources.some((source) => isPresent(source, name));
  const missing: string[] = requiredFields.filter((name) => !isGiven(name));
  if (isGiven('cooldown_config')) return missing;
  const legacy = legacyCooldownFields.filter((name) => !isGiven(name));
  if (legacy.length === legacyCooldownFields.length) return [...missing, 'cooldown_config'];
  return [...missing, ...legacy];
}

/**
 * Quick runs have no bracket and no time exit. The engine sizes positions by the stop distance, and
 * without a stop the whole position is at risk. So the stop is just above zero, where no price
 * comes, and the target is out of reach.
 */
const quickSettings = {
  stop_loss_calculation: 'fixed',
  fixed_stop_pct: 1 - 2 ** -40,
  reward_factor: Number.MAX_VALUE,
  max_hold_bars: null,
  max_hold_time_hours: null,
  exit_on_loss_after_bars: null,
  exit_on_profit_after_bars: null,
} as const;

/** The same for settings that not every run has: a quick run with none of them has no word of them. */
const quickPositionSettings = {
  trailing_distance: null,
  break_even_at: null,
  target_calculation: 'reward',
  scale_out: null,
} as const;

/**
 * The settings of a quick run.
 * @param given the configs that it overrides
 */
export function quickSettingsFor(definition: Json, ...given: readonly Json[]): Json {
  const named = Object.entries(quickPositionSettings).filter(([name]) => given.some((config) => name in config));
  // The stop of a short position would lie at twice its price.
  const short = isPresent(definition, 'short_entry') ? { stop_order: false } : {};
  return { ...quickSettings, ...Object.fromEntries(named), ...short };
}

export const isPresent = (source: Json, name: string): boolean =>
  Object.hasOwn(source, name) && source[name] !== undefined && source[name] !== null;

/** The object under a name, empty if absent. */
export function asObject(name: string, value: unknown): Json {
  if (value === undefined || value === null) return {};
  if (isRecord(value)) return value;
  throw new ApiError('VALIDATION_ERROR', `${name} must be an object, was ${quote(value)}`, { field: name });
}

const isNullable = (name: string): boolean => isSettingName(name) && fieldOf(name).nullable === true;

function pick(source: Json, names: readonly string[], keepsNull: (name: string) => boolean): Json {
  const given = names.filter(
    (name) => isPresent(source, name) || (Object.hasOwn(source, name) && source[name] === null && keepsNull(name)),
  );
  return Object.fromEntries(given.map((name) => [name, source[name]]));
}

const SCOPE = 'strategy:read';

const LINE = `not shown: it may quote a stored strategy, which needs the scope ${SCOPE}`;

/** One line in place of text, be it one or a list. */
const line = (text: unknown): unknown => (Array.isArray(text) ? text.slice(0, 1).map(() => LINE) : text && LINE);

const withoutWords = (counts: unknown): unknown => counts && { ...(counts as Json), verdict: null };

/** What stands in place of each value that may quote rules or settings; other keys are figures. */
const inPlace: Readonly<Record<string, (value: unknown) => unknown>> = {
  ...{ config: () => null, warnings: line, changes: line, error: line, error_message: line },
  denied_signals: (signals) => signals && [],
  diagnostics(value) {
    if (value === null) return value;
    const { undefined_rules: _, long, short, ...counts } = value as Json;
    return { ...counts, verdict: null, long: withoutWords(long), short: withoutWords(short) };
  },
  facts(value) {
    if (value === null) return value;
    const { members, ...facts } = value as { readonly members: readonly object[] };
    return { ...facts, members: members.map((member) => ({ ...member, settings: {} })), first_values: [] };
  },
};

/**
 * Whether a caller may not read the rules of a run.
 * @param isStored whether the run names a stored strategy by its id
 */
export const withholdsRules = (caller: Caller, isStored: boolean): boolean => isStored && !holdsScope(caller, SCOPE);

/** The answer about a run, as its caller may see it. */
export function asSeen<Answer extends object>(caller: Caller, isStored: boolean, answer: Answer): Answer {
  if (!withholdsRules(caller, isStored)) return answer;
  const shown = Object.entries(answer).map(([key, value]) => {
    const replace = inPlace[key];
    return [key, replace === undefined ? value : replace(value)];
  });
  return Object.fromEntries(shown);
}

/**
 * The failure of a run, as its caller may see it. What the engine refuses may quote rules, unless it
 * is about a field of the request, or its window.
 */
export function failureSeen(caller: Caller, isStored: boolean, request: Json, error: unknown): unknown {
  if (!(error instanceof EngineError && withholdsRules(caller, isStored))) return error;
  const { code, details } = error;
  const field = String(details.field);
  const isOfRequest = field in request || field in asObject('execution_config', request.execution_config);
  if (isOfRequest || code === 'EMPTY_WINDOW' || code === 'CONFLICT') return error;
  return new ApiError('VALIDATION_ERROR', `the strategy cannot run so; why is ${LINE}`, { field: 'strategy_id' });
}

/** @throws INSUFFICIENT_PERMISSIONS for what consists of rules */
export function requireRules(caller: Caller, isStored: boolean): void {
  if (!withholdsRules(caller, isStored)) return;
  const message = `Missing required scope: ${SCOPE}, since the run names a stored strategy`;
  throw new ApiError('INSUFFICIENT_PERMISSIONS', message, { scope: SCOPE });
}
