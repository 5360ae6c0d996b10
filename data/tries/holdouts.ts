import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson } from '../../engine/canonical-json.js';
import { EngineError, errorMessage } from '../../engine/errors.js';
import type { BarSeries } from '../../engine/series/index.js';
import type { HeldOut, HeldOutDays, Opening } from '../../engine/sweep/index.js';
import { addFile, makeFolder, removeAbandoned, replaceFile } from '../files.js';
import { errorCode } from '../outage.js';
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

interface HomeHoldouts extends Holdouts {
  /** The days held out under any name that the bars have, for a caller that cannot wait. */
  now(asset: string, bars: BarSeries): readonly HeldOut[];
}

const OPENED = '.opened.json';
const SUFFIX = '.json';

/**
 * Held-out days in `home/holdouts`, with a folder for each asset. The file of a window is written
 * once and the file of its opening beside it, both durably, before anything follows from them.
 */
export function openHoldouts(home: string): HomeHoldouts {
  const root = join(home, 'holdouts');
  const assetFolder = (asset: string): string => join(root, encodeURIComponent(asset));
  const filePath = ({ asset, from, to }: HeldOut, suffix: string): string =>
    join(assetFolder(asset), `${from}_${to}${suffix}`);
  const sameBars = openSameBars(home);
  const ofName = (asset: string): HeldOut[] => {
    const folder = assetFolder(asset);
    const names = namesIn(folder).filter((name) => name.endsWith(SUFFIX) && !name.startsWith('.'));
    const windows = names.filter((name) => !name.endsWith(OPENED)).sort();
    return windows.map((name) => {
      const opened = name.slice(0, -SUFFIX.length) + OPENED;
      const days = readJson<HeldOut>(join(folder, name));
      return { ...days, opening: names.includes(opened) ? readJson<Opening>(join(folder, opened)) : null };
    });
  };
  return {
    of: async (asset) => (await sameBars.namesOf(asset)).flatMap(ofName),
    now: (asset, bars) => sameBars.namesNow(asset, bars).flatMap(ofName),
    meet: sameBars.meet,
    async list() {
      return namesIn(root).map(decodeURIComponent).sort().flatMap(ofName);
    },
    async declare(days) {
      const folder = assetFolder(days.asset);
      await makeFolder(folder);
      await saveSameBars(home);
      await removeAbandoned(folder);
      await addFile(filePath(days, SUFFIX), (aside) => writeFile(aside, jsonLine({ ...days, opening: null })));
    },
    async open(days, opening) {
      const path = filePath(days, OPENED);
      await addFile(path, (aside) => writeFile(aside, jsonLine(opening)));
      return readJson<Opening>(path);
    },
    finish: (days, opening) => replaceFile(filePath(days, OPENED), (aside) => writeFile(aside, jsonLine(opening))),
  };
}

const jsonLine = (value: object): string => `${canonicalJson(value)}\n`;

/** @throws EngineError INVALID_DATA for a file that was changed by hand: no run may pass then */
function readJson<T>(path: string): T {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch (error) {
    throw new EngineError('INVALID_DATA', `held-out days cannot be read from ${path}: ${errorMessage(error)}`, {
      path,
    });
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
