import { pathPrefixes } from '../paths.js';
import { z } from '../zod.js';

const words = (description: string) => z.string().optional().openapi({ description });

/** What a failure may add to its body; other details are for gRPC callers. */
export const errorDetails = {
  retry_after: z.number().optional().openapi({ description: 'seconds to wait' }),
  hint: words('what to do about it'),
  docs: words('the page that explains it'),
  limit: z.number().optional().openapi({ description: 'the bound that was reached' }),
  used: z.number().optional().openapi({ description: 'how much of it was used' }),
  resets_at: words('when the count begins anew, ISO 8601'),
  resource_type: words('the counter that was reached'),
  field: words('the field that is wrong'),
  fields: z.array(z.string()).optional().openapi({ description: 'the fields that are missing or wrong' }),
  // Where payers of version 1 of the protocol read what a call costs.
  x402Version: z.int().optional().openapi({ description: 'version of the payment protocol' }),
  accepts: z
    .array(
      z.object({
        scheme: z.string(),
        network: z.string(),
        asset: z.string(),
        payTo: z.string(),
        maxAmountRequired: z.string().openapi({ description: 'in whole units of the asset' }),
        maxTimeoutSeconds: z.int(),
        resource: z.string(),
        description: z.string(),
        mimeType: z.string(),
        extra: z.object({ name: z.string(), version: z.string() }),
      }),
    )
    .optional()
    .openapi({ description: 'how the call may be paid, in the form of the payment protocol' }),
} as const;

/** The same under a second name, where clients of old look. */
export const repeatedDetails = {
  error_code: words('`code` again, of ENGINE_BUSY'),
  detail: words(`\`message\` again, below ${pathPrefixes.kb}`),
} as const;
