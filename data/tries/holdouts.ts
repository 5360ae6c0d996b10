import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson, EngineError, type HeldOut, type HeldOutDays, type Opening } from '../../engine/index.js';
import { addFile, makeFolder, removeAbandoned, replaceFile } from '../files.js';
import { openSameBars, saveSameBars } from './same-bars.js';

/** The days that a home holds out, by asset. */
export interface Holdouts extends HeldOutDays {
  list(): Promise<readonly HeldOut[]>;
  /**
   * Opens days for one run. The opening is on disk before this resolves, and the first one stays,
   * also of those at the same time.
   * @returns the opening that stays
   */
  open(days: HeldOut, opening: Opening): Promise<Opening>;
  /** Adds to an opening what the run was worth. */
  finish(days: HeldOut, opening: Opening): Promise<void>;
}

const OPENED = '.opened.json';
const SUFFIX = '.json';

/**
 * Held-out days in `home/holdouts`, with a folder for each asset. The file of a window is written
 * once and the file of its opening beside it, both durably, before anything follows from them.
 */
export function openHoldouts(home: string): Holdouts {
  const root = join(home, 'holdouts');
  const folderOf = (asset: string): string => join(root, encodeURIComponent(asset));
  const pathOf = ({ asset, from, to }: HeldOut, suffix: string): string =>
    join(folderOf(asset), `${from}_${to}${suffix}`);
  const sameBars = openSameBars(home);
  const ofName = async (asset: string): Promise<HeldOut[]> => {
    const folder = folderOf(asset);
    const names = (await namesIn(folder)).filter((name) => name.endsWith(SUFFIX) && !name.startsWith('.'));
    const windows = names.filter((name) => !name.endsWith(OPENED)).sort();
    return Promise.all(
      windows.map(async (name) => {
        const opened = name.slice(0, -SUFFIX.length) + OPENED;
        const days = await readJson<HeldOut>(join(folder, name));
        return { ...days, opening: names.includes(opened) ? await readJson<Opening>(join(folder, opened)) : null };
      }),
    );
  };
  return {
    of: async (asset) => (await Promise.all((await sameBars.namesOf(asset)).map(ofName))).flat(),
    meet: sameBars.meet,
    async list() {
      const assets = (await namesIn(root)).map(decodeURIComponent).sort();
      return (await Promise.all(assets.map(ofName))).flat();
    },
    async declare(days) {
      const folder = folderOf(days.asset);
      await makeFolder(folder);
      await saveSameBars(home);
      await removeAbandoned(folder);
      await addFile(pathOf(days, SUFFIX), (aside) => writeFile(aside, textOf({ ...days, opening: null })));
    },
    async open(days, opening) {
      const path = pathOf(days, OPENED);
      await addFile(path, (aside) => writeFile(aside, textOf(opening)));
      return readJson<Opening>(path);
    },
    finish: (days, opening) => replaceFile(pathOf(days, OPENED), (aside) => writeFile(aside, textOf(opening))),
  };
}

const textOf = (value: object): string => `${canonicalJson(value)}\n`;

/** @throws EngineError INVALID_DATA for a file that was changed by hand: no run may pass then */
async function readJson<T>(path: string): Promise<T> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch (error) {
    throw new EngineError('INVALID_DATA', `held-out days cannot be read from ${path}: ${(error as Error).message}`, {
      path,
    });
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
