import { Metadata, type StatusObject, status } from '@grpc/grpc-js';
import type { ApiError } from '../service/api-error.js';
import { toStatus } from './errors.js';

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
