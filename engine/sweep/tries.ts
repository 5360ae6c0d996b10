/**
 * Identities kept of the tries on a series: up to this many they are counted exactly, above it to
 * about 1.6 %, and the expected best of so many tries hardly depends on that.
 */
export const TRIES_KEPT = 4_096;

const HASH = /^[0-9a-f]{16}$/;
const HASHES = 2 ** 64;

/**
 * The distinct identities with the lowest hashes, ascending: enough to count all, in bounded room.
 * Joining is idempotent and in any order, so writers need not agree, and a try counts once.
 * Identities are those of `RunIdentity`; anything else is left out.
 */
export function joinTries(...lists: readonly Iterable<string>[]): string[] {
  const distinct = new Set<string>();
  for (const list of lists) for (const hash of list) if (HASH.test(hash)) distinct.add(hash);
  return [...distinct].sort().slice(0, TRIES_KEPT);
}

/**
 * The number of distinct tries of which these are the lowest hashes: their number, or where more
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
