import type { StoredBars } from '../bars/index.js';

/** A file of result rows that the caller may read. */
export interface PartFile {
  readonly path: string;
  readonly experimentId: string;
  readonly rows: number;
}

/** A file of bars, with the values that all of its rows share. */
export type BarFile = Pick<
  StoredBars,
  'path' | 'asset' | 'interval' | 'file' | 'bars' | 'firstMs' | 'lastMs' | 'intervalMs'
>;
