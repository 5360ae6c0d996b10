import { endpointOf, isMethod } from '../../contract/index.js';
import { ApiError } from '../api-error.js';

/**
 * Renames a refusal to the code that `method` publishes, since use cases of several services share
 * their checks.
 */
export function asSeenBy(method: string, error: ApiError): ApiError {
  const isField = isMethod(method) && endpointOf(method).badValue === 'INVALID_FIELD';
  if (!isField || error.code !== 'VALIDATION_ERROR') return error;
  return new ApiError('INVALID_FIELD', error.message, error.details);
}
