import { isUuid } from '../data/state/index.js';
import { quote } from '../engine/errors.js';
import { type UnknownKey, unknownKeyText } from '../engine/unknown-keys.js';
import { ApiError, wrongValue } from './api-error.js';

/** @throws ApiError INVALID_FIELD for anything but a whole number within the bounds */
export function readInteger(
  field: string,
  value: number | undefined,
  { min, max, ifAbsent }: { readonly min: number; readonly max: number; readonly ifAbsent: number },
): number {
  const number = value ?? ifAbsent;
  if (Number.isInteger(number) && number >= min && number <= max) return number;
  throw wrongValue(field, `an integer ${min}..${max}`, number, 'INVALID_FIELD');
}

/** @throws ApiError INVALID_FIELD for a text that is not a choice, MISSING_FIELD without one */
export function readChoice<T extends string>(field: string, value: string | undefined, choices: readonly T[]): T {
  const choice = choices.find((each) => each === value);
  if (choice !== undefined) return choice;
  throw wrongValue(field, `one of ${choices.join(', ')}`, value, 'INVALID_FIELD');
}

/** Most rows of a list, where an endpoint states no bounds of its own. */
const LIMIT_MAX = 1_000;

/** Clamps a page to 1..1000 rows, from row 0 on. */
export function clampPage(offset: number | undefined, limit: number | undefined, limitDefault: number) {
  return {
    offset: clamp(offset ?? 0, 0, Number.MAX_SAFE_INTEGER),
    limit: clamp(limit ?? limitDefault, 1, LIMIT_MAX),
  };
}

const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(Math.trunc(value), min), max);

/** Checks an id in the body of a request, which must be a UUID. An id in a path need not be one. */
export function requireUuid(field: string, id: string): string {
  if (!isUuid(id)) throw new ApiError('VALIDATION_ERROR', `${field} must be a UUID, was ${quote(id)}`, { field });
  return id.toLowerCase();
}

/** A client may send thousands of keys; the first ones show it the problem. */
const NAMED_MAX = 20;

/**
 * What the service does with keys of a definition that nothing reads. Existing clients send extras,
 * so a key is named in the warnings; a word that asks for something else than what would run, such
 * as `direction` or `leverage`, is refused.
 * @param warnings takes a line for each key
 * @throws ApiError INVALID_FIELD
 */
export const passUnknownKeys =
  (warnings: string[]) =>
  (unknown: readonly UnknownKey[]): void => {
    const refused = unknown.find(({ changesMeaning }) => changesMeaning);
    if (refused !== undefined) throw new ApiError('INVALID_FIELD', unknownKeyText(refused), { field: refused.key });
    nameUnknownKeys(warnings)(unknown);
  };

/**
 * The same for a definition that was stored: it was accepted once, so it keeps running, and every
 * key that nothing reads is named.
 */
export const nameUnknownKeys =
  (warnings: string[]) =>
  (unknown: readonly UnknownKey[]): void => {
    warnings.push(...unknown.slice(0, NAMED_MAX).map((key) => `${unknownKeyText(key)} (ignored)`));
  };
