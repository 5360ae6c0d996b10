/** Runs portfolios of an experiment in a thread, and writes their rows. */
import { openSweepFolder } from '../../data/sweeps/index.js';
import type { SweepDataset } from '../../engine/sweep/index.js';
import {
  failedPortfolios,
  type PortfolioSetup,
  portfolioRowsOf,
  runPortfolios,
} from '../../research/portfolio/sweep/index.js';
import type { ChunkResult } from '../../workers/index.js';

/** What all blocks of an experiment over portfolios share. */
export interface PortfolioBlockSetup extends PortfolioSetup {
  readonly sampleDir: string;
  readonly rows: {
    readonly folder: string;
    readonly experimentId: string;
    readonly datasets: readonly SweepDataset[];
  };
  /** Set to a value other than 0 to stop after the current chunk. */
  readonly stop: Int32Array;
}

export interface PortfolioBlockTask {
  readonly setup: PortfolioBlockSetup;
  readonly from: number;
  readonly to: number;
  /** If set, no portfolio is run; all rows report this error. */
  readonly failure?: string;
}

export default async function perform({ setup, from, to, failure }: PortfolioBlockTask): Promise<ChunkResult> {
  const { folder, experimentId, datasets } = setup.rows;
  const chunk = failure === undefined ? await runPortfolios({ setup, from, to }) : failedPortfolios(from, to, failure);
  const rows = portfolioRowsOf(chunk, setup, datasets, experimentId);
  let writeError: string | null = null;
  try {
    await openSweepFolder(folder).writePart(from, to, rows);
  } catch (error) {
    writeError = `the rows cannot be written: ${(error as Error).message}`;
  }
  const { count, statuses, errors, elapsedMs, metrics } = chunk;
  return { from, count, statuses, errors, elapsedMs, metrics, writeError, configHashes: [] };
}
