import { executionFields, legacyCooldownFields, legacyCooldownWarning, resolveConfig } from '../../engine/index.js';
import { ApiError } from '../api-error.js';
import { unknownSettingWarnings } from '../setting-warnings.js';

type Settings = Readonly<Record<string, unknown>>;

interface StoredConfig {
  readonly config: Settings;
  /** About what the caller wrote, never about what was filled in. */
  readonly warnings: readonly string[];
}

/** Any interval will do to check settings against their bounds. */
const HOUR_MS = 3_600_000;

/**
 * `base` with the settings of `supplied` over it; of `cooldown_config` the entries that are
 * supplied. Legacy cooldown keys without a cooldown_config replace that of `base` by null, so that
 * they decide as they do in a request. Keys that are not execution settings are dropped with a
 * warning: clients send along whatever they know.
 *
 * @throws EngineError for a value out of its bounds, alone or beside the others
 */
export function overlayConfig(base: Settings, supplied: unknown): StoredConfig {
  if (supplied === undefined || supplied === null) return { config: base, warnings: [] };
  if (!isRecord(supplied)) {
    throw new ApiError('VALIDATION_ERROR', 'execution_config must be an object', { field: 'execution_config' });
  }
  const known = Object.entries(supplied).filter(([name]) => Object.hasOwn(executionFields, name));
  const { cooldown_config: cooldown, ...rest } = Object.fromEntries(known);
  const config: Record<string, unknown> = { ...base, ...rest };
  const warnings = unknownSettingWarnings(supplied);
  const legacy = legacyCooldownFields.filter((name) => rest[name] !== undefined);
  if (isRecord(cooldown)) {
    resolveConfig({ saved: { cooldown_config: cooldown }, interval: HOUR_MS }); // its own entries, before they are merged
    config.cooldown_config = { ...(isRecord(base.cooldown_config) ? base.cooldown_config : {}), ...cooldown };
  } else if (cooldown !== undefined && cooldown !== null) {
    config.cooldown_config = cooldown; // refused below
  } else if (legacy.length > 0) {
    config.cooldown_config = null;
    warnings.push(legacyCooldownWarning(legacy, 'execution_config has no cooldown_config'));
  }
  resolveConfig({ saved: config, interval: HOUR_MS });
  return { config, warnings };
}

const isRecord = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
