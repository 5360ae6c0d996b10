import { normaliseAsset } from '../../data/bars/index.js';
import type { MarketData } from '../../data/providers/index.js';
import { isRecord } from '../../engine/errors.js';
import {
  isSettingName,
  legacyCooldownFields,
  legacyCooldownWarning,
  resolveConfig,
} from '../../engine/execution/index.js';
import { apiTimeframes, DAY_MS, parseInterval, tryParseInterval } from '../../engine/series/index.js';
import {
  anyColumn,
  type Composition,
  parseStrategy,
  placedRules,
  planStrategy,
  type Rule,
  ruleLists,
} from '../../engine/strategy/index.js';
import { clip } from '../../engine/text.js';
import { ApiError, asApiError } from '../api-error.js';
import { passUnknownKeys } from '../read-fields.js';
import { unknownSettingWarnings } from '../setting-warnings.js';
import type { StoredRule, StoredRules, StoredSide } from './tables.js';

/** All rules of a side, in order. */
export const listStoredRules = (side: StoredSide | undefined): readonly StoredRule[] =>
  side === undefined ? [] : 'any' in side ? side.any.flat() : side;

interface Definition {
  readonly name: string;
  readonly asset: string;
  readonly entry: unknown;
  readonly exit?: unknown;
  readonly reward_factor?: unknown;
  readonly short_entry?: unknown;
  readonly short_exit?: unknown;
}

const REWARD_FACTOR = 2;
const NAME_LENGTH_MAX = 200;
const ASSET_LENGTH_MAX = 32;
const RULES_MAX = 32;

/**
 * Checks a definition before it is stored. It is refused if it has a rule that a run would only
 * deny.
 * @param composition what the server requires of stored strategies
 * @param warnings takes a line for each key that nothing reads
 */
export function readRules(definition: Definition, composition: Composition, warnings: string[] = []): StoredRules {
  const { name, asset } = definition;
  checkText('name', name, NAME_LENGTH_MAX);
  checkText('asset', asset, ASSET_LENGTH_MAX);
  const strategy = parseStrategy(definition, composition, {
    onUnknownKeys: passUnknownKeys(warnings),
    takesSides: true,
  });
  const stored = new Map(placedRules(strategy).map(({ rule, place }) => [rule, storedRule(rule, place)]));
  if (stored.size > RULES_MAX) {
    const sides = ruleLists.flatMap(([key, field]) => (strategy[field] === undefined ? [] : [key]));
    throw invalid('entry', `${listed(sides)} must have at most ${RULES_MAX} rules, have ${stored.size}`);
  }
  const timeframesMs = [...stored.values()].map((rule) => tryParseInterval(rule.timeframe) as number);
  const { denied } = planStrategy(strategy, Math.min(...timeframesMs), anyColumn);
  const [refused] = denied;
  if (refused !== undefined) throw invalid(refused.side, `${refused.side}: ${refused.message}`);
  const toStoredSide = (rules: readonly Rule[]) => storedSide(rules, stored);
  const { shortEntry, shortExit = [] } = strategy;
  return {
    name: snakeCase(name),
    asset,
    entry: toStoredSide(strategy.entry),
    exit: toStoredSide(strategy.exit),
    reward_factor: strategy.rewardFactor ?? REWARD_FACTOR,
    ...(shortEntry !== undefined && { short_entry: toStoredSide(shortEntry), short_exit: toStoredSide(shortExit) }),
  };
}

/** `a`, `a and b`, `a, b and c`. */
const listed = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ');

/** The rules of a side in the form in which they were written: a list or a choice. */
function storedSide(rules: readonly Rule[], stored: ReadonlyMap<Rule, StoredRule>): StoredSide {
  const groups = new Map<number | undefined, StoredRule[]>();
  for (const rule of rules) {
    // biome-ignore lint/style/noNonNullAssertion: the map has every rule of the strategy
    groups.set(rule.group, [...(groups.get(rule.group) ?? []), stored.get(rule)!]);
  }
  const lists = [...groups.values()];
  return rules[0]?.group === undefined ? (lists[0] ?? []) : { any: lists };
}

