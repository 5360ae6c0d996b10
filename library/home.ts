import { join } from 'node:path';
import { openBars } from '../data/bars/index.js';
import { resolveFolder } from '../data/folder-of.js';
import { ownPackage } from '../data/package/index.js';
import { openHoldouts, openTries } from '../data/tries/index.js';
import { sharedColumns } from '../engine/series/index.js';
import type { Services } from '../research/backtest/index.js';

/** Where a call finds the bars that `barline data import` and `barline data fetch` keep. */
export interface HomeOptions {
  /**
   * Folder of imported bars, records and sweeps. Default: `BARLINE_HOME`, or `.barline` in the
   * working folder.
   */
  readonly home?: string | undefined;
}

export const resolveHome = ({ home }: HomeOptions): string =>
  resolveFolder(home ?? process.env.BARLINE_HOME ?? '.barline');

/** Folder of the bundled bars. */
export const sampleFolder = (): string => join(ownPackage().root, 'sample');

/** Bars are loaded into memory that is freed with the last reference to them. */
export function homeServices(options: HomeOptions): Services {
  const { version } = ownPackage();
  const store = openBars({ home: resolveHome(options), sampleDir: sampleFolder(), allocate: sharedColumns });
  return { store, heldOut: openHoldouts(resolveHome(options)), engineVersion: version };
}

/**
 * Counts a run among the tries on its assets, as the command line does. Where no home is named and
 * there is none in the working folder, the count lasts as long as the process.
 */
export function countTry(options: HomeOptions, assets: readonly string[], identity: string): void {
  const isNamed = (options.home ?? process.env.BARLINE_HOME) !== undefined;
  const ledger = openTries(resolveHome(options));
  for (const asset of assets) ledger.count(asset, identity, isNamed);
}
