import type { TriesLedger } from '../../data/tries/index.js';
import type { Assessment, RunTable } from '../../engine/sweep/index.js';
import { type TriedBefore, triedSweeps } from './assess-sweep.js';
import type { PreparedSweep } from './prepare-sweep.js';

/**
 * Adds the runs of a sweep that traded to the ledger, and returns all tries that it has on the
 * assets of the sweep, with what judged sweeps were worth on any asset.
 */
export async function recordTries(
  { definition: { datasets } }: PreparedSweep,
  runs: RunTable,
  ledger: TriesLedger,
): Promise<TriedBefore> {
  const tries = new Map<string, readonly string[]>();
  for (const asset of new Set(datasets.map((dataset) => dataset.asset))) {
    await ledger.add(
      asset,
      runs.tried((place) => datasets[place]?.asset === asset),
    );
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
