import { ApiError } from '../api-error.js';

const details = {
  hint: 'Send the header Authorization: Bearer <TOKEN>, where TOKEN is an access token or an API key',
  docs: '/docs',
};

/** No credential, or none in the form of a bearer token. */
export const noCredential = (): ApiError =>
  new ApiError('AUTH_REQUIRED', 'Missing or invalid authentication token', details);

/** A credential that does not hold. Why it does not is kept from the caller. */
export const badCredential = (): ApiError => new ApiError('AUTH_REQUIRED', 'Invalid or expired token', details);

export const badValue = (field: string, problem: string): ApiError =>
  new ApiError('VALIDATION_ERROR', `${field} ${problem}`, { field });
