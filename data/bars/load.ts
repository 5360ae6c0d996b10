import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { EngineError } from '../../engine/errors.js';
import { type AllocateColumns, type BarSeries, FUNDING_COLUMN, findGaps } from '../../engine/series/index.js';
import { whileUnchanged } from '../catalogue-file.js';
import {
  checkColumn,
  joinToBars,
  openColumns,
  readSeriesFile,
  type StoredColumn,
  sumInBars,
} from '../columns/index.js';
import { describeBars } from './add-bars.js';
import { normaliseAsset } from './assets.js';
import { isSameName } from './catalogue.js';
import { openDrawn } from './drawn.js';
import { type ImportedBars, type ImportOptions, importBars, importEachSymbol } from './import.js';
import { loadEntry, readHeld } from './load-entry.js';
import { readBarsFile } from './read-file.js';
import {
  type BarReads,
  entriesFor,
  joinedColumns,
  listStored,
  noSuchInterval,
  type StoredBars,
  sourceAmong,
} from './stored.js';

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

/**
 * The bars on this machine. Every call reads the catalogues, so it sees imports by other processes.
 */
export interface BarStore extends BarReads {
  has(asset: string, intervalMs: number): Promise<boolean>;
  /** Adds the bars of one file, or of several together. */
  import(paths: string | readonly string[], options: ImportOptions): Promise<ImportedBars>;
  /** Adds the bars of each symbol of the files, as assets of these names. */
  importEach(
    paths: readonly string[],
    options: Omit<ImportOptions, 'asset' | 'symbol'>,
  ): Promise<readonly ImportedBars[]>;
  /** Reads every file again and compares it with its entry. */
  check(): Promise<readonly CheckedEntry[]>;
  /** The same with bars drawn where only coarser ones are held, for runs that allow them. */
  readonly drawn: BarReads;
}

export function openBars({ home, sampleDir, allocate, now = Date.now }: BarStoreOptions): BarStore {
  const userDir = join(home, 'bars');
  const columns = openColumns({ home, sampleDir });
  const folders = [userDir, ...(sampleDir === undefined ? [] : [sampleDir]), ...columns.folders];
  const list = whileUnchanged(folders, async () => listStored(userDir, sampleDir, await columns.list()));
  const reads: BarReads = {
    list,
    async load({ asset, intervalMs, fromMs = -Infinity, toMs = Infinity, columns: names = [] }) {
      const find = async () => {
        const entries = entriesFor(await list(), asset);
        const entry = entries.find((held) => held.intervalMs === intervalMs);
        if (entry === undefined) throw noSuchInterval(entries, intervalMs, '');
        return entry;
      };
      return readHeld(find, async (entry) => {
        const joined = joinedColumns(entry, names);
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
  };
  return {
    ...reads,
    drawn: openDrawn(reads, (entry, names, bars) => joinColumns(joinedColumns(entry, names), bars), allocate),
    async has(asset, intervalMs) {
      const name = normaliseAsset(asset);
      return (await list()).some((entry) => entry.asset === name && entry.intervalMs === intervalMs);
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

interface CheckedEntry {
  readonly entry: StoredBars;
  /** The problems of the stored bars, one line each; empty when all is well. */
  readonly problems: readonly string[];
}

/**
 * Reads the file of an entry with all the rules of an import and compares the result with the
 * entry; then the files of its added columns.
 */
async function checkEntry(entry: StoredBars): Promise<CheckedEntry> {
  try {
    const found = describeBars(await readBarsFile(entry.path, { intervalMs: entry.intervalMs }));
    const problems = Object.entries(found).flatMap(([field, value]) => {
      const recorded = entry[field as keyof typeof found];
      const difference = `${entry.file}: ${field} must be ${JSON.stringify(recorded)}, is ${JSON.stringify(value)}`;
      return isDeepStrictEqual(value, recorded) ? [] : [difference];
    });
    for (const column of entry.added) problems.push(...(await checkColumn(column)));
    return { entry, problems };
  } catch (error) {
    if (error instanceof EngineError) return { entry, problems: [error.message] };
    throw error;
  }
}
