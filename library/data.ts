import { type BarStore, exportBars, type ImportedBars, type ImportOptions } from '../data/bars/index.js';
import { settleMissing } from '../data/package/index.js';
import type { BarSeries } from '../engine/series/index.js';
import { type HomeOptions, homeServices } from './home.js';

export type { ImportedBars, ImportOptions } from '../data/bars/index.js';
export type { BarColumnsInput, BarRow, Bars } from './bars/columns-in.js';
export {
  type BarsSource,
  type FileBarsSource,
  type HeldBarsSource,
  loadBars,
  type MemoryBarsSource,
} from './bars/load-bars.js';
export type { HomeOptions } from './home.js';

/** A series that this machine holds. */
export type HeldSeries = Awaited<ReturnType<BarStore['list']>>[number];

/**
 * The series that this machine holds, by asset and interval: imported, fetched, and bundled ones.
 */
export const listBars = async (options: HomeOptions = {}): Promise<readonly HeldSeries[]> =>
  homeServices(options).store.list();

/**
 * Adds files of bars to the held ones: all of them or nothing. The options are the flags of
 * `barline data import`.
 *
 * @param files read together as one series
 * @throws EngineError INVALID_DATA with the row of a bar that breaks a rule; CONFLICT where other
 *   bars of that asset and interval are held
 */
export const importBars = (
  files: string | readonly string[],
  { home, ...options }: ImportOptions & HomeOptions,
): Promise<ImportedBars> => settleMissing(() => homeServices({ home }).store.import(files, options));

/** Writes bars with their further columns as a Parquet file, with times in UTC. */
export const writeBars = (path: string, bars: BarSeries): Promise<void> => settleMissing(() => exportBars(path, bars));
