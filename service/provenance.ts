import { type HeldSpan, oldestTime, type Sourced } from '../data/upstreams/index.js';
import { isoTime } from '../engine/series/index.js';

/**
 * Says where an answer came from, in the fields that every answer of the data domains has. An
 * answer made of several counts as old as its oldest part, and as generated if any part is.
 */
export function provenanceFields(first: Sourced<unknown>, ...others: readonly Sourced<unknown>[]) {
  const parts = [first, ...others];
  const nowMs = Date.now();
  const asOfMs = oldestTime(parts.map((part) => dataTimeMs(part, nowMs)));
  return {
    /** `recorded`, `generated`, or the name of the provider. */
    source: parts.find((part) => part.source === 'generated')?.source ?? first.source,
    /** The time of the data; null where it has none. */
    as_of: asOfMs === null ? null : isoTime(asOfMs),
    /** Whole seconds since then; of a provider's answer since it was given. */
    age_seconds: asOfMs === null ? 0 : Math.max(0, Math.floor((nowMs - asOfMs) / 1_000)),
    /** Whole seconds for which the provider's answer counts as fresh. */
    max_age_seconds: Math.floor(Math.min(...parts.map(({ maxAgeMs }) => maxAgeMs)) / 1_000),
    /** True if the provider failed, and an older answer took the place of a fresh one. */
    is_stale: parts.some(({ isStale }) => isStale),
  };
}

/** Data on this machine says its own time; a provider's answer counts from when it was given. */
const dataTimeMs = ({ source, asOfMs, ageMs }: Sourced<unknown>, nowMs: number): number | null =>
  source === 'recorded' || source === 'generated' ? asOfMs : nowMs - ageMs;

/** The times that are held, so that an empty answer says where to look. */
export const shownSpan = ({ firstMs, lastMs }: HeldSpan) => ({ start: isoTime(firstMs), end: isoTime(lastMs) });

/** The same where a provider may be asked, which does not say. */
export const shownSpanOrNull = (held: HeldSpan | null) => (held === null ? null : shownSpan(held));
