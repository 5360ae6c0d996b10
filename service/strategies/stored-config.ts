import { normaliseAsset } from '../../data/bars/index.js';
import type { MarketData } from '../../data/providers/index.js';
import { isRecord } from '../../engine/errors.js';
import {
  isSettingName,
  legacyCooldownFields,
  legacyCooldownWarning,
  resolveConfig,
} from '../../engine/execution/index.js';
import { DAY_MS, parseInterval } from '../../engine/series/index.js';
import { ApiError, asApiError } from '../api-error.js';
import { unknownSettingWarnings } from '../setting-warnings.js';
import { listStoredRules, type StoredRules } from './definition.js';

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
