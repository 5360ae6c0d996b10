import type { Sourced } from '../../data/upstreams/index.js';

/** Fields of every answer of the data domains. */
export interface Provenance {
  /** `held`, `generated`, or the name of the provider. */
  readonly source: string;
  /** Whole seconds since the provider answered. */
  readonly age_seconds: number;
  /** Whole seconds for which the provider's answer counts as fresh. */
  readonly max_age_seconds: number;
  /** True if the provider failed, and an older answer took the place of a fresh one. */
  readonly is_stale: boolean;
}

/**
 * Says where an answer came from. An answer made of several counts as old as its oldest part, and
 * as generated if any part is.
 */
export function provenanceOf(first: Sourced<unknown>, ...others: readonly Sourced<unknown>[]): Provenance {
  const parts = [first, ...others];
  const source = parts.find((part) => part.source === 'generated')?.source ?? first.source;
  return {
    source,
    age_seconds: Math.floor(Math.max(...parts.map(({ ageMs }) => ageMs)) / 1_000),
    max_age_seconds: Math.floor(Math.min(...parts.map(({ maxAgeMs }) => maxAgeMs)) / 1_000),
    is_stale: parts.some(({ isStale }) => isStale),
  };
}
