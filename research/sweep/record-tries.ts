import { triedIn } from '../../data/sweeps/index.js';
import type { TriesLedger } from '../../data/tries/index.js';
import type { Assessment } from '../../engine/sweep/index.js';
import { type TriedBefore, triedSweeps } from './assess-sweep.js';
import type { PreparedSweep } from './prepare-sweep.js';

/**
 * Adds the runs of a sweep that traded to the ledger, and returns all tries that it has on the
 * assets of the sweep, with what judged sweeps were worth on any asset.
 */
export async function recordTries(folder: string, ledger: TriesLedger): Promise<TriedBefore> {
  const tries = new Map<string, readonly string[]>();
  for (const [asset, hashes] of await triedIn(folder)) {
    await ledger.add(asset, hashes);
    tries.set(asset, await ledger.read(asset));
  }
  return { tries, sweeps: await ledger.sweeps() };
}

/** Adds what a judged sweep was worth: later ones are judged by it. */
export async function recordAssessed(
  prepared: PreparedSweep,
  honesty: readonly Assessment[],
  ledger: TriesLedger,
): Promise<void> {
  for (const { asset, tried } of triedSweeps(prepared, honesty)) await ledger.addSweep(asset, tried);
}
