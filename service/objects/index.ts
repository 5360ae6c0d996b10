import { join } from 'node:path';
import { openObjects } from '../../data/objects/index.js';
import type { ServiceConfig } from '../settings/config.js';
import type { State } from '../state/tables.js';
import { type PartFiles, StoredParts, sharedFolder } from './part-files.js';
import { SharedSeries } from './shared-series.js';

export type { PartFiles } from './part-files.js';

/** What all hosts of a deployment have in common beside the database. */
export interface SharedFiles {
  readonly parts: PartFiles;
  /** Sends bars and columns that were imported here, and takes those of other hosts. */
  syncSeries(): Promise<void>;
  /** Removes stored series that nothing names. */
  clearSeries(): Promise<void>;
  /** Asks the store of objects; null where a folder is shared, or nothing. */
  readonly probe: (() => Promise<void>) | null;
}

/** Of hosts that share a folder, or of a single one. */
export const sharedHome: SharedFiles = {
  parts: sharedFolder,
  syncSeries: async () => {},
  clearSeries: async () => {},
  probe: null,
};

const MB = 1024 * 1024;
/** Until then another host may still read a file that was replaced. */
const UNREFERENCED_MS_MAX = 3_600_000;

interface SharedFilesDeps {
  readonly config: ServiceConfig;
  readonly state: Pick<State, 'db'>;
  readonly clock: () => number;
  readonly onInternalError: (error: unknown) => void;
}

export function openSharedFiles({ config, state, clock, onInternalError }: SharedFilesDeps): SharedFiles {
  const { BARLINE_OBJECTS: bucket, BARLINE_HOME: home, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = config;
  if (bucket === undefined) return sharedHome;
  const objects = openObjects({
    ...bucket,
    endpoint: config.AWS_ENDPOINT_URL_S3,
    region: config.AWS_REGION,
    accessKeyId: AWS_ACCESS_KEY_ID ?? '',
    secretAccessKey: AWS_SECRET_ACCESS_KEY ?? '',
    sessionToken: config.AWS_SESSION_TOKEN,
  });
  const cacheBytesMax = config.BARLINE_OBJECTS_CACHE_MB * MB;
  const series = new SharedSeries({ db: state.db, objects, home });
  return {
    parts: new StoredParts({ objects, corpus: join(home, 'corpus'), cacheBytesMax, nowMs: clock, onInternalError }),
    syncSeries: () => series.sync(),
    clearSeries: () => series.clear(clock() - UNREFERENCED_MS_MAX),
    probe: () => objects.probe(),
  };
}
