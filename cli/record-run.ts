import { openRuns } from '../data/runs/index.js';
import type { BacktestRun } from '../research/backtest/index.js';
import type { Environment } from './environment.js';
import { firstLine } from './inputs.js';
import { note } from './output.js';

/**
 * Keeps the record of a run for `replay` and `compare`. A result is worth printing even where that
 * fails.
 */
export async function recordRun({ result: { manifest } }: BacktestRun, { home }: Environment): Promise<void> {
  try {
    await openRuns(home).save(manifest.run_id, manifest);
  } catch (error) {
    note(`barline: no record kept: ${firstLine(String(error))}`);
  }
}
