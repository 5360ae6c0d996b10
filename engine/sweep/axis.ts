import { canonicalJson } from '../canonical-json.js';
import { EngineError, mustBe, quote } from '../errors.js';
import type { NumberPairs } from '../execution/field.js';
import { refuseUnknownKeys, unknownKeys } from '../unknown-keys.js';

/** A value of a parameter. */
export type AxisValue = number | string | boolean;

/** A value of a setting, which may also be switched off, or a schedule. */
export type SettingValue = AxisValue | NumberPairs | null;

const VALUES_MAX = 10_000;
/** `param` names the setting of an axis over settings. */
const AXIS_KEYS = ['values', 'min', 'max', 'step', 'param'];
/** The last step still fits when rounding leaves the quotient this much below a whole number. */
const STEP_TOLERANCE = 1e-9;

/**
 * The values that one parameter takes: `{values: [...]}` without repetitions, or `{min, max, step}`
 * as min + k step: whole numbers when all three are whole, otherwise rounded to 10 decimals.
 *
 * @param field name of the parameter, for the message
 * @throws INVALID_FIELD
 */
export const readAxis = (field: string, json: unknown): AxisValue[] => readValues(field, json, parameterValues);

/** The same of a setting in a sweep that takes the settings of `positionFields`. */
export const readSettingAxis = (field: string, json: unknown): SettingValue[] => readValues(field, json, settingValues);

/** What the values of an axis may be. */
interface Kind<Value> {
  readonly isValue: (value: unknown) => value is Value;
  readonly words: string;
}

const isAxisValue = (value: unknown): value is AxisValue =>
  Number.isFinite(value) || typeof value === 'string' || typeof value === 'boolean';

const parameterValues: Kind<AxisValue> = {
  isValue: isAxisValue,
  words: 'finite numbers, texts, true or false',
};

const settingValues: Kind<SettingValue> = {
  // Whether a list is one of pairs says the check of its setting.
  isValue: (value): value is SettingValue => value === null || Array.isArray(value) || isAxisValue(value),
  words: 'finite numbers, texts, true, false, null or lists of pairs',
};

function readValues<Value>(
  field: string,
  json: unknown,
  { isValue, words }: Kind<AxisValue | Value>,
): (AxisValue | Value)[] {
  const refuse = (problem: string): never => {
    throw new EngineError('INVALID_FIELD', `${field}: ${problem}`, { field });
  };
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return refuse(`must be {values} or {min, max, step}, was ${quote(json)}`);
  }
  refuseUnknownKeys(unknownKeys(field, json, AXIS_KEYS));
  const { values, min, max, step } = json as Record<string, unknown>;
  if (values !== undefined) {
    if (!Array.isArray(values) || values.length === 0) return refuse('values must be a list with at least 1 value');
    const wrong = values.find((value) => !isValue(value));
    if (wrong !== undefined || values.includes(undefined)) {
      return refuse(`values must be ${words}, holds ${quote(wrong)}`);
    }
    const distinct: (AxisValue | Value)[] = [];
    const seen = new Set<unknown>();
    for (const value of values) {
      const key = Array.isArray(value) ? canonicalJson(value) : value;
      if (!seen.has(key)) distinct.push(value);
      seen.add(key);
    }
    if (distinct.length > VALUES_MAX) return refuse(`must have at most ${VALUES_MAX} values, has ${distinct.length}`);
    return distinct;
  }
  for (const [name, value] of Object.entries({ min, max, step })) {
    if (!Number.isFinite(value)) return refuse(mustBe(name, 'a finite number', value));
  }
  const [from, to, by] = [min as number, max as number, step as number];
  if (by <= 0) return refuse(`step must be > 0, was ${by}`);
  if (from > to) return refuse(`min must be at most max, was ${from} against ${to}`);
  const count = Math.floor((to - from) / by + STEP_TOLERANCE) + 1;
  if (count > VALUES_MAX) return refuse(`must have at most ${VALUES_MAX} values, has ${count}`);
  const isWhole = [from, to, by].every(Number.isSafeInteger);
  return Array.from({ length: count }, (_, k) => (isWhole ? from + k * by : Number((from + k * by).toFixed(10))));
}
