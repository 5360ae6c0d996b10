import { openRuns } from '../data/runs/index.js';
import type { BacktestRun } from '../research/backtest/index.js';
import type { Environment } from './environment.js';
import { firstLine } from './inputs.js';
import { note } from './output.js';

/**
 * Saves the record of a run for `replay` and `compare`. A failure only prints a note, because the
 * result is still worth printing.
 */
export async function recordRun({ result: { manifest } }: BacktestRun, { home }: Environment): Promise<void> {
  try {
    await openRuns(home).save(manifest.run_id, manifest);
  } catch (error) {
    note(`barline: record not saved: ${firstLine(String(error))}`);
  }
}
