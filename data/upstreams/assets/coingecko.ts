import type { z } from 'zod';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../engine/series/index.js';
import { UpstreamFault } from '../fault.js';
import { joinSourced, mapSourced, type Sourced } from '../sourced.js';
import { type Adapter, Upstream } from '../upstream.js';
import type { LiveOptions } from './coinapi.js';
import {
  coinDetail,
  exchangeRows,
  globalData,
  type MarketRow,
  marketChart,
  marketRows,
  ohlcRows,
  trendingCoins,
} from './coingecko-shapes.js';
import {
  type AssetProfile,
  type AssetSource,
  annualVolatility,
  type Candles,
  type Exchange,
  type MarketSnapshot,
  maxDrawdown,
  type PricePoint,
  RISK_DAYS,
} from './port.js';

/** Requests a minute of the demo plan. */
const DEMO_PER_MINUTE = 30;
/** Coins that `listed` has: one page. */
const LISTED = 100;

/** Exchanges that a profile names, the best first. */
const LISTINGS_MAX = 30;

/** How long each kind of answer counts as fresh; CoinGecko itself renews most of them as often. */
const maxAgeMs = {
  price: MINUTE_MS,
  candles: 15 * MINUTE_MS,
  trending: 10 * MINUTE_MS,
  listing: HOUR_MS,
  /** An id never changes; a day lets a new coin take over a symbol. */
  ids: DAY_MS,
} as const;

/** `/coins/{id}/ohlc` takes only these days, and chooses the length of a candle by them. */
const candleRules = [
  { days: 1, intervalMs: 30 * MINUTE_MS },
  { days: 7, intervalMs: 4 * HOUR_MS },
  { days: 14, intervalMs: 4 * HOUR_MS },
  { days: 30, intervalMs: 4 * HOUR_MS },
  { days: 90, intervalMs: 4 * DAY_MS },
  { days: 180, intervalMs: 4 * DAY_MS },
  { days: 365, intervalMs: 4 * DAY_MS },
] as const;

/**
 * CoinGecko. It lists the 100 largest coins, and finds any other by its symbol, which names the
 * largest coin that has it. Its candles have no volume: theirs is the mean volume of a day around
 * the candle, for its share of the day. The key belongs to the demo plan, or to a paid plan where
 * the address is the pro API's.
 * @see https://docs.coingecko.com/demo/reference/endpoint-overview
 */
export class CoinGecko implements AssetSource, Adapter {
  readonly isLive = true;
  readonly #upstream: Upstream;
  readonly #clock: () => number;

