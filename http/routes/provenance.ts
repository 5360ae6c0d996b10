import { z } from '../zod.js';

/** Fields at the root of each answer of the data domains. */
export const provenance = {
  source: z.string().openapi({ description: 'held, generated, or the name of the provider' }),
  age_seconds: z.int().openapi({ description: 'time since the provider answered' }),
  max_age_seconds: z.int().openapi({ description: 'how long its answer counts as fresh' }),
  is_stale: z.boolean().openapi({ description: 'true if the provider failed, and this older answer is shown instead' }),
};
