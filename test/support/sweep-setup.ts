import { shareBars } from '../../engine/series/index.js';
import type { SweepDataset } from '../../engine/sweep/index.js';
import {
  runSweepChunks,
  type SweepPoolOptions,
  type SweepSetup,
  startThreads,
  type ThreadOptions,
} from '../../workers/index.js';
import { randomBars } from './random.js';
import { dataset } from './sweeps.js';
import { temporaryFolder } from './temporary-folder.js';

/** Random bars for every dataset of a sweep. */
export function setupFor(
  sweep: { readonly datasets: readonly unknown[] },
  barCount = 2_000,
  more: Partial<SweepSetup> = {},
): SweepSetup {
  const datasets = sweep.datasets.map((entry): SweepDataset => {
    const { asset, timeframe } = entry as { asset: string; timeframe: string };
    return dataset(asset, timeframe);
  });
  return {
    sweep,
    datasets,
    bars: datasets.map((_, i) => ({ shared: shareBars(randomBars({ seed: i, barCount })), first: 0 })),
    runsMax: 1_000_000,
    cacheBytesMax: 16_000_000,
    stop: new Int32Array(new SharedArrayBuffer(4)),
    rows: { folder: temporaryFolder('sweep'), experimentId: 'test', engineVersion: '0.0.0', btcReturns: [] },
    ...more,
  };
}

export type ChunkOptions = Omit<SweepPoolOptions, 'threads'> & ThreadOptions;

/** Runs chunks on threads of their own. */
export async function runChunks(options: ChunkOptions): Promise<void> {
  const threads = startThreads(options);
  try {
    await runSweepChunks({ ...options, threads });
  } finally {
    await threads.end();
  }
}

/** A sweep into a folder that holds none, for `runSweep`. */
export const sweepRequest = (sweep: unknown, folder: string) => ({
  ...{ sweep, folder, experimentId: 'exp_test', threads: 2, isResumed: false },
  stop: new Int32Array(new SharedArrayBuffer(4)),
  onProgress: () => {},
});
