import { quote } from '../../engine/errors.js';
import { ApiError } from '../api-error.js';

const details = {
  hint: 'Send the header Authorization: Bearer <TOKEN>, where TOKEN is an access token or an API key',
  docs: '/docs',
};

/** The refusal of a call without a bearer token in its header. */
export const noCredential = (): ApiError =>
  new ApiError('AUTH_REQUIRED', 'Missing or invalid authentication token', details);

/** The refusal of an invalid credential. The caller does not learn the reason. */
export const badCredential = (): ApiError => new ApiError('AUTH_REQUIRED', 'Invalid or expired token', details);

export const badValue = (field: string, problem: string): ApiError =>
  new ApiError('VALIDATION_ERROR', `${field} ${problem}`, { field });

const NAMES_SHOWN_MAX = 10;

/** The first of many names and the number of the rest, for a message. */
export function namedShort(names: readonly string[]): string {
  const rest = names.length - NAMES_SHOWN_MAX;
  return `${names.slice(0, NAMES_SHOWN_MAX).join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`;
}

const EMAIL_CHARS_MAX = 254;

/**
 * Reads a text of 1..`charsMax` characters and trims it. Control characters and lone surrogates are
 * refused, because stores and pages cannot handle them.
 * @throws ApiError VALIDATION_ERROR
 */
export function readText(value: unknown, field: string, charsMax: number): string {
  if (typeof value !== 'string') throw badValue(field, `must be a text, was ${quote(value)}`);
  const text = value.trim();
  if (text.length < 1 || text.length > charsMax) {
    throw badValue(field, `must have 1..${charsMax} characters, had ${text.length}`);
  }
  if (!isPlainText(text)) throw badValue(field, 'must not contain control characters or broken surrogates');
  return text;
}

/** @throws ApiError VALIDATION_ERROR */
export function readEmail(value: unknown, field: string): string {
  const text = readText(value, field, EMAIL_CHARS_MAX).toLowerCase();
  if (!isEmail(text)) throw badValue(field, `must be an e-mail address, was ${quote(value)}`);
  return text;
}

export const isEmail = (text: string): boolean =>
  text.length <= EMAIL_CHARS_MAX && isPlainText(text) && /^[^\s@]+@[^\s@]+$/.test(text);

export const isPlainText = (text: string): boolean =>
  !/\p{Cc}/u.test(text) && !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text);
