import { openRuns } from '../data/runs/index.js';
import { openTries } from '../data/tries/index.js';
import type { BacktestRun } from '../research/backtest/index.js';
import type { PortfolioRun, tryOfPortfolio } from '../research/portfolio/index.js';
import type { Environment } from './environment.js';
import { firstLine } from './inputs.js';
import { note } from './output.js';
import { systemFault } from './system-errors.js';

/** Saves the record of a run for `replay` and `compare`, and counts it among the tries on its asset. */
export const recordRun = ({ result, tried }: BacktestRun, environment: Environment): Promise<void> =>
  record(result.manifest.run_id, result.manifest, tried && { assets: [tried.asset], ...tried }, environment);

/** The same of a portfolio, a try on each of its assets. */
export const recordPortfolio = async (run: PortfolioRun, environment: Environment): Promise<void> => {
  const { tryOfPortfolio } = await import('../research/portfolio/index.js'); // a run of one asset does without
  const { manifest } = run.result;
  return record(manifest.run_id, { manifest }, tryOfPortfolio(run), environment);
};

/** A failure only prints a note, because the result is still worth printing. */
async function record(
  runId: string,
  kept: object,
  tried: ReturnType<typeof tryOfPortfolio> | null,
  environment: Environment,
) {
  const { home } = environment;
  try {
    await openRuns(home).save(runId, kept);
    if (tried === null) return;
    for (const asset of tried.assets) await openTries(home).add(asset, [tried.identity]);
  } catch (error) {
    note(`barline: record not saved: ${(await systemFault(error, environment)) ?? firstLine(String(error))}`);
  }
}
