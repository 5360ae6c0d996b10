import { isRecord } from '../../engine/errors.js';
import { tryParseInterval } from '../../engine/series/index.js';
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
 * A folder of bars: one sorted Parquet file per asset and interval, and `catalogue.json`, which
 * describes them. A file is named by its content and never changes. The catalogue is renamed into
 * place last, so it names only complete files at every moment. It does not name what a crash leaves
 * behind; a later import overwrites or removes that.
 */

export interface CatalogueEntry {
  readonly asset: string;
  /** `5m`, `1h`, `1d`. */
  readonly interval: string;
  /** A file name in the folder of the catalogue. */
  readonly file: string;
  readonly bars: number;
  /** Open times of the first and last bar, ISO 8601 UTC. */
  readonly firstTime: string;
  readonly lastTime: string;
  readonly gaps: { readonly count: number; readonly missingBars: number };
  readonly zeroVolumeBars: number;
  readonly contentHash: string;
  readonly columns: readonly string[];
  readonly origin: { readonly source: string; readonly importedAt: string };
  /** Free text. */
  readonly exchange?: string;
  readonly licence?: string;
}

/**
 * The entries of the catalogue in `folder`; empty when there is no catalogue.
 *
 * @throws INVALID_DATA naming the file when it is not a catalogue
 */
export const readCatalogue = (folder: string): Promise<readonly CatalogueEntry[]> =>
  readEntries(folder, 'a catalogue of bars', entryRules);

/** Replaces the catalogue in `folder` by one with these entries. The caller holds its lock. */
export const writeCatalogue = (folder: string, entries: readonly CatalogueEntry[]): Promise<void> =>
  writeEntries(folder, [...entries].sort(byName));

const entryRules: EntryRules = {
  asset: isText,
  interval: (value) => isText(value) && tryParseInterval(value) !== null,
  file: isFileName,
  bars: (value) => isCount(value) && value !== 0,
  firstTime: isTime,
  lastTime: isTime,
  gaps: (value) => isRecord(value) && isCount(value.count) && isCount(value.missingBars),
  zeroVolumeBars: isCount,
  contentHash: isHash,
  columns: (value) => Array.isArray(value) && value.every(isText),
  origin: (value) => isRecord(value) && isText(value.source) && isTime(value.importedAt),
  exchange: isOptionalText,
  licence: isOptionalText,
};

export const isSameName = (a: CatalogueEntry, b: CatalogueEntry): boolean =>
  a.asset === b.asset && a.interval === b.interval;

/** By asset, then from the finest interval to the coarsest. */
export const byName = (a: CatalogueEntry, b: CatalogueEntry): number =>
  // biome-ignore lint/style/noNonNullAssertion: the catalogue contains only checked intervals
  a.asset === b.asset ? tryParseInterval(a.interval)! - tryParseInterval(b.interval)! : a.asset < b.asset ? -1 : 1;