function storedRule(rule: Rule, path: string): StoredRule {
  const { name, signalType, timeframe, params, negate, withinBars, asset } = rule;
  const field = `${path}.timeframe`;
  if (timeframe === null) throw new ApiError('MISSING_FIELD', `Missing required field: ${field}`, { fields: [field] });
  const ms = tryParseInterval(timeframe);
  if (ms === null || !apiTimeframes.some((known) => tryParseInterval(known) === ms)) {
    throw invalid(field, `${field} must be one of ${apiTimeframes.join(', ')}, was ${clip(timeframe, 20)}`);
  }
  if (asset !== undefined) checkText(`${path}.asset`, asset, ASSET_LENGTH_MAX);
  return {
    name,
    signal_type: signalType,
    timeframe,
    params,
    ...(negate && { negate }),
    ...(withinBars !== undefined && { within_bars: withinBars }),
    ...(asset !== undefined && { asset }),
  };
}

function checkText(field: string, text: string, lengthMax: number): void {
  if (text.trim() === '' || text.length > lengthMax) {
    throw invalid(field, `${field} must have 1..${lengthMax} characters, has ${text.trim().length}`);
  }
}

const invalid = (field: string, message: string) => new ApiError('VALIDATION_ERROR', message, { field });

const snakeCase = (name: string): string =>
  name
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');

type Settings = Readonly<Record<string, unknown>>;

interface StoredConfig {
  readonly config: Settings;
  /** About the caller's own settings, never about those filled in. */
  readonly warnings: readonly string[];
}

/*
 * Settings can be checked against their bounds with any interval: every `detail_interval` that divides
 * one of the service divides a day.
 */

/**
 * Lays the settings of `supplied` over `base`; within `cooldown_config` it does so entry by entry.
 * If `supplied` has legacy cooldown keys but no cooldown_config, null replaces the one of `base`,
 * so that the legacy keys decide as they do in a request. Keys that are not execution settings are
 * dropped with a warning, as clients often send more than the service knows.
 * @throws EngineError for a value out of bounds, alone or combined with others
 */
export function overlayConfig(base: Settings, supplied: unknown): StoredConfig {
  if (supplied === undefined || supplied === null) return { config: base, warnings: [] };
  if (!isRecord(supplied)) {
    throw new ApiError('VALIDATION_ERROR', 'execution_config must be an object', { field: 'execution_config' });
  }
  const known = Object.entries(supplied).filter(([name]) => isSettingName(name));
  const { cooldown_config: cooldown, ...rest } = Object.fromEntries(known);
  const config: Record<string, unknown> = { ...base, ...rest };
  const warnings = unknownSettingWarnings(supplied);
  if (supplied.preset !== undefined && supplied.preset !== null) {
    warnings.push('execution_config: preset acts in the request of a run, and was ignored in a stored strategy');
  }
  const legacy = legacyCooldownFields.filter((name) => rest[name] !== undefined);
  if (isRecord(cooldown)) {
    // This checks the supplied entries alone.
    resolveConfig({ saved: { cooldown_config: cooldown }, interval: DAY_MS });
    config.cooldown_config = { ...(isRecord(base.cooldown_config) ? base.cooldown_config : {}), ...cooldown };
  } else if (cooldown !== undefined && cooldown !== null) {
    config.cooldown_config = cooldown; // not an object: refused below
  } else if (legacy.length > 0) {
    config.cooldown_config = null;
    warnings.push(legacyCooldownWarning(legacy, 'execution_config has no cooldown_config'));
  }
  resolveConfig({ saved: config, interval: DAY_MS, takesPositionFields: true });
  return { config, warnings };
}

/**
 * Warns about a strategy without bars to run on. It is stored all the same, as bars may arrive
 * later.
 */
export async function missingBarsWarnings(
  { asset, entry, exit, short_entry, short_exit }: StoredRules,
  market: Pick<MarketData, 'resolveSource'>,
): Promise<string[]> {
  const rules = [entry, exit, short_entry, short_exit].flatMap(listStoredRules);
  // biome-ignore lint/style/noNonNullAssertion: stored rules begin with a TRIGGER
  const own = { asset, timeframe: rules[0]!.timeframe };
  const others = rules.flatMap((rule) => (rule.asset === undefined ? [] : [{ ...rule, asset: rule.asset }]));
  const found = await Promise.all([own, ...others].map((read) => missingBars(read, market)));
  return [...new Set(found.flat())];
}

async function missingBars(
  { asset, timeframe }: { readonly asset: string; readonly timeframe: string },
  market: Pick<MarketData, 'resolveSource'>,
): Promise<string[]> {
  try {
    await market.resolveSource(normaliseAsset(asset), parseInterval(timeframe));
    return [];
  } catch (error) {
    const known = asApiError(error);
    if (known === null) throw error;
    return [`${known.message}; the strategy cannot run until there are`];
  }
}
