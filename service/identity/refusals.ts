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
