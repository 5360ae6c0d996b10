import { LRUCache } from 'lru-cache';
import { EngineError } from '../../engine/errors.js';
import {
  allocateBars,
  type BarSeries,
  bucketStart,
  firstBarFrom,
  formatInterval,
  isoTime,
  plainColumns,
  sharedColumns,
  sliceBars,
} from '../../engine/series/index.js';
import { aggregateBars, coarseWindow } from '../../engine/timeframes/index.js';
import {
  type BarReads,
  type BarStore,
  type BarsQuery,
  type BarsSource,
  generatedColumns,
  joinedColumns,
  normaliseAsset,
  type StoredBars,
} from '../bars/index.js';

interface LatestPrice {
  /** In the quote currency. */
  readonly price: number;
  /** When it was the price, epoch ms. */
  readonly timeMs: number;
}

interface FoundBars {
  readonly bars: BarSeries;
  /** The entry they come from. */
  readonly entry: StoredBars;
}

/**
 * The port through which the service reads bars and prices, and the only clock of the market.
 * Series are in shared memory, so callers must not write to them.
 *
 * "Now" depends on the source. With a live provider it is the system clock. With stored bars it is
 * the close of the last stored bar of the asset and interval in question. Where the caller names no
 * interval, or no asset either, it is the latest close of all that match. So "three months back"
 * finds data for every series, however long ago it ends.
 */
export interface MarketData {
  /** Epoch ms. @throws NOT_FOUND when no stored bars match */
  nowMs(asset?: string, intervalMs?: number): Promise<number>;
  /**
   * Bars that open at or after `fromMs` and have closed by now; the series may be empty. An
   * interval coarser than the stored ones is aggregated.
   *
   * @param columns added columns to join to the bars, by name
   * @throws NOT_FOUND for an asset or interval that is not available
   */
  bars(asset: string, intervalMs: number, fromMs: number, columns?: readonly string[]): Promise<BarSeries>;
  /**
   * The newest price; with an interval, the price at the now of that interval. @throws NOT_FOUND
   */
  latestPrice(asset: string, intervalMs?: number): Promise<LatestPrice>;
  /** Names of the columns beside these bars that a generator drew. @throws NOT_FOUND */
  generatedColumns(asset: string, intervalMs: number): Promise<readonly string[]>;
  /** Which stored bars give bars of this interval, wanted from a time on. @throws NOT_FOUND */
  resolveSource(asset: string, intervalMs: number, fromMs?: number): Promise<BarsSource>;
  /** Bars as stored. @throws NOT_FOUND; EMPTY_WINDOW when the window has no bars */
  load(query: BarsQuery): Promise<FoundBars>;
  /** The bars of `load`, aggregated. Windows share the work. @throws as `load` */
  coarse(query: BarsQuery, coarseMs: number): Promise<FoundBars & { readonly finer: BarSeries }>;
  /** The same with bars drawn where only coarser ones are held, for runs that allow them. */
  readonly drawn?: MarketData;
}

/** Use of a cache since the start of the process. */
export interface CacheUse {
  readonly entries: number;
  /** Null where entries are counted, not weighed. */
  readonly bytes: number | null;
  readonly hits: number;
  readonly misses: number;
}

const CACHE_BYTES_MAX = 256 * 1024 * 1024;
const PRICE_COLUMNS = 6;

type Names = readonly string[];

/** @param columns names of the added columns to join */
const entryBytes = (entry: StoredBars, columns: Names): number =>
  8 * entry.bars * (PRICE_COLUMNS + entry.beside.length - entry.added.length + joinedColumns(entry, columns).length);

/** What identifies a series with the added columns that are joined to it. */
const seriesKey = (entry: StoredBars, columns: Names): string => {
  const joined = joinedColumns(entry, columns).map((one) => `${one.column}=${one.contentHash}`);
  return [entry.asset, entry.intervalMs, entry.contentHash, ...joined].join(' ');
};

const close = (entry: StoredBars): number => entry.lastMs + entry.intervalMs;

/**
 * Stored bars behind the port; it owns all series of a service. It caches the most recently used
 * series whole in shared buffers, up to `cacheBytesMax` in all, together with the coarser series
 * made of them. Every requested window is a view. A series larger than the cache is read window by
 * window. Every call looks at the catalogue, so it sees imports; a series is keyed by its content.
 * Each series has its own buffer, which is freed when its last view is dropped.
 */
export function openStoredMarketData(
  store: BarStore,
  { cacheBytesMax = CACHE_BYTES_MAX }: { readonly cacheBytesMax?: number } = {},
): MarketData & { cacheUse(): CacheUse } {
  const { kept, cacheUse } = seriesCache(cacheBytesMax);
  const over = (bars: BarReads) => openOver(bars, openSeries(bars, kept, cacheBytesMax));
  return { ...over(store), drawn: over(store.drawn), cacheUse };
}

