import { isRecord, quote } from '../engine/errors.js';
import { isSettingName, settingNames } from '../engine/execution/index.js';
import { nearestName } from '../engine/nearest.js';

/**
 * Logs settings that the service may have read differently from what the client meant; called once
 * per run, evaluation or change.
 */
export type WarningLog = (about: Readonly<Record<string, unknown>>, warnings: readonly string[]) => void;

/** A client may send thousands of keys; the first ones show it the problem. */
const NAMED_MAX = 20;

/**
 * Warns of the keys of an execution_config that are not execution fields, each with the nearest
 * field.
 * @param configs as they were sent; a value that is not an object has no keys
 */
export function unknownSettingWarnings(...configs: readonly unknown[]): string[] {
  const keys = new Set(configs.flatMap((config) => (isRecord(config) ? Object.keys(config) : [])));
  const unknown = [...keys].filter((key) => !isSettingName(key) && key !== 'preset');
  const warnings = unknown.slice(0, NAMED_MAX).map(unknownSettingWarning);
  const rest = unknown.length - warnings.length;
  return rest === 0 ? warnings : [...warnings, `execution_config: ${rest} more keys are not execution fields`];
}

function unknownSettingWarning(key: string): string {
  const nearest = nearestName(key, settingNames);
  const hint = nearest === null ? '' : `, did you mean ${nearest}?`;
  return `execution_config: ${quote(key)} is not an execution field and was ignored${hint}`;
}
