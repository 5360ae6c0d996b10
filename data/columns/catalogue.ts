import { isRecord } from '../../engine/errors.js';
import {
  type EntryRules,
  isCount,
  isFileName,
  isHash,
  isOptionalText,
  isText,
  isTime,
  readEntries,
  writeEntries,
} from '../catalogue-file.js';

/**
 * A folder of columns beside bars: one Parquet file per asset and column, and `catalogue.json`,
 * which describes them. Files are named by their content, like the files of bars.
 */

export interface ColumnEntry {
  readonly asset: string;
  readonly column: string;
  /** A file name in the folder of the catalogue. */
  readonly file: string;
  readonly values: number;
  /** When the first and the last value were published, ISO 8601 UTC. */
  readonly firstTime: string;
  readonly lastTime: string;
  /** Periods for which the source later gave another value, which is not used. */
  readonly revisions: number;
  /** Of the values and the times of their publication. */
  readonly contentHash: string;
  readonly origin: { readonly source: string; readonly addedAt: string };
  /** Free text. */
  readonly licence?: string;
}

const entryRules: EntryRules = {
  asset: isText,
  column: isText,
  file: isFileName,
  values: (value) => isCount(value) && value !== 0,
  firstTime: isTime,
  lastTime: isTime,
  revisions: isCount,
  contentHash: isHash,
  origin: (value) => isRecord(value) && isText(value.source) && isTime(value.addedAt),
  licence: isOptionalText,
};

/** The entries of the catalogue in `folder`. @throws INVALID_DATA when it is not a catalogue */
export const readColumnCatalogue = (folder: string): Promise<readonly ColumnEntry[]> =>
  readEntries(folder, 'a catalogue of columns', entryRules);

/** Replaces the catalogue in `folder`. The caller holds its lock. */
export const writeColumnCatalogue = (folder: string, entries: readonly ColumnEntry[]): Promise<void> =>
  writeEntries(folder, [...entries].sort(byColumn));

export const isSameColumn = (a: ColumnEntry, b: Pick<ColumnEntry, 'asset' | 'column'>): boolean =>
  a.asset === b.asset && a.column === b.column;

/** By asset, then by column. */
export const byColumn = (a: ColumnEntry, b: ColumnEntry): number =>
  a.asset === b.asset ? (a.column < b.column ? -1 : 1) : a.asset < b.asset ? -1 : 1;
