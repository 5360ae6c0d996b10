import type { StoredBars } from '../bars/index.js';

/** A file of result rows that readers may see. */
export interface PartFile {
  readonly path: string;
  readonly experimentId: string;
  readonly rows: number;
}

/** A file of bars and what all of its rows have in common. */
export type BarFile = Pick<StoredBars, 'path' | 'asset' | 'interval' | 'file' | 'bars'>;