  constructor({ key, limits, ...options }: LiveOptions) {
    const isPro = new URL(options.baseUrl).hostname.startsWith('pro-api.');
    this.#upstream = new Upstream({
      name: 'coingecko',
      headers: { [isPro ? 'x-cg-pro-api-key' : 'x-cg-demo-api-key']: key },
      limits: { perMinute: isPro ? null : DEMO_PER_MINUTE, ...limits },
      ...options,
    });
    this.#clock = options.clock ?? Date.now;
  }

  get upstreams() {
    return [this.#upstream];
  }

  async listed() {
    const rows = await this.#coins({ per_page: LISTED, page: 1 }, maxAgeMs.listing);
    return mapSourced(rows, (all) => {
      const symbols = all.map(upperSymbol);
      const largest = all.filter((_, i) => symbols.indexOf(symbols[i] as string) === i);
      return largest.map((row) => ({ symbol: upperSymbol(row), name: row.name, revision: null }));
    });
  }

  async profile(symbol: string): Promise<Sourced<AssetProfile | null>> {
    const coin = await this.#coin(symbol, maxAgeMs.ids);
    if (coin.value === null) return mapSourced(coin, () => null);
    const { id } = coin.value;
    const [detail, chart, exchanges] = await Promise.all([
      this.#upstream.ask({
        path: `/coins/${encodeURIComponent(id)}`,
        query: { localization: false, tickers: true, community_data: false, developer_data: false },
        schema: coinDetail,
        maxAgeMs: maxAgeMs.price,
      }),
      this.#chart(id, RISK_DAYS),
      this.exchanges(),
    ]);
    const value = profile(symbol, detail.value, chart.value, exchanges.value, this.#clock());
    return joinSourced(value, detail, chart, exchanges);
  }

  async exchanges(): Promise<Sourced<Exchange[]>> {
    const query = { per_page: 100, page: 1 };
    const [rows, bitcoin] = await Promise.all([
      present(this.#upstream.ask({ path: '/exchanges', query, schema: exchangeRows, maxAgeMs: maxAgeMs.listing })),
      this.#coin('BTC', maxAgeMs.listing),
    ]);
    const btcUsd = bitcoin.value?.current_price ?? null;
    return joinSourced(rows.value.map((row) => exchange(row, btcUsd)).sort(byTier), rows, bitcoin);
  }

  async trending() {
    const question = { path: '/search/trending', schema: trendingCoins, maxAgeMs: maxAgeMs.trending };
    const answer = await present(this.#upstream.ask(question));
    return mapSourced(answer, ({ coins }) =>
      coins.map(({ item }) => ({
        symbol: item.symbol.toUpperCase(),
        name: item.name,
        marketCapRank: item.market_cap_rank,
        priceUsd: item.data?.price ?? null,
        change24hPct: item.data?.price_change_percentage_24h?.usd ?? null,
      })),
    );
  }

  async globalMarket() {
    const question = { path: '/global', schema: globalData, maxAgeMs: maxAgeMs.trending };
    const answer = await present(this.#upstream.ask(question));
    return mapSourced(answer, ({ data }) => ({
      marketCapUsd: data.total_market_cap.usd ?? 0,
      btcDominancePct: data.market_cap_percentage.btc ?? 0,
      ethDominancePct: data.market_cap_percentage.eth ?? 0,
      marketCapChange24hPct: data.market_cap_change_percentage_24h_usd,
      volume24hUsd: data.total_volume.usd ?? 0,
      assets: data.active_cryptocurrencies,
      dominanceAsOf: null,
      measuredAssets: [],
    }));
  }

  async snapshot(symbol: string) {
    const coin = await this.#coin(symbol, maxAgeMs.price);
    return mapSourced(coin, (row) => (row === null ? null : snapshot(row, this.#clock())));
  }

  async candles(symbol: string, days: number): Promise<Sourced<Candles | null>> {
    const coin = await this.#coin(symbol, maxAgeMs.ids);
    if (coin.value === null) return mapSourced(coin, () => null);
    const { id } = coin.value;
    const rule = candleRules.find((each) => each.days >= days) ?? candleRules[6];
    const [prices, chart] = await Promise.all([
      this.#upstream.ask({
        path: `/coins/${encodeURIComponent(id)}/ohlc`,
        query: { vs_currency: 'usd', days: rule.days },
        schema: ohlcRows,
        maxAgeMs: maxAgeMs.candles,
      }),
      this.#chart(id, rule.days),
    ]);
    if (prices.value === null || chart.value === null) return joinSourced(null, prices, chart);
    const fromMs = this.#clock() - days * DAY_MS;
    const { intervalMs } = rule;
    const candles = toCandles(prices.value, chart.value, intervalMs).filter(({ timeMs }) => timeMs >= fromMs);
    return joinSourced({ intervalMs, candles }, prices, chart);
  }

  #coins(query: Readonly<Record<string, string | number>>, maxAge: number): Promise<Sourced<MarketRow[]>> {
    return present(
      this.#upstream.ask({
        path: '/coins/markets',
        query: { vs_currency: 'usd', price_change_percentage: '7d', ...query },
        schema: marketRows,
        maxAgeMs: maxAge,
      }),
    );
  }

  async #coin(symbol: string, maxAge: number): Promise<Sourced<MarketRow | null>> {
    const rows = await this.#coins({ symbols: symbol.toLowerCase() }, maxAge);
    return mapSourced(rows, (all) => all.find((row) => upperSymbol(row) === symbol) ?? null);
  }

  #chart(id: string, days: number) {
    return this.#upstream.ask({
      path: `/coins/${encodeURIComponent(id)}/market_chart`,
      query: { vs_currency: 'usd', days },
      schema: marketChart,
      maxAgeMs: maxAgeMs.candles,
    });
  }
}

