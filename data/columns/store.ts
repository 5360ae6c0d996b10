import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError, isRecord, quote } from '../../engine/errors.js';
import { EXTRA_COLUMNS_MAX, isoTime } from '../../engine/series/index.js';
import { normaliseAsset } from '../bars/assets.js';
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
import { duckDbReason, parquetSource, vectorItems, withDuckDb } from '../duckdb.js';
import { asidePath, makeFolder, putInPlace, removeAbandoned } from '../files.js';
import { withLock } from '../lock.js';
import { writeParquet } from '../tables/write-parquet.js';
import { hashOfSeries, type MergedSeries, mergeRows, type PublishedRows, type PublishedSeries } from './series.js';

/** The source of columns that a seed draws. Their values say nothing of the market. */
export const GENERATED = 'generated';

/** An entry of one of the catalogues, with the path of its file. */
export interface StoredColumn extends ColumnEntry {
  readonly path: string;
  readonly isSample: boolean;
}

interface ColumnStoreOptions {
  /** BARLINE_HOME; added columns are in its folder `columns`. */
  readonly home: string;
  /** Bundled data: a second catalogue in its folder `columns`, which the user's columns hide. */
  readonly sampleDir?: string | undefined;
  /** The clock, for the time of an addition. */
  readonly now?: (() => number) | undefined;
}

interface NewColumn {
  readonly asset: string;
  readonly column: string;
  readonly rows: PublishedRows;
  /** Where the rows come from, for the record. */
  readonly source: string;
  readonly licence?: string | undefined;
  /** Store these rows instead of those held. */
  readonly replace?: boolean | undefined;
}

export interface AddedColumn extends Pick<MergedSeries, 'lateRows' | 'emptyRows'> {
  readonly status: 'added' | 'extended' | 'replaced' | 'unchanged';
  readonly entry: ColumnEntry;
}

/**
 * The columns beside bars on this machine: one series an asset and column, for bars of any
 * interval.
 */
export interface ColumnStore {
  /** Folders of the catalogues. */
  readonly folders: readonly string[];
  list(): Promise<readonly StoredColumn[]>;
  /**
   * Adds rows to a stored column. Bundled columns are copied first, and stay as they are.
   * @throws INVALID_DATA when no row has a value; INVALID_FIELD for a column too many, or one whose
   *   name another differs from in case only; CONFLICT for real values beside generated ones
   */
  add(column: NewColumn): Promise<AddedColumn>;
  /** @throws NOT_FOUND for a column that is not held, or is bundled */
  remove(asset: string, column: string): Promise<ColumnEntry>;
}

export function openColumns({ home, sampleDir, now = Date.now }: ColumnStoreOptions): ColumnStore {
  const folder = join(home, 'columns');
  const locked = <T>(work: () => Promise<T>): Promise<T> => withLock(join(folder, 'catalogue.lock'), work);
  const sampleFolder = sampleDir === undefined ? undefined : join(sampleDir, 'columns');
  const list = () => listColumns(folder, sampleFolder);
  return {
    folders: sampleFolder === undefined ? [folder] : [folder, sampleFolder],
    list,
    async add(column) {
      await makeFolder(folder);
      return locked(async () => addTo(folder, await list(), { ...column, asset: normaliseAsset(column.asset) }, now()));
    },
    async remove(asset, column) {
      const name = normaliseAsset(asset);
      await makeFolder(folder);
      return locked(async () => {
        const own = await readColumnCatalogue(folder);
        const entry = own.find((one) => isSameColumn(one, { asset: name, column }));
        if (entry === undefined) {
          const known = own.filter((one) => one.asset === name).map((one) => one.column);
          const added = known.length === 0 ? 'none' : known.join(', ');
          throw new EngineError('NOT_FOUND', `no added column ${quote(column)} of ${name} (added: ${added})`, {
            column,
          });
        }
        await writeColumnCatalogue(
          folder,
          own.filter((one) => one !== entry),
        );
        await rm(join(folder, entry.file), { force: true });
        return entry;
      });
    },
  };
}

/** The caller holds the lock. @param stored the columns of all assets */
async function addTo(
  folder: string,
  stored: readonly StoredColumn[],
  { asset, column, rows, source, licence, replace = false }: NewColumn,
  nowMs: number,
): Promise<AddedColumn> {
  const found = stored.find((entry) => isSameColumn(entry, { asset, column }));
  const others = stored.filter((entry) => entry.asset === asset && entry !== found).map((entry) => entry.column);
  const twin = others.find((other) => other.toLowerCase() === column.toLowerCase());
  if (twin !== undefined) throw wrongColumn(`${column} differs only in case from the column ${twin} of ${asset}`);
  if (others.length >= EXTRA_COLUMNS_MAX) {
    throw wrongColumn(`an asset may have at most ${EXTRA_COLUMNS_MAX} added columns, ${asset} has ${others.length}`);
  }
  if (found !== undefined && !replace && (found.origin.source === GENERATED) !== (source === GENERATED)) {
    const held = found.origin.source === GENERATED ? 'generated' : 'real';
    const message = `${column} of ${asset} holds ${held} values, and these are not; --replace stores them instead`;
    throw new EngineError('CONFLICT', message, { asset, column });
  }
  const held = found === undefined || replace ? null : await readSeriesFile(found.path);
  const { series, lateRows, emptyRows } = mergeRows(held, rows);
  if (series.value.length === 0) throw new EngineError('INVALID_DATA', `${column}: no row has a value`, { column });
  const origin = { source, addedAt: isoTime(nowMs) };
  const entry = { ...describe(asset, column, series), origin, ...(licence === undefined ? {} : { licence }) };
  if (found !== undefined && isUnchanged(found, entry)) {
    return { status: 'unchanged', entry: found, lateRows, emptyRows };
  }
  await publish(folder, entry, series);
  return { status: found === undefined ? 'added' : replace ? 'replaced' : 'extended', entry, lateRows, emptyRows };
}

