import type { Response } from 'express';
import { type ApiCode, ApiError } from '../rpc/index.js';
import { pathPrefixes } from './paths.js';
import type { JsonSchema } from './schemas.js';

/** All codes of the API, and one that only HTTP has. */
export type HttpCode = ApiCode | 'METHOD_NOT_ALLOWED';

interface Row {
  readonly status: number;
  /** Value of `error` in the body. */
  readonly error: string;
}

export const errorRows: Readonly<Record<HttpCode, Row>> = {
  MISSING_FIELD: { status: 400, error: 'validation_error' },
  VALIDATION_ERROR: { status: 400, error: 'validation_error' },
  INVALID_FIELD: { status: 400, error: 'validation_error' },
  BYTES_LIMIT_EXCEEDED: { status: 400, error: 'validation_error' },
  AUTH_REQUIRED: { status: 401, error: 'Unauthorized' },
  PAYMENT_REQUIRED: { status: 402, error: 'payment_required' },
  INSUFFICIENT_PERMISSIONS: { status: 403, error: 'authorization_error' },
  PERMISSION_DENIED: { status: 403, error: 'authorization_error' },
  TIER_UPGRADE_REQUIRED: { status: 403, error: 'tier_upgrade_required' },
  RESOURCE_NOT_FOUND: { status: 404, error: 'not_found' },
  METHOD_NOT_ALLOWED: { status: 405, error: 'method_not_allowed' },
  CONFLICT: { status: 409, error: 'conflict' },
  INVALID_STATE: { status: 409, error: 'conflict' },
  PAYLOAD_TOO_LARGE: { status: 413, error: 'payload_too_large' },
  RATE_LIMITED: { status: 429, error: 'rate_limit_exceeded' },
  USAGE_LIMIT_EXCEEDED: { status: 429, error: 'usage_limit_exceeded' },
  quota_exceeded: { status: 429, error: 'quota_exceeded' },
  CONCURRENT_SWEEP_LIMIT: { status: 429, error: 'concurrent_limit' },
  INTERNAL_ERROR: { status: 500, error: 'internal_error' },
  ENGINE_BUSY: { status: 503, error: 'service_unavailable' },
};

const words = (description: string): JsonSchema => ({ type: 'string', description });
const text: JsonSchema = { type: 'string' };

const acceptedFields = {
  scheme: text,
  network: text,
  asset: text,
  payTo: text,
  maxAmountRequired: words('in whole units of the asset'),
  maxTimeoutSeconds: { type: 'integer' },
  resource: text,
  description: text,
  mimeType: text,
  extra: { type: 'object', properties: { name: text, version: text }, required: ['name', 'version'] },
};
const accepted: JsonSchema = { type: 'object', properties: acceptedFields, required: Object.keys(acceptedFields) };

/** What a failure may add to its body; other details are for gRPC callers. */
const errorDetails: Readonly<Record<string, JsonSchema>> = {
  retry_after: { type: 'number', description: 'seconds to wait' },
  hint: words('what to do about it'),
  docs: words('the page that explains it'),
  limit: { type: 'number', description: 'the bound that was reached' },
  used: { type: 'number', description: 'how much of it was used' },
  resets_at: words('when the count begins anew, ISO 8601'),
  resource_type: words('the counter that was reached'),
  field: words('the field that is wrong'),
  fields: { type: 'array', items: text, description: 'the fields that are missing or wrong' },
  // Where payers of version 1 of the protocol read what a call costs.
  x402Version: { type: 'integer', description: 'version of the payment protocol' },
  accepts: {
    type: 'array',
    items: accepted,
    description: 'how the call may be paid, in the form of the payment protocol',
  },
};

/** The body of every failure. @param codes all that HTTP has */
export const errorSchema = (codes: readonly string[]): JsonSchema => ({
  type: 'object',
  properties: {
    success: { type: 'boolean', enum: [false] },
    error: text,
    message: words('names field, bound and value'),
    code: { type: 'string', enum: codes, description: 'for programs' },
    correlation_id: words('as in the header X-Correlation-Id'),
    ...errorDetails,
    // The same under a second name, where clients of old look.
    error_code: words('`code` again, of ENGINE_BUSY'),
    detail: words(`\`message\` again, below ${pathPrefixes.kb}`),
  },
  required: ['success', 'error', 'message', 'code', 'correlation_id'],
});

const shownDetails = Object.keys(errorDetails);

/** Details that are sent as headers: what a call costs, and what became of a payment. */
const headersOf: Readonly<Record<string, string>> = {
  payment_required: 'PAYMENT-REQUIRED',
  payment_response: 'PAYMENT-RESPONSE',
};

interface Failure {
  readonly code: HttpCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export function sendError(response: Response, { code, message: said, details }: Failure): void {
  const { status, error } = errorRows[code];
  const message = said.toWellFormed();
  const shown = Object.fromEntries(
    shownDetails.filter((name) => details[name] !== undefined).map((name) => [name, details[name]]),
  );
  // The header makes clients wait, so a wait of weeks appears only in the body.
  if (typeof details.retry_after === 'number') response.set('Retry-After', String(details.retry_after));
  for (const [name, header] of Object.entries(headersOf)) {
    if (typeof details[name] === 'string') response.set({ [header]: details[name], 'Cache-Control': 'no-store' });
  }
  const { correlationId, route } = response.locals;
  const repeated = {
    ...(code === 'ENGINE_BUSY' ? { error_code: code } : {}), // clients look for the code here
    // Older readers of the knowledge base look here.
    ...(route?.startsWith(`${pathPrefixes.kb}/`) ? { detail: message } : {}),
  };
  response
    .status(status)
    .json({ success: false, error, message, code, ...repeated, ...shown, correlation_id: correlationId });
}

/** A failure of the body parser. */
interface BodyFault {
  readonly type: string;
  readonly status: number;
  /** Bytes that were allowed, and that the request announced. */
  readonly limit: number;
  readonly length: number;
}

/** Converts failures of Express and its body parser to ApiError; null for a bug. */
export function fromExpress(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error;
  const { type, status, limit, length } = (error ?? {}) as Partial<BodyFault>;
  if (type === 'entity.too.large') {
    const had = length === undefined ? '' : `, had ${length}`;
    return new ApiError('PAYLOAD_TOO_LARGE', `the body may have at most ${limit} bytes${had}`, { limit });
  }
  if (type === 'entity.parse.failed') return new ApiError('VALIDATION_ERROR', 'the body is not valid JSON');
  if (status !== undefined && status >= 400 && status < 500) {
    return new ApiError('VALIDATION_ERROR', 'the request cannot be read');
  }
  return null;
}
