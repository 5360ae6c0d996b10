import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../../engine/errors.js';
import { formatInterval, isoTime, parseInterval } from '../../engine/series/index.js';
import { asidePath, makeFolder, putInPlace, removeAbandoned, syncFile } from '../files.js';
import { removeStaleLocks, withLock } from '../lock.js';
import { type CatalogueEntry, isSameName, readCatalogue, writeCatalogue } from './catalogue.js';
import { namedColumns, writeBars } from './columns.js';
import type { InspectedBars } from './inspect.js';
import { readBarsFile } from './read-file.js';

type CatalogueNotes = Pick<CatalogueEntry, 'exchange' | 'licence' | 'origin'>;

export interface AddedBars {
  readonly status: 'added' | 'replaced' | 'unchanged';
  readonly entry: CatalogueEntry;
}

/** Twenty imports of a large series may stand before this one. */
const TURN_WAIT_MAX_MS = 10 * 60_000;

/**
 * Lets the writers of a series take turns, so that what one joins is what the one before stored.
 * @throws CONFLICT when the turn does not come
 */
export async function inTurn<T>(folder: string, asset: string, intervalMs: number, work: () => Promise<T>): Promise<T> {
  await makeFolder(folder);
  return withLock(join(folder, `${asset}-${formatInterval(intervalMs)}.lock`), work, TURN_WAIT_MAX_MS);
}

/**
 * Adds bars to the catalogue in `folder`, in a turn of the caller. When the catalogue already holds
 * the same bars, it stays as it is.
 *
 * @param replace whether to replace different bars; a content hash names the only ones to replace
 * @throws CONFLICT when it holds different bars of that asset and interval that must stay
 */
export async function addBars(
  folder: string,
  asset: string,
  inspected: InspectedBars,
  notes: CatalogueNotes,
  replace: boolean | string,
): Promise<AddedBars> {
  const { bars, contentHash } = inspected;
  const interval = formatInterval(bars.intervalMs);
  const file = `${asset}-${interval}-${contentHash.slice(0, 12)}.parquet`;
  const entry = { asset, interval, file, ...describeBars(inspected), ...notes };

  // The slow work happens before the lock. The conflict is checked again under it.
  const settled = await settle(folder, entry, replace);
  if (settled !== null && (await isIntact(settled.entry, folder))) return settled;
  await makeFolder(folder);
  const aside = asidePath(join(folder, file));
  try {
    await writeBars(aside, bars);
    await syncFile(aside);
    return await withLock(join(folder, 'catalogue.lock'), async () => {
      await settle(folder, entry, replace);
      await putInPlace(aside, join(folder, file));
      return publish(folder, entry);
    });
  } finally {
    await rm(aside, { force: true });
  }
}

/**
 * The answer when the catalogue already holds the same bars; null when the new ones must be added.
 */
async function settle(folder: string, entry: CatalogueEntry, replace: boolean | string): Promise<AddedBars | null> {
  const held = (await readCatalogue(folder)).find((other) => isSameName(other, entry));
  if (held?.contentHash === entry.contentHash) return { status: 'unchanged', entry: held };
  if (typeof replace === 'string') {
    if (held?.contentHash === replace) return null;
    const message = `another process changed the stored bars of ${entry.asset} ${entry.interval} meanwhile; run the command again`;
    throw new EngineError('CONFLICT', message, { asset: entry.asset, interval: entry.interval });
  }
  if (held === undefined || replace) return null;
  throw new EngineError(
    'CONFLICT',
    `other bars of ${entry.asset} ${entry.interval} are held: ${held.bars} from ${held.firstTime} to ${held.lastTime} ` +
      `(${held.contentHash.slice(0, 12)}); --append joins them with these, --replace stores these instead`,
    { asset: entry.asset, interval: entry.interval, contentHash: held.contentHash },
  );
}

/** Whether the file of an entry still holds its bars. The next import rewrites a damaged file. */
async function isIntact({ file, contentHash, interval }: CatalogueEntry, folder: string): Promise<boolean> {
  try {
    const found = await readBarsFile(join(folder, file), { intervalMs: parseInterval(interval) });
    return found.contentHash === contentHash;
  } catch (error) {
    if (error instanceof EngineError) return false;
    throw error;
  }
}

/**
 * Renames the new catalogue into place, then deletes the file it no longer names. The caller holds
 * the lock.
 */
async function publish(folder: string, entry: CatalogueEntry): Promise<AddedBars> {
  const held = await readCatalogue(folder);
  const replaced = held.find((other) => isSameName(other, entry));
  await writeCatalogue(folder, [...held.filter((other) => other !== replaced), entry]);
  if (replaced !== undefined && replaced.file !== entry.file) await rm(join(folder, replaced.file), { force: true });
  await removeAbandoned(folder);
  await removeStaleLocks(folder);
  return { status: replaced === undefined ? 'added' : 'replaced', entry };
}

/** The facts of an entry: an import records them and a check compares them. */
export const describeBars = ({ bars, gaps, zeroVolumeBars, contentHash }: InspectedBars) => ({
  bars: bars.barCount,
  // biome-ignore lint/style/noNonNullAssertion: an inspected series has bars
  firstTime: isoTime(bars.time[0]!),
  // biome-ignore lint/style/noNonNullAssertion: an inspected series has bars
  lastTime: isoTime(bars.time[bars.barCount - 1]!),
  gaps: { count: gaps.length, missingBars: gaps.reduce((sum, gap) => sum + gap.bars, 0) },
  zeroVolumeBars,
  contentHash,
  columns: namedColumns(bars).map(({ name }) => name),
});