function openOver(
  store: BarReads,
  { isKept, stored, coarsened }: ReturnType<typeof openSeries>,
): Omit<MarketData, 'drawn'> {
  async function coarseFrom(entry: StoredBars, coarseMs: number, fromMs: number, columns: Names): Promise<BarSeries> {
    if (isKept(entry, columns)) return cut(await coarsened(entry, coarseMs, columns), fromMs, Infinity);
    const base = await stored(entry, bucketStart(fromMs, coarseMs), Infinity, columns);
    return cut(aggregateBars(base, coarseMs, sharedColumns).bars, fromMs, Infinity);
  }

  async function load({ asset, intervalMs, fromMs = -Infinity, toMs = Infinity, columns = [] }: BarsQuery) {
    const { entry } = await store.resolveSource(asset, intervalMs);
    if (entry.intervalMs !== intervalMs) throw notHeld(entry, intervalMs);
    const bars = await stored(entry, fromMs, toMs, columns);
    if (bars.barCount === 0) throw emptyWindow(entry);
    return { bars, entry };
  }

  return {
    resolveSource: (asset, intervalMs, fromMs) => store.resolveSource(asset, intervalMs, fromMs),
    nowMs: async (asset, intervalMs) => close(await newest(store, asset, intervalMs)),
    async bars(asset, intervalMs, fromMs, columns = []) {
      const { entry, aggregateToMs } = await store.resolveSource(asset, intervalMs);
      if (aggregateToMs !== null) return coarseFrom(entry, aggregateToMs, fromMs, columns);
      return stored(entry, fromMs, Infinity, columns);
    },
    async latestPrice(asset, intervalMs) {
      const entry = await newest(store, asset, intervalMs);
      const bars = await stored(entry, entry.lastMs, Infinity, []);
      // biome-ignore lint/style/noNonNullAssertion: the window begins at the last bar, so it has one
      return { price: bars.close[bars.barCount - 1]!, timeMs: close(entry) };
    },
    generatedColumns: async (asset, intervalMs) =>
      generatedColumns((await store.resolveSource(asset, intervalMs)).entry),
    load,
    async coarse(query, coarseMs) {
      const { bars, entry } = await load(query);
      const { columns = [] } = query;
      const coarse = isKept(entry, columns)
        ? coarseWindow(bars, await coarsened(entry, coarseMs, columns))
        : aggregateBars(bars, coarseMs, sharedColumns).bars;
      return { bars: coarse, entry, finer: bars };
    },
  };
}

/** Stored series and the coarser series made of them, cached whole where they fit. */
function openSeries(store: BarReads, kept: ReturnType<typeof seriesCache>['kept'], cacheBytesMax: number) {
  const isKept = (entry: StoredBars, columns: Names): boolean => entryBytes(entry, columns) <= cacheBytesMax;

  async function stored(entry: StoredBars, fromMs: number, toMs: number, columns: Names): Promise<BarSeries> {
    const { asset, intervalMs, firstMs, lastMs } = entry;
    const bytes = entryBytes(entry, columns);
    if (isKept(entry, columns)) {
      const read = async () => (await store.load({ asset, intervalMs, columns })).bars;
      return cut(await kept(seriesKey(entry, columns), bytes, read), fromMs, toMs);
    }
    const from = Math.max(fromMs, firstMs);
    const to = Math.min(toMs, lastMs + 1);
    if (!(from < to)) return allocateBars(0, intervalMs, [], plainColumns);
    return (await store.load({ asset, intervalMs, fromMs: from, toMs: to, columns })).bars;
  }

  /** The whole of a cached series, aggregated. */
  function coarsened(entry: StoredBars, coarseMs: number, columns: Names): Promise<BarSeries> {
    const bytes = Math.ceil((entryBytes(entry, columns) * entry.intervalMs) / coarseMs);
    return kept(`${seriesKey(entry, columns)} by ${coarseMs}`, bytes, async () => {
      const base = await stored(entry, -Infinity, Infinity, columns);
      return aggregateBars(base, coarseMs, sharedColumns).bars;
    });
  }

  return { isKept, stored, coarsened };
}

/** The most recently used series by key, up to `bytesMax` bytes. */
function seriesCache(bytesMax: number) {
  /** Promises, so that concurrent calls share one read. */
  const cache = new LRUCache<string, Promise<BarSeries>>({ maxSize: Math.max(1, bytesMax) });
  let [hits, misses] = [0, 0];
  const kept = (key: string, bytes: number, make: () => Promise<BarSeries>): Promise<BarSeries> => {
    const held = cache.get(key);
    if (held !== undefined) {
      hits++;
      return held;
    }
    misses++;
    const made = make();
    cache.set(key, made, { size: Math.max(1, bytes) });
    // The next call retries a failed read.
    made.catch(() => {
      if (cache.peek(key) === made) cache.delete(key);
    });
    return made;
  };
  const cacheUse = (): CacheUse => ({ entries: cache.size, bytes: cache.calculatedSize, hits, misses });
  return { kept, cacheUse };
}

function notHeld({ asset }: StoredBars, intervalMs: number): EngineError {
  const message = `no ${formatInterval(intervalMs)} bars of ${asset} are held`;
  return new EngineError('NOT_FOUND', message, { asset });
}

function emptyWindow({ asset, interval, firstMs, lastMs }: StoredBars): EngineError {
  const held = `${isoTime(firstMs)} to ${isoTime(lastMs)}`;
  const message = `no ${interval} bar of ${asset} opens in the window (held: ${held})`;
  return new EngineError('EMPTY_WINDOW', message, { asset, interval });
}

/** The entry whose last close is "now" for a query. */
async function newest(store: BarReads, asset?: string, intervalMs?: number): Promise<StoredBars> {
  if (asset !== undefined && intervalMs !== undefined) return (await store.resolveSource(asset, intervalMs)).entry;
  const all = await store.list();
  const name = asset === undefined ? undefined : normaliseAsset(asset);
  const [first, ...rest] = all.filter((entry) => name === undefined || entry.asset === name);
  if (first === undefined) {
    if (asset !== undefined) await store.resolveSource(asset, 1); // its error lists the stored bars
    throw new EngineError('NOT_FOUND', 'no bars are held');
  }
  // Of equal closes it takes the finest interval, which comes first.
  return rest.reduce((latest, entry) => (close(entry) > close(latest) ? entry : latest), first);
}

const cut = (bars: BarSeries, fromMs: number, toMs: number): BarSeries => {
  const from = firstBarFrom(bars, fromMs);
  const to = firstBarFrom(bars, toMs);
  return from === 0 && to === bars.barCount ? bars : sliceBars(bars, from, Math.max(from, to));
};
