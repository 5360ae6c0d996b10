import { executionFields, resolveConfig } from '../../engine/index.js';
import { ApiError } from '../api-error.js';

type Settings = Readonly<Record<string, unknown>>;

/** Any interval will do to check settings against their bounds. */
const HOUR_MS = 3_600_000;

/**
 * `base` with the settings of `supplied` over it; of `cooldown_config` the entries that are supplied. Keys that are no
 * execution settings are dropped: clients send along whatever they know.
 *
 * @throws EngineError for a value out of its bounds, alone or beside the others
 */
export function overlayConfig(base: Settings, supplied: unknown): Settings {
  if (supplied === undefined || supplied === null) return base;
  if (typeof supplied !== 'object' || Array.isArray(supplied)) {
    throw new ApiError('VALIDATION_ERROR', 'execution_config must be an object', { field: 'execution_config' });
  }
  const known = Object.entries(supplied).filter(([name]) => Object.hasOwn(executionFields, name));
  const { cooldown_config: cooldown, ...rest } = Object.fromEntries(known);
  const overlaid = { ...base, ...rest };
  if (isRecord(cooldown)) {
    resolveConfig({ saved: { cooldown_config: cooldown }, interval: HOUR_MS }); // its own entries, before they are merged
    overlaid.cooldown_config = { ...(isRecord(base.cooldown_config) ? base.cooldown_config : {}), ...cooldown };
  } else if (cooldown !== undefined) overlaid.cooldown_config = cooldown;
  resolveConfig({ saved: overlaid, interval: HOUR_MS });
  return overlaid;
}

const isRecord = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
