import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type AllocateColumns, type BarSeries, FUNDING_COLUMN } from '../../engine/series/index.js';
import { whileUnchanged } from '../catalogue-file.js';
import { joinToBars, openColumns, readSeriesFile, type StoredColumn, sumInBars } from '../columns/index.js';
import { normaliseAsset } from './assets.js';
import { isSameName } from './catalogue.js';
import { type CheckedEntry, checkEntry } from './check.js';
import { type ImportedBars, type ImportOptions, importBars, importEachSymbol } from './import.js';
import { findGaps, type Gap } from './inspect.js';
import { loadEntry } from './load-entry.js';
import { readHeld } from './read-held.js';
import { entriesFor, joinedOf, listStored, noSuchInterval, type StoredBars, sourceAmong } from './stored.js';

interface BarStoreOptions {
  /** BARLINE_HOME; imported bars are in its folder `bars`. */
  readonly home: string;
  /**
   * A second, read-only catalogue: the bundled sample. Where both hold an asset and interval, the
   * user's entry wins.
   */
  readonly sampleDir?: string | undefined;
  /**
   * Allocates the loaded columns, for a process that keeps loading other series; by default each
   * series gets memory of its own.
   */
  readonly allocate?: AllocateColumns | undefined;
  /** The clock, for the time of an import. */
  readonly now?: (() => number) | undefined;
}

export interface BarsQuery {
  readonly asset: string;
  readonly intervalMs: number;
  /** Bars that open at or after this time; by default from the first bar. */
  readonly fromMs?: number | undefined;
  /** Bars that open before this time; by default to the last bar. */
  readonly toMs?: number | undefined;
  /** Added columns to join to the bars, by name; by default none. */
  readonly columns?: readonly string[] | undefined;
}

interface LoadedBars {
  readonly bars: BarSeries;
  /** The holes between the loaded bars. */
  readonly gaps: readonly Gap[];
  /** The entry they come from. Its content hash covers the whole file. */
  readonly entry: StoredBars;
}

export interface BarsSource {
  /** The entry to load. */
  readonly entry: StoredBars;
  /** The interval to aggregate the loaded bars to, or null when they have the wanted one. */
  readonly aggregateToMs: number | null;
}

/**
 * The bars on this machine. Every call reads the catalogues, so it sees imports by other processes.
 */
export interface BarStore {
  list(): Promise<readonly StoredBars[]>;
  has(asset: string, intervalMs: number): Promise<boolean>;
  /**
   * Stored bars as shared columns, with those added columns that the query names.
   * @throws NOT_FOUND when there are no such bars; EMPTY_WINDOW when the window has no bars
   */
  load(query: BarsQuery): Promise<LoadedBars>;
  /**
   * What to load for bars of any interval: the bars themselves, or the coarsest finer ones whose
   * interval divides it. The user's series win over bundled ones of any interval. Where the bars
   * are wanted from a time on and the finer ones begin earlier, these are taken.
   */
  resolveSource(asset: string, intervalMs: number, fromMs?: number): Promise<BarsSource>;
  /** Adds the bars of one file, or of several together. */
  import(paths: string | readonly string[], options: ImportOptions): Promise<ImportedBars>;
  /** Adds the bars of each symbol of the files, as assets of these names. */
  importEach(
    paths: readonly string[],
    options: Omit<ImportOptions, 'asset' | 'symbol'>,
  ): Promise<readonly ImportedBars[]>;
  /** Reads every file again and compares it with its entry. */
  check(): Promise<readonly CheckedEntry[]>;
}

export function openBars({ home, sampleDir, allocate, now = Date.now }: BarStoreOptions): BarStore {
  const userDir = join(home, 'bars');
  const columns = openColumns({ home, sampleDir });
  const folders = [userDir, ...(sampleDir === undefined ? [] : [sampleDir]), ...columns.folders];
  const list = whileUnchanged(folders, async () => listStored(userDir, sampleDir, await columns.list()));
  return {
    list,
    async has(asset, intervalMs) {
      const name = normaliseAsset(asset);
      return (await list()).some((entry) => entry.asset === name && entry.intervalMs === intervalMs);
    },
    async load({ asset, intervalMs, fromMs = -Infinity, toMs = Infinity, columns: names = [] }) {
      const find = async () => {
        const entries = entriesFor(await list(), asset);
        const entry = entries.find((held) => held.intervalMs === intervalMs);
        if (entry === undefined) throw noSuchInterval(entries, intervalMs, '');
        return entry;
      };
      return readHeld(find, async (entry) => {
        const joined = joinedOf(entry, names);
        const room = joined.map(({ column }) => column);
        const bars = await loadEntry(entry, fromMs, toMs, { allocate, room });
        await joinColumns(joined, bars);
        return { bars, gaps: findGaps(bars), entry };
      });
    },
    async resolveSource(asset, intervalMs, fromMs) {
      const entries = entriesFor(await list(), asset);
      const entry = sourceAmong(entries, intervalMs, fromMs);
      if (entry === undefined) throw noSuchInterval(entries, intervalMs, ', and no finer bars to aggregate');
      return { entry, aggregateToMs: entry.intervalMs === intervalMs ? null : intervalMs };
    },
    import: (paths, options) => importBars(userDir, [paths].flat(), options, now()),
    importEach: (paths, options) => importEachSymbol(userDir, paths, options, now()),
    async check() {
      const checked: CheckedEntry[] = [];
      // The loop checks one at a time, since each may be large.
      for (const entry of await list()) {
        let found = await checkEntry(entry);
        while (found.problems.length > 0) {
          const now = (await list()).find((other) => isSameName(other, entry));
          if (now === undefined || isDeepStrictEqual(now, found.entry)) break;
          found = await checkEntry(now); // replaced meanwhile, which deletes the file
        }
        checked.push(found);
      }
      return checked;
    },
  };
}

/** Fills the room for these columns. */
async function joinColumns(columns: readonly StoredColumn[], bars: BarSeries): Promise<void> {
  for (const { column, path } of columns) {
    const room = bars.columns[column];
    const write = column === FUNDING_COLUMN ? sumInBars : joinToBars;
    if (room !== undefined) write(await readSeriesFile(path), bars, room);
  }
}
