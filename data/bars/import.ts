import { basename } from 'node:path';
import { isoTime } from '../../engine/series/index.js';
import { type AddedBars, addBars } from './add-bars.js';
import { normaliseAsset } from './assets.js';
import type { Gap } from './inspect.js';
import { type ReadBarsOptions, readBarsFile } from './read-file.js';

export interface ImportOptions extends ReadBarsOptions {
  readonly asset: string;
  /** Replace different bars of the same asset and interval. */
  readonly replace?: boolean | undefined;
  /** Free text, stored with the bars. */
  readonly exchange?: string | undefined;
  readonly licence?: string | undefined;
}

export interface ImportedBars extends AddedBars {
  /** Holes on the interval grid; they are reported and not filled. */
  readonly gaps: readonly Gap[];
  /** Bars whose open time is not a multiple of the interval. */
  readonly offGridBars: number;
  /** Columns of the file that were not read. */
  readonly ignoredColumns: readonly string[];
}

/**
 * Reads and checks a file of bars and adds it to the catalogue in `folder`: all of it or nothing.
 */
export async function importBars(
  folder: string,
  path: string,
  { asset, intervalMs, replace = false, exchange, licence }: ImportOptions,
  nowMs: number,
): Promise<ImportedBars> {
  const name = normaliseAsset(asset);
  const inspected = await readBarsFile(path, { intervalMs });
  const notes = {
    origin: { source: basename(path), importedAt: isoTime(nowMs) },
    ...(exchange === undefined ? {} : { exchange }),
    ...(licence === undefined ? {} : { licence }),
  };
  const added = await addBars(folder, name, inspected, notes, replace);
  const { gaps, offGridBars, ignoredColumns } = inspected;
  return { ...added, gaps, offGridBars, ignoredColumns };
}
