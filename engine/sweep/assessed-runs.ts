/** Most runs of a sweep whose returns are kept: 1 KB each. */
export const ASSESSED_MAX = 100_000;

/**
 * Whether the returns of a run are kept for the judgement of its sweep. A larger sweep keeps the
 * returns of a random sample, drawn by a hash of the run's number and not by its result: a sample
 * that is sure to hold the best run flatters it.
 */
export const isAssessed = (run: number, totalRuns: number): boolean =>
  totalRuns <= ASSESSED_MAX || hashed(run) * totalRuns < ASSESSED_MAX * 2 ** 32;

/** A number in 0..2^32-1: the finalizer of MurmurHash3. */
function hashed(run: number): number {
  let hash = (run ^ (run / 2 ** 32)) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
