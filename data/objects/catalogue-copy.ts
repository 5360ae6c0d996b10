import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readEntries, whileUnchanged, writeEntries } from '../catalogue-file.js';
import { addFile, makeFolder } from '../files.js';
import { withLock } from '../lock.js';

/** An entry of a catalogue of bars or columns, as far as an exchange between homes looks at it. */
export interface SeriesEntry {
  readonly asset: string;
  /** A file name, which holds a part of the content hash. */
  readonly file: string;
  readonly contentHash: string;
  readonly origin: Readonly<Record<string, unknown>>;
}

/** By folder of a home: the field beside `asset` that tells series apart, and the time of storing. */
const folders = {
  bars: { field: 'interval', time: 'importedAt' },
  columns: { field: 'column', time: 'addedAt' },
} as const;

export type SeriesFolder = keyof typeof folders;
export const seriesFolders = Object.keys(folders) as readonly SeriesFolder[];

/** The stored series of one folder of a home, to exchange them with other homes. */
export interface CatalogueCopy {
  /** The same list until the catalogue is replaced. */
  entries(): Promise<readonly SeriesEntry[]>;
  nameOf(entry: SeriesEntry): string;
  /** Whether an entry takes the place of another of its name: it was stored later. */
  replaces(entry: SeriesEntry, other: SeriesEntry | undefined): boolean;
  pathOf(entry: SeriesEntry): string;
  /**
   * Takes entries that replace those held.
   * @param fill writes the file of an entry to a path; false where the file is gone meanwhile
   */
  take(entries: readonly SeriesEntry[], fill: (entry: SeriesEntry, path: string) => Promise<boolean>): Promise<void>;
}

export function openCatalogueCopy(home: string, name: SeriesFolder): CatalogueCopy {
  const folder = join(home, name);
  const { field, time } = folders[name];
  const read = () => readEntries<SeriesEntry>(folder, `a catalogue of ${name}`, {});
  const nameOf = (entry: SeriesEntry) => `${entry.asset} ${String(entry[field as keyof SeriesEntry])}`;
  const stamp = ({ origin, contentHash }: SeriesEntry) => `${String(origin[time])} ${contentHash}`;
  const replaces = (entry: SeriesEntry, other: SeriesEntry | undefined) =>
    other === undefined || (entry.contentHash !== other.contentHash && stamp(entry) > stamp(other));
  const pathOf = ({ file }: SeriesEntry) => join(folder, file);
  return {
    ...{ nameOf, replaces, pathOf },
    entries: whileUnchanged([folder], read),
    async take(entries, fill) {
      await makeFolder(folder);
      const filled: SeriesEntry[] = [];
      for (const entry of entries) {
        let isThere = true;
        await addFile(pathOf(entry), async (aside) => {
          isThere = await fill(entry, aside);
          if (!isThere) throw new Gone();
        }).catch((error: unknown) => {
          if (!(error instanceof Gone)) throw error;
        });
        if (isThere) filled.push(entry);
      }
      if (filled.length === 0) return;
      await withLock(join(folder, 'catalogue.lock'), async () => {
        let held = await read();
        const replaced: SeriesEntry[] = [];
        for (const entry of filled) {
          const other = held.find((one) => nameOf(one) === nameOf(entry));
          if (!replaces(entry, other)) continue; // an import was faster
          held = [...held.filter((one) => one !== other), entry];
          if (other !== undefined && other.file !== entry.file) replaced.push(other);
        }
        await writeEntries(folder, held);
        for (const other of replaced) await rm(pathOf(other), { force: true });
      });
    },
  };
}

/** A file that was replaced between its entry and its reading. */
class Gone extends Error {}
