import { EngineError } from '../errors.js';
import { boundsText, checkBounds, type FieldBounds, outOfBounds } from './bounds.js';
import { type ExecutionConfig, type ExecutionFieldName, type ExecutionSettings, executionFields } from './config.js';
import { readCooldownConfig } from './cooldown-config.js';
import type { ExecutionField } from './field.js';
import { checkPositionSettings } from './position-checks.js';
import type { PositionFieldName } from './position-fields.js';
import { resolvedFields } from './resolved-fields.js';

/** The line of a setting, typed with the attributes that only some lines have. */
export const fieldOf = (name: SettingName): ExecutionField => executionFields[name];

export type SettingName = ExecutionFieldName | PositionFieldName;

/** Every setting, in the order of the table. */
export const settingNames = Object.keys(executionFields) as SettingName[];

export const isSettingName = (name: string): name is SettingName => Object.hasOwn(executionFields, name);

/** The settings that every config holds. */
export const executionFieldNames = settingNames.filter((name): name is ExecutionFieldName => !fieldOf(name).isLeftOut);

/** The published trading defaults, which apply where no source gives a value. */
export const publishedDefaults = Object.freeze(
  Object.fromEntries(executionFieldNames.map((name) => [name, fieldOf(name).default])),
) as ExecutionSettings;

/** These settings replace a `cooldown_config` that has no entry for the run interval. */
export const legacyCooldownFields = [
  'cooldown_bars',
  'daily_momentum_limit',
  'weekly_momentum_limit',
] as const satisfies readonly ExecutionFieldName[];

const allFields: ReadonlyMap<string, FieldBounds> = new Map([
  ...executionFieldNames.map((name): [string, FieldBounds] => [name, fieldOf(name)]),
  ...Object.entries<FieldBounds>(resolvedFields),
]);
const checked = new WeakSet<ExecutionConfig>();

/**
 * Refuses a resolved config with a missing value (MISSING_FIELD) or one out of its range
 * (INVALID_FIELD). A frozen config is checked only once.
 */
export function checkConfig(config: ExecutionConfig): void {
  if (checked.has(config)) return;
  for (const [name, field] of allFields) {
    const value = config[name as keyof ExecutionConfig];
    if (value === undefined) {
      throw new EngineError('MISSING_FIELD', `${name} is required: ${boundsText(field)}`, { field: name });
    }
    if (value === publishedDefaults[name as ExecutionFieldName]) continue; // within its bounds
    if (field.kind === 'object' && value !== null) readCooldownConfig(value);
    else checkBounds(name, field, value);
  }
  const isAdjusted = config.enable_volatility_adjustment && config.volatility_mode !== 'off';
  if (isAdjusted && config.target_volatility <= 0) {
    throw outOfBounds('target_volatility', 'a number > 0 when the adjustment is on', config.target_volatility);
  }
  checkPositionSettings(config);
  if (Object.isFrozen(config)) checked.add(config);
}
