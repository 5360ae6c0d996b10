import { join } from 'node:path';
import { EngineError } from '../../engine/errors.js';
import { closeOfLast, formatInterval, type Gap, isoTime, openOfFirst } from '../../engine/series/index.js';
import { type AddedBars, addBars, inTurn } from '../bars/add-bars.js';
import { normaliseAsset } from '../bars/assets.js';
import { asRead, inspectBars } from '../bars/inspect.js';
import { readHeld } from '../bars/load-entry.js';
import type { StoredBars } from '../bars/stored.js';
import { type Hold, takeHold } from '../lock.js';
import { checkStillHeld, findHeld, type HeldBars, joinBars, loadHeld, stretchesAround } from './held.js';
import { fetchPages } from './pages.js';
import { openPart, type PartKey, partName } from './part-file.js';
import type { BarProvider, BarRow, ProviderFault } from './provider.js';
import { defaultRetryRules, type RetryRules, type Sleep, sleepFor, withRetries } from './retry.js';

export interface FetchRequest {
  /** The name under which the bars are stored. */
  readonly asset: string;
  /** The exchange's name for it: `BTC/USDT`. */
  readonly symbol: string;
  readonly intervalMs: number;
  /** Bars that open at or after this time. */
  readonly startMs: number;
  /** Bars that close at or before this time; by default, and at most, now. */
  readonly endMs?: number | undefined;
  /** Fetch everything again and replace the stored bars. */
  readonly replace?: boolean | undefined;
  /** Free text, stored with the bars. */
  readonly licence?: string | undefined;
}

export interface FetchSurroundings {
  /** BARLINE_HOME: finished bars go to its folder `bars`, unfinished fetches to `fetch`. */
  readonly home: string;
  /** The clock. */
  readonly now: () => number;
  /** Uniform in [0, 1), for the jitter between tries. */
  readonly random: () => number;
  readonly signal?: AbortSignal | undefined;
  readonly sleep?: Sleep | undefined;
  readonly retry?: Partial<RetryRules> | undefined;
  /** A smaller page than the exchange allows. */
  readonly pageBarsMax?: number | undefined;
  readonly onProgress?: ((progress: FetchProgress) => void) | undefined;
  readonly onRetry?: ((fault: ProviderFault, waitMs: number) => void) | undefined;
}

interface FetchProgress {
  /** Share of the requested time that is done, 0..1. */
  readonly done: number;
  readonly bars: number;
}

export interface FetchedBars {
  readonly status: AddedBars['status'] | 'extended';
  readonly entry: AddedBars['entry'];
  /** Holes on the interval grid of the whole stored series; they are reported and not filled. */
  readonly gaps: readonly Gap[];
  /** Bars whose open time is not a multiple of the interval. */
  readonly offGridBars: number;
  readonly fetchedBars: number;
  /** How many of them an earlier, unfinished run had fetched. */
  readonly resumedBars: number;
  readonly pages: number;
  readonly retries: number;
  /**
   * Closed bars that the exchange lacks in the requested time, before the first stored bar and
   * after the last.
   */
  readonly missingBefore: number;
  readonly missingAfter: number;
}

/**
 * Fetches closed bars page by page and adds them to the catalogue: all of them or none. It saves
 * each page as it arrives, so a fetch that ends early resumes where it stopped. Stored bars of the
 * same exchange are extended, not fetched again.
 *
 * @throws CONFLICT when the exchange disagrees with stored bars; EMPTY_WINDOW when there are no
 *   bars; INVALID_DATA when the exchange keeps failing or keeps answering with bars that break a
 *   rule
 */
export async function fetchBars(
  provider: BarProvider,
  request: FetchRequest,
  surroundings: FetchSurroundings,
): Promise<FetchedBars> {
  const { intervalMs, startMs } = request;
  const { home, now } = surroundings;
  const asset = normaliseAsset(request.asset);
  if (startMs > now()) {
    throw new EngineError('EMPTY_WINDOW', `start ${isoTime(startMs)} is in the future`, { field: 'start' });
  }
  const lock = `${provider.name}-${asset}-${formatInterval(intervalMs)}.lock`;
  const hold = await takeHold(join(home, 'fetch', lock), 'fetching the same bars');
  try {
    return await fetchHolding(hold, provider, { ...request, asset }, surroundings);
  } finally {
    await hold.release();
  }
}

