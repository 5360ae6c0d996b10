import { type EngineCode, EngineError, mustBe } from '../engine/index.js';

/**
 * Every failure that a caller of the service can meet. What each becomes on the wire stands in
 * `rpc/` and `http/`.
 */
export const apiCodes = [
  'MISSING_FIELD',
  'VALIDATION_ERROR',
  'INVALID_FIELD',
  'BYTES_LIMIT_EXCEEDED',
  'AUTH_REQUIRED',
  'INSUFFICIENT_PERMISSIONS',
  'PERMISSION_DENIED',
  'TIER_UPGRADE_REQUIRED',
  'RESOURCE_NOT_FOUND',
  'CONFLICT',
  'INVALID_STATE',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMITED',
  'USAGE_LIMIT_EXCEEDED',
  'CONCURRENT_SWEEP_LIMIT',
  'INTERNAL_ERROR',
  'ENGINE_BUSY',
] as const;

export type ApiCode = (typeof apiCodes)[number];

/**
 * A refusal with its reason; `details` holds what programs read beside it, `retry_after` in seconds
 * among them.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly code: ApiCode,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

const fromEngine: Readonly<Record<EngineCode, ApiCode>> = {
  MISSING_FIELD: 'MISSING_FIELD',
  INVALID_FIELD: 'VALIDATION_ERROR',
  INVALID_STRATEGY: 'VALIDATION_ERROR',
  INVALID_DATA: 'VALIDATION_ERROR',
  EMPTY_WINDOW: 'VALIDATION_ERROR',
  NOT_FOUND: 'VALIDATION_ERROR', // a name inside a request; what a path names is looked up by the service itself
  CONFLICT: 'CONFLICT',
};

/**
 * Failures known to the engine or the service as what callers see; null for anything else, which is
 * a bug of ours.
 */
export function asApiError(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error;
  if (error instanceof EngineError) return new ApiError(fromEngine[error.code], error.message, error.details);
  return null;
}

/**
 * The same answer for an unknown id and for one of somebody else: which of the two it was is
 * nobody's business.
 */
export const notFound = (what: string, id: string): ApiError =>
  new ApiError('RESOURCE_NOT_FOUND', `${what} ${id.slice(0, 80).replace(/\p{Cc}/gu, '\ufffd')} not found`);

/**
 * Refuses a request that lacks any of `names`, naming all that are missing. Null counts as missing.
 */
export function requireFields(request: object, names: readonly string[]): void {
  refuseMissing(
    names.filter((name) => {
      const value = (request as Readonly<Record<string, unknown>>)[name];
      return value === undefined || value === null;
    }),
  );
}

/** Refuses a request for all that it lacks. */
export function refuseMissing(missing: readonly string[]): void {
  if (missing.length > 0) throw missingFields(missing);
}

function missingFields(missing: readonly string[]): ApiError {
  const fields = missing.length === 1 ? 'field' : 'fields';
  return new ApiError('MISSING_FIELD', `Missing required ${fields}: ${missing.join(', ')}`, { fields: missing });
}

/** The refusal of a value, or of its absence. */
export const wrongValue = (
  field: string,
  bound: string,
  value: unknown,
  code: ApiCode = 'VALIDATION_ERROR',
): ApiError =>
  value === undefined ? missingFields([field]) : new ApiError(code, mustBe(field, bound, value), { field });
