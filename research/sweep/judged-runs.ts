import { readRuns } from '../../data/sweeps/index.js';
import { type MetricName, metricNames } from '../../engine/metrics/index.js';
import type { RunTable, SweepDataset } from '../../engine/sweep/index.js';
import { type ChunkResult, runStatuses } from '../../workers/index.js';

const OK = runStatuses.indexOf('ok');
const places = new Map(metricNames.map((name, m) => [name, m]));

/** Keeps what the judgement reads of finished runs. */
export function keepRuns(table: RunTable, chunk: ChunkResult): void {
  const { from, count, statuses, datasets, configHashes, metrics, returns } = chunk;
  for (let k = 0; k < count; k++) {
    if (statuses[k] !== OK) continue;
    const row = k * metricNames.length;
    table.add(
      {
        run: from + k,
        dataset: datasets[k] ?? 0,
        configHash: configHashes[k] ?? '',
        returns: returns[k] ?? null,
      },
      (name) => metrics[row + (places.get(name) ?? 0)] ?? Number.NaN,
    );
  }
}

interface JudgedSweep {
  readonly folder: string;
  readonly totalRuns: number;
  /** Windows of a sweep that walks forward are datasets of their own. */
  readonly datasets: readonly SweepDataset[];
  /** What the process that ran the sweep kept, if it ran all of it. */
  readonly kept?: RunTable | null | undefined;
}

/** What the runs of a sweep gave: as kept for the metric that ranks them, or read from the rows. */
export const judgedRuns = async ({ kept, folder, ...planned }: JudgedSweep, by: MetricName): Promise<RunTable> =>
  kept?.by === by ? kept : readRuns(folder, planned, by);
