import { LRUCache } from 'lru-cache';
import { EngineError } from '../../engine/errors.js';
import {
  aggregateBars,
  allocateBars,
  type BarSeries,
  bucketStart,
  firstBarFrom,
  formatInterval,
  isoTime,
  onchainColumns,
  sliceBars,
} from '../../engine/series/index.js';
import { type BarStore, normaliseAsset, type StoredBars } from '../bars/index.js';
import type { MarketData } from './market-data.js';

const CACHE_BYTES_MAX = 256 * 1024 * 1024;
const PRICE_COLUMNS = 6;

const entryBytes = ({ bars, columns }: StoredBars): number =>
  8 * bars * (PRICE_COLUMNS + onchainColumns.filter((name) => columns.includes(name)).length);
const closeOf = (entry: StoredBars): number => entry.lastMs + entry.intervalMs;

/**
 * Stored bars behind the port. Series are kept whole in shared memory, the latest used ones, up to `cacheBytesMax` in all;
 * a window of one is a view. A series that is larger than that is read window by window. The catalogue is asked every
 * time, so an import is seen by the next question: a series is known by its content.
 */
export function openStoredMarketData(
  store: BarStore,
  { cacheBytesMax = CACHE_BYTES_MAX }: { readonly cacheBytesMax?: number } = {},
): MarketData {
  /** Promises, so that questions at the same time share one read. */
  const cache = new LRUCache<string, Promise<BarSeries>>({ maxSize: Math.max(1, cacheBytesMax) });

  function kept(key: string, bytes: number, make: () => Promise<BarSeries>): Promise<BarSeries> {
    const held = cache.get(key);
    if (held !== undefined) return held;
    const made = make();
    cache.set(key, made, { size: Math.max(1, bytes) });
    // A failed read is tried again by the next question.
    made.catch(() => {
      if (cache.peek(key) === made) cache.delete(key);
    });
    return made;
  }

  async function stored(entry: StoredBars, fromMs: number, toMs: number): Promise<BarSeries> {
    const { asset, intervalMs, firstMs, lastMs } = entry;
    const bytes = entryBytes(entry);
    if (bytes <= cacheBytesMax) {
      const key = `${asset} ${intervalMs} ${entry.contentHash}`;
      return cut(await kept(key, bytes, async () => (await store.load({ asset, intervalMs })).bars), fromMs, toMs);
    }
    const from = Math.max(fromMs, firstMs);
    const to = Math.min(toMs, lastMs + 1);
    if (!(from < to)) return allocateBars(0, intervalMs);
    return (await store.load({ asset, intervalMs, fromMs: from, toMs: to })).bars;
  }

  async function coarse(entry: StoredBars, intervalMs: number, fromMs: number): Promise<BarSeries> {
    const make = async (from: number) => aggregateBars(await stored(entry, from, Infinity), intervalMs).bars;
    if (entryBytes(entry) > cacheBytesMax) return cut(await make(bucketStart(fromMs, intervalMs)), fromMs, Infinity);
    const bytes = Math.ceil((entryBytes(entry) * entry.intervalMs) / intervalMs);
    const key = `${entry.asset} ${entry.intervalMs} ${entry.contentHash} by ${intervalMs}`;
    return cut(await kept(key, bytes, () => make(-Infinity)), fromMs, Infinity);
  }

  /** The entry whose last close is the now of a question. */
  async function newest(asset?: string, intervalMs?: number): Promise<StoredBars> {
    if (asset !== undefined && intervalMs !== undefined) return (await store.resolveSource(asset, intervalMs)).entry;
    const all = await store.list();
    const name = asset === undefined ? undefined : normaliseAsset(asset);
    const [first, ...rest] = all.filter((entry) => name === undefined || entry.asset === name);
    if (first === undefined) {
      if (asset !== undefined) await store.resolveSource(asset, 1); // says what is held
      throw new EngineError('NOT_FOUND', 'no bars are held');
    }
    // Of equal closes the finest interval, which comes first.
    return rest.reduce((latest, entry) => (closeOf(entry) > closeOf(latest) ? entry : latest), first);
  }

  return {
    resolveSource: (asset, intervalMs) => store.resolveSource(asset, intervalMs),
    nowMs: async (asset, intervalMs) => closeOf(await newest(asset, intervalMs)),
    async bars(asset, intervalMs, fromMs) {
      const { entry, aggregateToMs } = await store.resolveSource(asset, intervalMs);
      return aggregateToMs === null ? stored(entry, fromMs, Infinity) : coarse(entry, aggregateToMs, fromMs);
    },
    async latestPrice(asset, intervalMs) {
      const entry = await newest(asset, intervalMs);
      const bars = await stored(entry, entry.lastMs, Infinity);
      return { price: bars.close[bars.barCount - 1]!, timeMs: closeOf(entry) };
    },
    async load({ asset, intervalMs, fromMs = -Infinity, toMs = Infinity }) {
      const { entry } = await store.resolveSource(asset, intervalMs);
      if (entry.intervalMs !== intervalMs) {
        const message = `no ${formatInterval(intervalMs)} bars of ${entry.asset} are held`;
        throw new EngineError('NOT_FOUND', message, { asset: entry.asset });
      }
      const bars = await stored(entry, fromMs, toMs);
      if (bars.barCount > 0) return { bars };
      const message = `no ${entry.interval} bar of ${entry.asset} opens in the window (held: ${isoTime(entry.firstMs)} to ${isoTime(entry.lastMs)})`;
      throw new EngineError('EMPTY_WINDOW', message, { asset: entry.asset, interval: entry.interval });
    },
  };
}

const cut = (bars: BarSeries, fromMs: number, toMs: number): BarSeries => {
  const from = firstBarFrom(bars, fromMs);
  const to = firstBarFrom(bars, toMs);
  return from === 0 && to === bars.barCount ? bars : sliceBars(bars, from, Math.max(from, to));
};
