import { LRUCache } from 'lru-cache';
import { normaliseAsset } from '../../data/bars/index.js';
import type { MarketData } from '../../data/providers/index.js';
import { EngineError } from '../../engine/errors.js';
import { MARKET_BARS, type MarketBefore, marketBefore } from '../../engine/sieve/index.js';
import { anyColumn } from '../../engine/strategy/index.js';

/** The market facts of an asset at an interval, before a window that begins now. */
interface KnownMarket {
  /** Columns beside its bars, which rules may read. */
  readonly columns: Iterable<string> | typeof anyColumn;
  /** Null where there are too few bars. */
  readonly before: MarketBefore | null;
}

/** Room for holes in the bars. */
const LOOK_BACK = 2 * MARKET_BARS;
const MARKETS_MAX = 500;
/** How far a score may lag behind new bars: reading them takes longer than all the rest. */
const KEPT_MS = 30_000;

/** The newest bars of assets, in the figures that the sieve reads. */
export class SieveMarkets {
  readonly #known = new LRUCache<string, Promise<KnownMarket>>({ max: MARKETS_MAX, ttl: KEPT_MS });

  constructor(private readonly market: Pick<MarketData, 'bars' | 'resolveSource'>) {}

  of(asset: string, intervalMs: number): Promise<KnownMarket> {
    const key = `${normaliseAsset(asset)} ${intervalMs}`;
    let known = this.#known.get(key);
    if (known === undefined) {
      known = this.#read(asset, intervalMs);
      this.#known.set(key, known);
      known.catch(() => this.#known.delete(key)); // the caller is told, the next one reads again
    }
    return known;
  }

  async #read(asset: string, intervalMs: number): Promise<KnownMarket> {
    try {
      const { entry } = await this.market.resolveSource(asset, intervalMs);
      const bars = await this.market.bars(asset, intervalMs, entry.lastMs - LOOK_BACK * intervalMs);
      return { columns: entry.beside, before: marketBefore(bars, bars.barCount) };
    } catch (error) {
      // There are no bars of this asset.
      if (error instanceof EngineError) return { columns: anyColumn, before: null };
      throw error;
    }
  }
}
