import { pathPrefixes } from '../paths.js';
import type { JsonSchema } from '../schemas.js';

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
export const errorDetails: Readonly<Record<string, JsonSchema>> = {
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
