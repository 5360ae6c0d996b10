import { findOutage, type Outage } from '../data/outage.js';
import { UpstreamFault } from '../data/upstreams/index.js';
import { type EngineCode, EngineError, mustBe } from '../engine/errors.js';
import { clip, visible } from '../engine/text.js';

/** Every failure that a caller of the service can meet. `rpc/` and `http/` map each to the wire. */
export const apiCodes = [
  'MISSING_FIELD',
  'VALIDATION_ERROR',
  'INVALID_FIELD',
  'BYTES_LIMIT_EXCEEDED',
  'AUTH_REQUIRED',
  'PAYMENT_REQUIRED',
  'INSUFFICIENT_PERMISSIONS',
  'PERMISSION_DENIED',
  'TIER_UPGRADE_REQUIRED',
  'RESOURCE_NOT_FOUND',
  'CONFLICT',
  'INVALID_STATE',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMITED',
  'USAGE_LIMIT_EXCEEDED',
  'quota_exceeded',
  'CONCURRENT_SWEEP_LIMIT',
  'INTERNAL_ERROR',
  'ENGINE_BUSY',
] as const;

export type ApiCode = (typeof apiCodes)[number];

/**
 * A refusal with its reason. `details` holds what programs read, such as `retry_after` in seconds.
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
  // A name inside a request; the service itself looks up what a path names.
  NOT_FOUND: 'VALIDATION_ERROR',
  CONFLICT: 'CONFLICT',
};

/**
 * Turns a failure that the engine, the service or a provider knows into what callers see; null for
 * anything else, which is a bug.
 */
export function asApiError(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error;
  if (error instanceof EngineError) return new ApiError(fromEngine[error.code], error.message, error.details);
  if (error instanceof UpstreamFault) {
    return new ApiError('INTERNAL_ERROR', error.message, { provider: error.provider, reason: error.reason });
  }
  return null;
}

const outageWords: Readonly<Record<Outage['dependency'], string>> = {
  database: 'the database',
  disk: 'the disk of the service',
  queues: 'the queues',
  objects: 'the store of rows and bars',
};

const outageReasons: Readonly<Record<Outage['kind'], string>> = {
  away: 'cannot be reached at the moment',
  full: 'has no room at the moment',
  read_only: 'takes no changes at the moment',
  busy: 'is too busy at the moment',
};

/** Soon, since most outages are a restart; clients back off by themselves. */
const OUTAGE_RETRY_SECONDS = 2;

/**
 * What callers see of an outage of something that the service depends on; null for any other error.
 * It is apart from `asApiError`: a use case that turns a refusal into a part of its answer must not
 * do so with an outage, which fails the whole call, to be sent again.
 */
export function asOutageError(error: unknown): ApiError | null {
  const outage = findOutage(error);
  if (outage === null) return null;
  const { dependency, kind } = outage;
  const message = `${outageWords[dependency]} ${outageReasons[kind]}; send the call again`;
  return new ApiError('ENGINE_BUSY', message, { retry_after: OUTAGE_RETRY_SECONDS, dependency, reason: kind });
}

/** Whether a failure passes: the same call can succeed later. */
export const isPassing = (error: unknown): boolean =>
  asApiError(error)?.code === 'ENGINE_BUSY' || findOutage(error) !== null;

/**
 * The same answer for an unknown id and for an id of another owner, so that callers cannot probe
 * for ids.
 */
export const notFound = (what: string, id: string, advice = ''): ApiError =>
  new ApiError('RESOURCE_NOT_FOUND', `${what} ${visible(clip(id, 80))} not found${advice}`);

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

/** Refuses a request if any field is missing. */
export function refuseMissing(missing: readonly string[]): void {
  if (missing.length > 0) throw missingFields(missing);
}

function missingFields(missing: readonly string[]): ApiError {
  const fields = missing.length === 1 ? 'field' : 'fields';
  return new ApiError('MISSING_FIELD', `Missing required ${fields}: ${missing.join(', ')}`, { fields: missing });
}

/** Refuses a wrong value; an undefined one is refused as a missing field. */
export const wrongValue = (
  field: string,
  bound: string,
  value: unknown,
  code: ApiCode = 'VALIDATION_ERROR',
): ApiError =>
  value === undefined ? missingFields([field]) : new ApiError(code, mustBe(field, bound, value), { field });
