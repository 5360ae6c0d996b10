import { Metadata, type ServiceError, type StatusObject, status } from '@grpc/grpc-js';
import { type ApiCode, ApiError, apiCodes } from '../service/api-error.js';

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

export function toStatus({ code, message, details }: ApiError): Partial<StatusObject> {
  const metadata = new Metadata();
  metadata.set(TRAILER, Buffer.from(JSON.stringify({ code, message, details })));
  return { code: grpcStatusOf[code], details: message, metadata };
}

/** The error of a failed call: the server's own, or that of the transport if no answer came. */
export function fromStatus(error: ServiceError): ApiError {
  const [trailer] = error.metadata?.get(TRAILER) ?? [];
  if (Buffer.isBuffer(trailer)) {
    const { code, message, details } = JSON.parse(trailer.toString()) as Pick<ApiError, 'code' | 'message' | 'details'>;
    if (apiCodes.includes(code)) return new ApiError(code, message, details);
  }
  if (error.code === status.RESOURCE_EXHAUSTED) return new ApiError('PAYLOAD_TOO_LARGE', 'the message is too large');
  if (error.code === status.UNAVAILABLE) {
    return new ApiError('ENGINE_BUSY', 'the service is not reachable at the moment', { retry_after: 1 });
  }
  if (error.code === status.DEADLINE_EXCEEDED) {
    const message = 'the call took too long; ask for less, or try again later';
    return new ApiError('ENGINE_BUSY', message, { retry_after: DEADLINE_RETRY_SECONDS });
  }
  return new ApiError('INTERNAL_ERROR', 'an unexpected error occurred');
}