const wrongColumn = (message: string) => new EngineError('INVALID_FIELD', message, { field: 'column' });

/**
 * The columns of both catalogues, by asset and column; the user's columns hide columns of the
 * sample.
 */
async function listColumns(folder: string, sampleFolder: string | undefined): Promise<StoredColumn[]> {
  const own = await entries(folder, false);
  const sample = sampleFolder === undefined ? [] : await entries(sampleFolder, true);
  return [...own, ...sample.filter((entry) => !own.some((other) => isSameColumn(other, entry)))].sort(byColumn);
}

const entries = async (folder: string, isSample: boolean): Promise<StoredColumn[]> =>
  (await readColumnCatalogue(folder)).map((entry) => ({ ...entry, path: join(folder, entry.file), isSample }));

function describe(asset: string, column: string, series: PublishedSeries) {
  const contentHash = hashOfSeries(series);
  return {
    asset,
    column,
    file: `${asset}.${column}-${contentHash.slice(0, 12)}.parquet`,
    values: series.value.length,
    firstTime: isoTime(series.published[0] ?? NaN),
    lastTime: isoTime(series.published.at(-1) ?? NaN),
    revisions: series.revised.reduce((sum, flag) => sum + flag, 0),
    contentHash,
  };
}

const isUnchanged = (held: ColumnEntry, entry: ColumnEntry): boolean =>
  held.contentHash === entry.contentHash && held.revisions === entry.revisions;

/** The caller holds the lock. A new file has its place before the catalogue names it. */
async function publish(folder: string, entry: ColumnEntry, series: PublishedSeries): Promise<void> {
  const aside = asidePath(join(folder, entry.file));
  try {
    await writeSeriesFile(aside, series);
    await putInPlace(aside, join(folder, entry.file));
  } finally {
    await rm(aside, { force: true });
  }
  const own = await readColumnCatalogue(folder);
  const replaced = own.find((other) => isSameColumn(other, entry));
  await writeColumnCatalogue(folder, [...own.filter((other) => other !== replaced), entry]);
  if (replaced !== undefined && replaced.file !== entry.file) await rm(join(folder, replaced.file), { force: true });
  await removeAbandoned(folder);
}

/** Reads the file of a column again; one line for each fact that is not as its entry says. */
export async function checkColumn(entry: StoredColumn): Promise<string[]> {
  try {
    const found = describe(entry.asset, entry.column, await readSeriesFile(entry.path));
    return Object.entries(found).flatMap(([field, value]) => {
      const recorded = entry[field as keyof typeof found];
      if (value === recorded) return [];
      return [`${entry.file}: ${field} must be ${JSON.stringify(recorded)}, is ${JSON.stringify(value)}`];
    });
  } catch (error) {
    if (error instanceof EngineError) return [error.message];
    throw error;
  }
}

/** Writes a series as a Parquet file: period, published, value, revised. */
const writeSeriesFile = (path: string, { period, published, value, revised }: PublishedSeries): Promise<void> =>
  writeParquet(path, [
    { name: 'period', type: 'time', values: period },
    { name: 'published', type: 'time', values: published },
    { name: 'value', type: 'double', values: value },
    { name: 'revised', type: 'boolean', values: Array.from(revised, (flag) => flag === 1) },
  ]);

/** @throws INVALID_DATA when the file is missing or damaged */
export async function readSeriesFile(path: string): Promise<PublishedSeries> {
  const columns = ['epoch_ms(period)', 'epoch_ms(published)', 'value', 'revised'];
  const sql = `SELECT ${columns.map((column) => `CAST(${column} AS DOUBLE)`).join(', ')} FROM ${parquetSource(path)}`;
  try {
    return await withDuckDb(async (connection) => {
      const chunks = await (await connection.run(sql)).fetchAllChunks();
      const read = (index: number) =>
        Float64Array.from(
          chunks.flatMap((chunk) => Array.from(vectorItems<Float64Array>(chunk.getColumnVector(index)))),
        );
      return { period: read(0), published: read(1), value: read(2), revised: Uint8Array.from(read(3)) };
    });
  } catch (error) {
    throw new EngineError('INVALID_DATA', `${path} cannot be read, add the column again: ${duckDbReason(error)}`, {
      path,
    });
  }
}

/**
 * A folder of columns beside bars: one Parquet file per asset and column, and `catalogue.json`,
 * which describes them. Files are named by their content, like the files of bars.
 */

interface ColumnEntry {
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
const readColumnCatalogue = (folder: string): Promise<readonly ColumnEntry[]> =>
  readEntries(folder, 'a catalogue of columns', entryRules);

/** Replaces the catalogue in `folder`. The caller holds its lock. */
const writeColumnCatalogue = (folder: string, entries: readonly ColumnEntry[]): Promise<void> =>
  writeEntries(folder, [...entries].sort(byColumn));

const isSameColumn = (a: ColumnEntry, b: Pick<ColumnEntry, 'asset' | 'column'>): boolean =>
  a.asset === b.asset && a.column === b.column;

/** By asset, then by column. */
const byColumn = (a: ColumnEntry, b: ColumnEntry): number =>
  a.asset === b.asset ? (a.column < b.column ? -1 : 1) : a.asset < b.asset ? -1 : 1;
