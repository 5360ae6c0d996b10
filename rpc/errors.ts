import { Metadata, type ServiceError, type StatusObject, status } from '@grpc/grpc-js';
import { type ApiCode, ApiError, apiCodes } from '../service/api-error.js';
import { clipMarked } from '../service/index.js';

/** Trailer with `{code, message, details}`: a gRPC status alone cannot tell all refusals apart. */
const TRAILER = 'barline-error-bin';
/** After a call that took too long, the client should not retry at once. */
const DEADLINE_RETRY_SECONDS = 5;

const grpcStatusOf = {
  MISSING_FIELD: status.INVALID_ARGUMENT,
  VALIDATION_ERROR: status.INVALID_ARGUMENT,
  INVALID_FIELD: status.INVALID_ARGUMENT,
  BYTES_LIMIT_EXCEEDED: status.INVALID_ARGUMENT,
  AUTH_REQUIRED: status.UNAUTHENTICATED,
  PAYMENT_REQUIRED: status.UNAUTHENTICATED,
  INSUFFICIENT_PERMISSIONS: status.PERMISSION_DENIED,
  PERMISSION_DENIED: status.PERMISSION_DENIED,
  TIER_UPGRADE_REQUIRED: status.PERMISSION_DENIED,
  RESOURCE_NOT_FOUND: status.NOT_FOUND,
  CONFLICT: status.ABORTED,
  INVALID_STATE: status.FAILED_PRECONDITION,
  PAYLOAD_TOO_LARGE: status.RESOURCE_EXHAUSTED,
  RATE_LIMITED: status.RESOURCE_EXHAUSTED,
  USAGE_LIMIT_EXCEEDED: status.RESOURCE_EXHAUSTED,
  quota_exceeded: status.RESOURCE_EXHAUSTED,
  CONCURRENT_SWEEP_LIMIT: status.RESOURCE_EXHAUSTED,
  INTERNAL_ERROR: status.INTERNAL,
  ENGINE_BUSY: status.UNAVAILABLE,
} as const satisfies Readonly<Record<ApiCode, status>>;

/** A message is one line for a person; the transport escapes it to as much as nine times this. */
const MESSAGE_LENGTH_MAX = 2_000;
/** Clients refuse headers of more than 64 KB together. */
const TRAILER_BYTES_MAX = 16_384;

/**
 * The status of a failed call. It can be encoded whatever the failure says: half of a surrogate
 * pair, which would make the transport throw, becomes U+FFFD, and text too long for a header is cut
 * or, in the details, left out.
 */
export function toStatus({ code, message, details }: ApiError): Partial<StatusObject> {
  const said = clipMarked(message, MESSAGE_LENGTH_MAX).toWellFormed();
  const whole = Buffer.from(JSON.stringify({ code, message: said, details }, wellFormed));
  const metadata = new Metadata();
  const fits = whole.length <= TRAILER_BYTES_MAX;
  metadata.set(TRAILER, fits ? whole : Buffer.from(JSON.stringify({ code, message: said, details: {} })));
  return { code: grpcStatusOf[code], details: said, metadata };
}

const wellFormed = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value;

/** Null for a trailer that another kind of server wrote. */
function failureIn(trailer: Buffer): ApiError | null {
  try {
    const { code, message, details } = JSON.parse(trailer.toString()) as Pick<ApiError, 'code' | 'message' | 'details'>;
    return apiCodes.includes(code) ? new ApiError(code, message, details) : null;
  } catch {
    return null;
  }
}

/**
 * The error of a failed call: the server's own, or the transport's if no answer came. What neither
 * explains is a bug, which a plain Error reports.
 */
export function fromStatus(error: Pick<ServiceError, 'code' | 'details' | 'metadata'>): ApiError | Error {
  const [trailer] = error.metadata?.get(TRAILER) ?? [];
  const told = Buffer.isBuffer(trailer) ? failureIn(trailer) : null;
  if (told !== null) return told;
  if (error.code === status.RESOURCE_EXHAUSTED) {
    const [, had, max] = /\((\d+) vs\.? (\d+)\)/.exec(error.details ?? '') ?? [];
    const bound =
      max === undefined ? 'the message is too large' : `a message may have at most ${max} bytes, had ${had}`;
    return new ApiError('PAYLOAD_TOO_LARGE', bound, max === undefined ? {} : { limit: Number(max) });
  }
  if (error.code === status.UNAVAILABLE) {
    return new ApiError('ENGINE_BUSY', 'the service is not reachable at the moment', { retry_after: 1 });
  }
  if (error.code === status.DEADLINE_EXCEEDED) {
    const message = 'the call took too long; ask for less, or try again later';
    return new ApiError('ENGINE_BUSY', message, { retry_after: DEADLINE_RETRY_SECONDS });
  }
  if (error.code === status.CANCELLED) return new ApiError('INTERNAL_ERROR', 'the call was cancelled');
  return new Error(`a call failed without an answer: ${error.code} ${clipMarked(String(error.details), 500)}`);
}

export const UNEXPECTED = 'an unexpected error occurred';

export type Fail = (status: Partial<StatusObject>) => void;

/**
 * Ends a call with a failure. If that cannot be told, the call ends with a bare status, so that its
 * caller does not wait for the deadline.
 * @param tell adds to the trailer what every call tells
 * @returns why it could not be told; undefined if it could
 */
export function failCall(fail: Fail, error: ApiError, tell: (trailer: Metadata) => Metadata): unknown {
  try {
    const told = toStatus(error);
    fail({ ...told, metadata: tell(told.metadata ?? new Metadata()) });
    return undefined;
  } catch (failure) {
    try {
      fail({ code: status.INTERNAL, details: UNEXPECTED });
    } catch {} // the transport takes no answer any more, and the record has the reason
    return failure;
  }
}
