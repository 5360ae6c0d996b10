/**
 * Identities kept of the tries on a series: up to this many they are counted exactly, above it to
 * about 1.6 %, and the expected best of so many tries hardly depends on that.
 */
export const TRIES_KEPT = 4_096;

const HASH = /^[0-9a-f]{16}$/;
const HASHES = 2 ** 64;

/** Whether a text has the form of an identity that `RunIdentity` gives. */
export const isTry = (text: string): boolean => HASH.test(text);

/**
 * The distinct identities with the lowest hashes, ascending: enough to count all, in bounded room.
 * Joining is idempotent and in any order, so writers need not agree, and a try counts once.
 * Identities come from `RunIdentity`; anything else is left out.
 */
export function joinTries(...lists: readonly Iterable<string>[]): string[] {
  const distinct = new Set<string>();
  for (const list of lists) for (const hash of list) if (isTry(hash)) distinct.add(hash);
  return [...distinct].sort().slice(0, TRIES_KEPT);
}

/**
 * The number of distinct tries that have these as their lowest hashes: their number, or where more
 * were made, (k - 1) over the share of all hashes below the highest of k. Bar-Yossef et al. 2002,
 * "Counting distinct elements in a data stream".
 *
 * @param tries as `joinTries` returns them
 */
export function countTries(tries: readonly string[]): number {
  const highest = tries[TRIES_KEPT - 1];
  if (highest === undefined) return tries.length;
  return Math.round((TRIES_KEPT - 1) / (Number(BigInt(`0x${highest}`)) / HASHES));
}

/** What the best of the tries of one judged sweep on one dataset was worth. */
export interface TriedSweep {
  /** Identity of its plan and of the bars and window that it ran on. */
  readonly sweep: string;
  /** Identity of its plan, whatever it ran on: see `planIdentity`. */
  readonly plan: string;
  /** Tries that traded. */
  readonly tries: number;
  /** Unrelated tries whose best would be as lucky. */
  readonly unrelated: number;
}

/** What was tried before a sweep, outside of it. */
export interface EarlierTries {
  /** All tries ever made on the asset, the sweep's included. */
  readonly all: number;
  /** Tries that the sweep did not make. */
  readonly earlier: number;
  /** The known sweeps that made them. */
  readonly sweeps: readonly TriedSweep[];
  /** Assets outside of the sweep on which the same plan was tried. */
  readonly otherAssets: number;
}

export const NOTHING_EARLIER: EarlierTries = { all: 0, earlier: 0, sweeps: [], otherAssets: 0 };

/**
 * The number of unrelated tries that the earlier ones are worth. Luck's best of several sweeps is
 * at most that of as many unrelated tries as they have together, and a try is never worth more than
 * in the sweep whose tries were least related. Tries that no sweep reports count as unrelated.
 * @param share unrelated tries for each try of the sweep that is judged
 */
export function unrelatedBefore({ earlier, sweeps }: EarlierTries, share: number): number {
  const told = Math.min(
    earlier,
    sweeps.reduce((sum, { tries }) => sum + tries, 0),
  );
  const largest = sweeps.reduce((max, { tries, unrelated }) => Math.max(max, unrelated / tries), share);
  const together = sweeps.reduce((sum, { unrelated }) => sum + unrelated, 0);
  return Math.min(told * largest, together) + earlier - told;
}

/** The most sweeps whose worth a ledger keeps; the tries of others count as unrelated. */
const SWEEPS_KEPT = 4_096;

/** Each sweep once, at its highest worth; where there are too many, the sweeps worth most. */
export function joinSweeps(...lists: readonly Iterable<TriedSweep>[]): TriedSweep[] {
  const known = new Map<string, TriedSweep>();
  for (const list of lists) {
    for (const one of list) {
      const before = known.get(one.sweep);
      if (before === undefined || isWorthMore(one, before)) known.set(one.sweep, one);
    }
  }
  const all = [...known.values()];
  const kept = all.length <= SWEEPS_KEPT ? all : all.sort((a, b) => b.unrelated - a.unrelated).slice(0, SWEEPS_KEPT);
  return kept.sort((a, b) => (a.sweep < b.sweep ? -1 : 1));
}

const isWorthMore = (one: TriedSweep, before: TriedSweep): boolean =>
  one.unrelated > before.unrelated || (one.unrelated === before.unrelated && one.tries > before.tries);
