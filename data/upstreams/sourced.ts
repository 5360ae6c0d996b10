/**
 * An answer and where it came from. Live data is stamped with its age, because a cache or an outage
 * can make it older than the call.
 */
export interface Sourced<T> {
  readonly value: T;
  /**
   * `recorded`: computed from data that was recorded. `generated`: drawn from a seed, because nothing
   * recorded exists. Otherwise the name of the provider.
   */
  readonly source: string;
  /**
   * The time of data on this machine, epoch ms: of the newest part of one answer, or of the last
   * bar that it follows. Null where it has no time, and for a provider, which has an age instead.
   */
  readonly asOfMs: number | null;
  /** Time since the provider answered; 0 for data on this machine. */
  readonly ageMs: number;
  /** How long the answer counts as fresh, from when the provider gave it. */
  readonly maxAgeMs: number;
  /** True if the provider failed, and an answer older than `maxAgeMs` took its place. */
  readonly isStale: boolean;
}

/** The times covered by stored data, epoch ms, both inclusive. */
export interface HeldSpan {
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Data on this machine: the same at every call, so never too old. */
const local = <T>(value: T, source: 'recorded' | 'generated', asOfMs: number | null): Sourced<T> => ({
  value,
  source,
  asOfMs,
  ageMs: 0,
  maxAgeMs: 0,
  isStale: false,
});

/** Computed from recorded data. */
export const recorded = <T>(value: T, asOfMs: number | null): Sourced<T> => local(value, 'recorded', asOfMs);

/** Drawn from a seed, at the market's now. A value computed from both kinds is generated. */
export const generated = <T>(value: T, asOfMs: number | null): Sourced<T> => local(value, 'generated', asOfMs);

/** The oldest of several times; null where none has any. */
export const oldestTime = (times: readonly (number | null)[]): number | null => {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
};

/** The answer with another value, computed from the first. */
export const mapSourced = <T, U>(sourced: Sourced<T>, map: (value: T) => U): Sourced<U> => ({
  ...sourced,
  value: map(sourced.value),
});

/** One value made of several answers: as old as the oldest, and stale if any is. */
export const joinSourced = <T>(
  value: T,
  first: Sourced<unknown>,
  ...others: readonly Sourced<unknown>[]
): Sourced<T> => {
  const parts = [first, ...others];
  return {
    value,
    source: first.source,
    asOfMs: oldestTime(parts.map(({ asOfMs }) => asOfMs)),
    ageMs: Math.max(...parts.map(({ ageMs }) => ageMs)),
    maxAgeMs: Math.min(...parts.map(({ maxAgeMs }) => maxAgeMs)),
    isStale: parts.some(({ isStale }) => isStale),
  };
};