async function fetchHolding(
  hold: Hold,
  provider: BarProvider,
  request: FetchRequest,
  surroundings: FetchSurroundings,
): Promise<FetchedBars> {
  const { asset, symbol, intervalMs, startMs, replace = false } = request;
  const { home, now, random, sleep = sleepFor, retry, signal = new AbortController().signal } = surroundings;
  const folder = join(home, 'bars');
  const exchange = `${provider.name} ${symbol}`;
  const { entry, held } = await readHeld(
    () => findHeld(folder, asset, intervalMs),
    async (found) => ({
      entry: found,
      held: found === undefined || replace ? null : await loadHeld(found, exchange),
    }),
  );
  let retries = 0;
  const ask = <T>(question: () => Promise<T>): Promise<T> =>
    withRetries(question, {
      name: provider.name,
      rules: { ...defaultRetryRules, ...retry },
      random,
      sleep,
      signal,
      async onRetry(fault, waitMs) {
        retries++;
        surroundings.onRetry?.(fault, waitMs);
        await hold.touch();
      },
    });

  const offered = await ask(() => provider.open(symbol, intervalMs, signal));
  // The later of two clocks would let in a bar that is still forming.
  const theirNow = await ask(() => provider.fetchTime(signal));
  const endMs = Math.min(request.endMs ?? Infinity, now(), theirNow ?? Infinity);
  checkSpan(request, endMs);
  const key = partKey(provider, request, held);
  const part = await openPart(join(home, 'fetch', partName(key)), key);
  try {
    const resumedBars = part.pages.reduce((sum, page) => sum + page.rows.length, 0);
    const fetched = await fetchPages({
      label: exchange,
      stretches: stretchesAround(held, startMs, endMs, intervalMs),
      intervalMs,
      pageBarsMax: Math.min(offered.pageBarsMax, surroundings.pageBarsMax ?? Infinity),
      held,
      part,
      fetchPage: (fromMs, limit) => provider.fetchPage(symbol, intervalMs, fromMs, limit, signal),
      ask,
      onPage: async (progress) => {
        surroundings.onProgress?.(progress);
        await hold.touch();
      },
    });
    // An earlier run may have gone further.
    const rows = fetched.rows.filter(([time]) => time + intervalMs <= endMs);
    const stored = await storeRows(rows, { provider, request, folder, now, endMs, held, heldHash: entry?.contentHash });
    await part.remove();
    return { ...stored, resumedBars, pages: fetched.pages, retries };
  } catch (error) {
    await part.close();
    throw error;
  }
}

/** @throws EMPTY_WINDOW when no bar fits between the start of the request and the end */
function checkSpan({ intervalMs, startMs }: FetchRequest, endMs: number): void {
  if (startMs + intervalMs <= endMs) return;
  const interval = formatInterval(intervalMs);
  const message = `no ${interval} bar opens from ${isoTime(startMs)} and closes by ${isoTime(endMs)}`;
  throw new EngineError('EMPTY_WINDOW', message, { field: 'start' });
}

/** An unfinished fetch resumes only when all of these are the same. */
const partKey = (provider: BarProvider, request: FetchRequest, held: HeldBars | null): PartKey => ({
  version: 1,
  exchange: provider.name,
  via: provider.via ?? '',
  symbol: request.symbol,
  asset: request.asset,
  interval: formatInterval(request.intervalMs),
  startMs: request.startMs,
  extends: held?.entry.contentHash ?? '',
});

interface Destination {
  readonly provider: BarProvider;
  readonly request: FetchRequest;
  readonly folder: string;
  readonly now: () => number;
  readonly endMs: number;
  readonly held: HeldBars | null;
  /** Hash of the catalogue's bars when the fetch began. */
  readonly heldHash: string | undefined;
}

/** Joins the fetched bars with the stored ones, checks them all and adds them to the catalogue. */
async function storeRows(
  rows: readonly BarRow[],
  { provider, request, folder, now, endMs, held, heldHash }: Destination,
): Promise<Omit<FetchedBars, 'resumedBars' | 'pages' | 'retries'>> {
  const { asset, symbol, intervalMs, startMs } = request;
  if (rows.length === 0 && held === null) {
    const asked = `${formatInterval(intervalMs)} bar of ${symbol} from ${isoTime(startMs)} to ${isoTime(endMs)}`;
    const message = `${provider.name} has no ${asked}`;
    throw new EngineError('EMPTY_WINDOW', message, { exchange: provider.name, symbol });
  }
  const bars = joinBars(held, rows, intervalMs);
  const rowName = (i: number) => `${provider.name} ${symbol} bar ${i + 1}`;
  const inspected = inspectBars({ ...asRead, bars, rowName }, intervalMs);
  const notes = {
    exchange: `${provider.name} ${symbol}`,
    origin: { source: source(provider, held?.entry), importedAt: isoTime(now()) },
    ...licenceField(request.licence ?? held?.entry.licence),
  };
  const added = await inTurn(folder, asset, intervalMs, async () => {
    await checkStillHeld(folder, asset, intervalMs, heldHash ?? '');
    return addBars(folder, asset, inspected, notes, true); // it extended the stored bars, or is to replace them
  });
  return {
    status: held !== null && added.status === 'replaced' ? 'extended' : added.status,
    entry: added.entry,
    gaps: inspected.gaps,
    offGridBars: inspected.offGridBars,
    fetchedBars: rows.length,
    missingBefore: barsBetween(startMs, openOfFirst(bars), intervalMs),
    missingAfter: barsBetween(closeOfLast(bars), endMs, intervalMs),
  };
}

const barsBetween = (fromMs: number, toMs: number, intervalMs: number): number =>
  Math.max(0, Math.floor((toMs - fromMs) / intervalMs));

const licenceField = (licence: string | undefined) => (licence === undefined ? {} : { licence });

/**
 * Where the bars come from: the source of the extended file, if any, then the exchange or its
 * mirror.
 */
function source({ name, via }: BarProvider, extended: StoredBars | undefined): string {
  const own = via === undefined ? `fetched from ${name}` : `fetched from ${name} at ${via}`;
  const before = extended?.origin.source;
  return before === undefined || before === own || before.endsWith(`, ${own}`) ? (before ?? own) : `${before}, ${own}`;
}
