import type { Sourced } from '../../data/upstreams/index.js';

/**
 * Says where an answer came from, in the fields that every answer of the data domains has. An
 * answer made of several counts as old as its oldest part, and as generated if any part is.
 */
export function provenanceOf(first: Sourced<unknown>, ...others: readonly Sourced<unknown>[]) {
  const parts = [first, ...others];
  return {
    /** `held`, `generated`, or the name of the provider. */
    source: parts.find((part) => part.source === 'generated')?.source ?? first.source,
    /** Whole seconds since the provider answered. */
    age_seconds: Math.floor(Math.max(...parts.map(({ ageMs }) => ageMs)) / 1_000),
    /** Whole seconds for which the provider's answer counts as fresh. */
    max_age_seconds: Math.floor(Math.min(...parts.map(({ maxAgeMs }) => maxAgeMs)) / 1_000),
    /** True if the provider failed, and an older answer took the place of a fresh one. */
    is_stale: parts.some(({ isStale }) => isStale),
  };
}
