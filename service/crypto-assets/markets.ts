import {
  type AssetSource,
  CANDLE_DAYS_MAX,
  type CandleSource,
  type Candles,
} from '../../data/upstreams/assets/index.js';
import { type Sourced, UpstreamFault } from '../../data/upstreams/index.js';
import { formatInterval, isoTime } from '../../engine/series/index.js';
import { notFound } from '../api-error.js';
import { provenanceFields } from '../provenance.js';
import { readChoice, readInteger } from '../read-fields.js';
import { readSymbol } from './book.js';

/** The names by which callers choose a provider. */
const priceProviders = ['coinapi', 'coingecko'] as const;
type PriceProvider = (typeof priceProviders)[number];

interface AssetMarketsParts {
  readonly source: AssetSource;
  /** The providers of candles that are switched on; without any, `source` has them. */
  readonly candles: Readonly<Partial<Record<PriceProvider, CandleSource>>>;
}

interface MarketRequest {
  readonly symbol: string;
  readonly provider?: string;
}

const DAYS_DEFAULT = 30;

/** Prices and pictures of the market. */
export class AssetMarkets {
  constructor(private readonly parts: AssetMarketsParts) {}

  async trending() {
    const all = await this.parts.source.trending();
    const trending = all.value.map((asset, i) => ({
      symbol: asset.symbol,
      name: asset.name,
      rank: i + 1,
      market_cap_rank: asset.marketCapRank,
      price_usd: asset.priceUsd,
      price_change_24h_pct: asset.change24hPct,
    }));
    return { count: trending.length, trending, ...provenanceFields(all) };
  }

  async globalMarket() {
    const market = await this.parts.source.globalMarket();
    const data = {
      total_market_cap_usd: market.value.marketCapUsd,
      btc_dominance: market.value.btcDominancePct,
      eth_dominance: market.value.ethDominancePct,
      market_cap_change_24h_pct: market.value.marketCapChange24hPct,
      total_volume_24h_usd: market.value.volume24hUsd,
      active_cryptocurrencies: market.value.assets,
      source: market.source,
      dominance_as_of: market.value.dominanceAsOf,
      measured_assets: market.value.measuredAssets,
    };
    return { data, ...provenanceFields(market) };
  }

  /**
   * The market of an asset. CoinAPI has no market caps, so CoinGecko serves those who ask for it.
   * @throws ApiError RESOURCE_NOT_FOUND, or INVALID_FIELD for an unknown provider
   */
  async marketData({ symbol: name, provider = 'coingecko' }: MarketRequest) {
    readChoice('provider', provider, priceProviders);
    const found = await this.parts.source.snapshot(readSymbol(name));
    const { value } = found;
    if (value === null) throw notFound('asset', name);
    const data = {
      current_price: value.price,
      market_cap: value.marketCap ?? 0,
      volume_24h: value.volume24h,
      price_change_24h_pct: value.change24hPct ?? 0,
      price_change_7d_pct: value.change7dPct,
      high_24h: value.high24h,
      low_24h: value.low24h,
      last_updated: isoTime(value.updatedAtMs),
      source: found.source,
    };
    return { symbol: value.symbol, provider: found.source, data, ...provenanceFields(found) };
  }

  /**
   * Candles of an asset, from the provider asked for. If that one fails or does not know the asset,
   * the other is asked.
   * @throws ApiError RESOURCE_NOT_FOUND, or INVALID_FIELD for an unknown provider or too many days
   */
  async candles({ symbol: name, provider, days }: MarketRequest & { readonly days?: number }) {
    const first = readChoice('provider', provider ?? 'coinapi', priceProviders);
    const count = readInteger('days', days, { min: 1, max: CANDLE_DAYS_MAX, ifAbsent: DAYS_DEFAULT });
    const symbol = readSymbol(name);
    const found = await this.#candlesOf(first, symbol, count);
    const { value } = found;
    if (value === null) throw notFound('asset', name);
    const data = value.candles.map(({ timeMs, ...candle }) => ({ timestamp: isoTime(timeMs), ...candle }));
    return {
      symbol,
      provider: found.source,
      days: count,
      interval: formatInterval(value.intervalMs),
      data_points: data.length,
      data,
      ...provenanceFields(found),
    };
  }

  async #candlesOf(first: PriceProvider, symbol: string, days: number): Promise<Sourced<Candles | null>> {
    const order = [first, ...priceProviders.filter((name) => name !== first)];
    const live = order.flatMap((name) => this.parts.candles[name] ?? []);
    if (live.length === 0) return this.parts.source.candles(symbol, days);
    let second: Sourced<Candles | null> = {
      value: null,
      source: first,
      asOfMs: null,
      ageMs: 0,
      maxAgeMs: 0,
      isStale: false,
    };
    let fault: UpstreamFault | null = null;
    for (const source of live) {
      try {
        const found = await source.candles(symbol, days);
        if (found.value !== null && !found.isStale) return found;
        // An old answer serves where no provider has a new one.
        if (second.value === null) second = found;
      } catch (error) {
        if (!(error instanceof UpstreamFault)) throw error;
        fault ??= error;
      }
    }
    if (second.value === null && fault !== null) throw fault;
    return second;
  }
}
