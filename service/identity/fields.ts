import { quote } from '../../engine/errors.js';
import { badValue } from './refusals.js';

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
