import { triedIn } from '../../data/sweeps/index.js';
import type { TriesLedger } from '../../data/tries/index.js';

/**
 * Adds the runs of a sweep that traded to the ledger, and returns all tries that it has on the
 * assets of the sweep.
 */
export async function recordTries(
  folder: string,
  ledger: TriesLedger,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const known = new Map<string, readonly string[]>();
  for (const [asset, tries] of await triedIn(folder)) {
    await ledger.add(asset, tries);
    known.set(asset, await ledger.read(asset));
  }
  return known;
}
