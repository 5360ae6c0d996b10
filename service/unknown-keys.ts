import { type UnknownKey, unknownKeyText } from '../engine/unknown-keys.js';
import { ApiError } from './api-error.js';

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
