import { time, z } from '../zod.js';

/** Fields at the root of each answer of the data domains. */
export const provenance = {
  source: z.string().openapi({ description: 'recorded, generated, or the name of the provider' }),
  as_of: time().nullable().openapi({ description: 'the time of the data; null where it has none' }),
  age_seconds: z.int().openapi({ description: 'time since `as_of`; of a provider since it answered' }),
  max_age_seconds: z.int().openapi({ description: 'how long its answer counts as fresh' }),
  is_stale: z.boolean().openapi({ description: 'true if the provider failed, and this older answer is shown instead' }),
};

/** Beside the rows of a stretch of time. */
export const held = z
  .object({ start: time(), end: time() })
  .nullable()
  .openapi({ description: 'the first and the last time of what is held; null for a provider' });
