import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError, quote } from '../../engine/errors.js';
import { tryParseInterval } from '../../engine/series/index.js';
import { replaceFile } from '../files.js';

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

const VERSION = 1;
const fileIn = (folder: string) => join(folder, 'catalogue.json');

/**
 * The entries of the catalogue in `folder`; empty when there is no catalogue.
 *
 *
 * @throws INVALID_DATA naming the file when it is not a catalogue
 */
export async function readCatalogue(folder: string): Promise<readonly CatalogueEntry[]> {
  const path = fileIn(folder);
  const refuse = (rule: string): never => {
    throw new EngineError('INVALID_DATA', `${path} ${rule}`, { path });
  };
  let content: unknown;
  try {
    content = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    return refuse(
      error instanceof SyntaxError ? 'is not valid JSON' : `cannot be read (${(error as NodeJS.ErrnoException).code})`,
    );
  }
  if (!isRecord(content) || !Array.isArray(content.entries)) return refuse('is not a catalogue of bars');
  if (content.version !== VERSION) return refuse(`must be of version ${VERSION}, was ${quote(content.version)}`);
  for (const [index, entry] of content.entries.entries()) {
    const broken = isRecord(entry)
      ? // biome-ignore lint/style/noNonNullAssertion: the field is a key of this table
        Object.keys(entryRules).find((field) => !entryRules[field]!(entry[field]))
      : 'entry';
    if (broken !== undefined) refuse(`entry ${index + 1}: ${broken} is missing or wrong`);
  }
  return content.entries as CatalogueEntry[];
}

/** Replaces the catalogue in `folder` by one with these entries. The caller holds its lock. */
export async function writeCatalogue(folder: string, entries: readonly CatalogueEntry[]): Promise<void> {
  const text = `${JSON.stringify({ version: VERSION, entries: [...entries].sort(byName) }, null, 1)}\n`;
  await replaceFile(fileIn(folder), (path) => writeFile(path, text));
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const isTime = (value: unknown) => typeof value === 'string' && !Number.isNaN(Date.parse(value)) && value.endsWith('Z');
const isText = (value: unknown) => typeof value === 'string';
const isOptionalText = (value: unknown) => value === undefined || isText(value);

const entryRules: Readonly<Record<string, (value: unknown) => boolean>> = {
  asset: isText,
  interval: (value) => isText(value) && tryParseInterval(value as string) !== null,
  file: (value) => isText(value) && /^[A-Za-z0-9][A-Za-z0-9._-]*\.parquet$/.test(value as string), // never a path
  bars: (value) => isCount(value) && value !== 0,
  firstTime: isTime,
  lastTime: isTime,
  gaps: (value) => isRecord(value) && isCount(value.count) && isCount(value.missingBars),
  zeroVolumeBars: isCount,
  contentHash: (value) => isText(value) && /^[0-9a-f]{64}$/.test(value as string),
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
