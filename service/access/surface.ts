import { ApiError } from '../api-error.js';
import type { Method } from '../identity/index.js';

type Service = Method extends `${infer Name}.${string}` ? Name : never;

/**
 * Services whose published error for a bad value is INVALID_FIELD; the others say VALIDATION_ERROR.
 */
const fieldServices: readonly Service[] = [
  'Batch',
  'Catalogue',
  'Corpus',
  'Defi',
  'CryptoAssets',
  'Deployed',
  'Experiments',
  'MarketData',
  'OnChain',
  'Sieve',
  'Simulations',
  'Social',
  'Usage',
  'Webhooks',
];

/**
 * Renames a refusal to the code that `method` publishes, since use cases of several services share
 * their checks.
 */
export function asSeenBy(method: string, error: ApiError): ApiError {
  const isField = fieldServices.some((service) => method.startsWith(`${service}.`));
  if (!isField || error.code !== 'VALIDATION_ERROR') return error;
  return new ApiError('INVALID_FIELD', error.message, error.details);
}
