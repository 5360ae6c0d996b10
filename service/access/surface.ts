import { ApiError } from '../api-error.js';
import type { Method } from '../identity/index.js';

type Service = Method extends `${infer Name}.${string}` ? Name : never;

/**
 * Services whose published errors call a value that they cannot take INVALID_FIELD; the others say
 * VALIDATION_ERROR.
 */
const fieldServices: readonly Service[] = [
  'Batch',
  'Catalogue',
  'Corpus',
  'Deployed',
  'Experiments',
  'Simulations',
  'Usage',
  'Webhooks',
];

/**
 * A refusal under the name that it has where `method` belongs; the use cases behind the methods
 * share their checks.
 */
export function asSeenBy(method: string, error: ApiError): ApiError {
  const isField = fieldServices.some((service) => method.startsWith(`${service}.`));
  if (!isField || error.code !== 'VALIDATION_ERROR') return error;
  return new ApiError('INVALID_FIELD', error.message, error.details);
}
