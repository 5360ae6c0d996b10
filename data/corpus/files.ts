import { join } from 'node:path';
import type { StoredBars } from '../bars/index.js';
import type { CorpusPart } from '../state/index.js';
import { openSweepFolder } from '../sweeps/index.js';

/** A file of result rows that readers may see. */
export interface PartFile {
  readonly path: string;
  readonly experimentId: string;
  readonly rows: number;
}

/** A file of bars and what all of its rows have in common. */
export type BarFile = Pick<StoredBars, 'path' | 'asset' | 'interval' | 'file' | 'bars'>;

/** Where the rows of an experiment are kept, below the home of the service. */
export const experimentFolder = (home: string, orgId: string, experimentId: string): string =>
  join(home, 'corpus', orgId, experimentId);

export const partFileOf = (home: string, orgId: string, { experimentId, runFrom, runTo }: CorpusPart): PartFile => ({
  path: openSweepFolder(experimentFolder(home, orgId, experimentId)).pathOf(runFrom, runTo),
  experimentId,
  rows: runTo - runFrom,
});

/** A path as DuckDB takes it: meaning itself, whatever characters it has. */
export const literalPath = (path: string): string => path.replace(/[*?[]/g, '[$&]');
