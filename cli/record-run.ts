import { openRuns } from '../data/runs/index.js';
import { openTries } from '../data/tries/index.js';
import type { BacktestRun } from '../research/backtest/index.js';
import type { Environment } from './environment.js';
import { firstLine } from './inputs.js';
import { note } from './output.js';
import { systemFault } from './system-errors.js';

/**
 * Saves the record of a run for `replay` and `compare`, and counts it among the tries on its asset.
 * A failure only prints a note, because the result is still worth printing.
 */
export async function recordRun({ result, tried }: BacktestRun, environment: Environment): Promise<void> {
  const { home } = environment;
  const { manifest } = result;
  try {
    await openRuns(home).save(manifest.run_id, manifest);
    if (tried !== null) await openTries(home).add(tried.asset, [tried.identity]);
  } catch (error) {
    note(`barline: record not saved: ${(await systemFault(error, environment)) ?? firstLine(String(error))}`);
  }
}
