import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countTries, joinTries } from '../../engine/index.js';
import { removeAbandoned, replaceFile } from '../files.js';

/** Every configuration that was ever tried on the bars of an asset, by its identity. */
export interface TriesLedger {
  /** Adds tries; those that it knows count once. */
  add(asset: string, tries: Iterable<string>): Promise<void>;
  /** The identities kept, see `joinTries`; empty for an asset that was never tried. */
  read(asset: string): Promise<string[]>;
  /** The assets that were tried, by name, with the number of tries. */
  list(): Promise<{ readonly asset: string; readonly tries: number }[]>;
}

const SUFFIX = '.tries';

/**
 * A ledger in `home/tries`, with a folder for each asset. Its files hold one identity a line. A
 * writer joins the files that it finds into a new one and then removes them. So writers at the same
 * time lose nothing, even if one is killed: what it leaves is joined again, and only joined tries
 * are removed.
 */
export function openTries(home: string): TriesLedger {
  const root = join(home, 'tries');
  const folderOf = (asset: string): string => join(root, encodeURIComponent(asset));
  const read = async (asset: string) => joinTries(...(await contentsOf(folderOf(asset))).map(({ lines }) => lines));
  return {
    read,
    async add(asset, tries) {
      const folder = folderOf(asset);
      await mkdir(folder, { recursive: true });
      await removeAbandoned(folder);
      const found = await contentsOf(folder);
      const known = joinTries(...found.map(({ lines }) => lines));
      const joined = joinTries(known, tries);
      if (found.length === 1 && joined.length === known.length && joined.every((hash, i) => hash === known[i])) return;
      const path = join(folder, `${randomUUID()}${SUFFIX}`);
      await replaceFile(path, (aside) => writeFile(aside, `${joined.join('\n')}\n`));
      for (const { file } of found) await rm(file, { force: true });
    },
    async list() {
      const names = await namesIn(root);
      const assets = names.map(decodeURIComponent).sort();
      return Promise.all(assets.map(async (asset) => ({ asset, tries: countTries(await read(asset)) })));
    },
  };
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** All files of a folder; lists again when a writer removed one, since it wrote another. */
async function contentsOf(folder: string): Promise<{ readonly file: string; readonly lines: string[] }[]> {
  for (;;) {
    const files = (await namesIn(folder)).filter((name) => name.endsWith(SUFFIX) && !name.startsWith('.'));
    try {
      return await Promise.all(
        files.map(async (name) => {
          const file = join(folder, name);
          return { file, lines: (await readFile(file, 'utf8')).split('\n') };
        }),
      );
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}