/** An answer to a question that has one: a 404 is a fault. */
async function present<T>(asked: Promise<Sourced<T | null>>): Promise<Sourced<T>> {
  const answer = await asked;
  const { value, source } = answer;
  if (value === null) throw new UpstreamFault(source, 'shape', 'HTTP 404 for a list that it documents');
  return { ...answer, value };
}

const upperSymbol = ({ symbol }: MarketRow): string => symbol.toUpperCase();

const byTier = (a: Exchange, b: Exchange): number =>
  a.tier - b.tier || (b.volume24hUsd ?? 0) - (a.volume24hUsd ?? 0) || (a.name < b.name ? -1 : 1);

const exchange = (row: z.infer<typeof exchangeRows>[number], btcUsd: number | null): Exchange => ({
  name: row.id.toLowerCase(),
  displayName: row.name,
  tier: tier(row.trust_score),
  type: 'spot',
  country: row.country,
  region: null,
  isActive: true,
  volume24hUsd: btcUsd === null || row.trade_volume_24h_btc === null ? null : row.trade_volume_24h_btc * btcUsd,
});

/** @param trust 1..10, the best; null if not rated */
function tier(trust: number | null): number {
  if (trust === null || trust < 5) return 3;
  return trust < 8 ? 2 : 1;
}

const knownPoints = (series: readonly (readonly [number, number | null])[]): PricePoint[] =>
  series.flatMap(([timeMs, value]) => (value === null ? [] : [[timeMs, value] as const]));

/** @returns null for a coin without a price */
function profile(
  symbol: string,
  coin: z.infer<typeof coinDetail> | null,
  chart: z.infer<typeof marketChart> | null,
  exchanges: readonly Exchange[],
  nowMs: number,
): AssetProfile | null {
  const market = coin?.market_data;
  const priceUsd = market?.current_price.usd ?? null;
  if (coin === null || market === undefined || priceUsd === null) return null;
  const points = knownPoints(chart?.prices ?? []);
  const listing = new Set(coin.tickers.map((ticker) => ticker.market.identifier.toLowerCase()));
  // A coin is at least as old as its extreme prices.
  const known = [coin.genesis_date, market.ath_date.usd, market.atl_date.usd];
  const times = known.flatMap((day) => (day === null || day === undefined ? [] : [Date.parse(day)]));
  return {
    symbol,
    name: coin.name,
    asOfMs: nowMs,
    priceUsd,
    marketCapUsd: market.market_cap.usd || null, // 0 stands for unknown
    volume24hUsd: market.total_volume.usd ?? 0,
    volatility30d: annualVolatility(points, nowMs),
    drawdown30d: maxDrawdown(points, nowMs),
    exchanges: exchanges.filter(({ name }) => listing.has(name)).slice(0, LISTINGS_MAX),
    launchedAtMs: times.length === 0 ? null : Math.min(...times),
  };
}

function snapshot(row: MarketRow, nowMs: number): MarketSnapshot | null {
  if (row.current_price === null) return null;
  return {
    symbol: upperSymbol(row),
    price: row.current_price,
    marketCap: row.market_cap || null,
    volume24h: row.total_volume ?? 0,
    change24hPct: row.price_change_percentage_24h,
    change7dPct: row.price_change_percentage_7d_in_currency ?? null,
    high24h: row.high_24h,
    low24h: row.low_24h,
    updatedAtMs: row.last_updated === null ? nowMs : Date.parse(row.last_updated),
  };
}

function toCandles(
  rows: z.infer<typeof ohlcRows>,
  chart: z.infer<typeof marketChart>,
  intervalMs: number,
): Candles['candles'] {
  const volumes = knownPoints(chart.total_volumes);
  return rows.map(([closeMs, open, high, low, close]) => {
    const near = volumes.filter(([timeMs]) => timeMs > closeMs - intervalMs && timeMs <= closeMs);
    const perDayUsd = near.reduce((sum, [, value]) => sum + value, 0) / Math.max(1, near.length);
    const volume = (perDayUsd * intervalMs) / DAY_MS / close;
    return { timeMs: closeMs - intervalMs, open, high, low, close, volume };
  });
}
