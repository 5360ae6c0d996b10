import { barAt, DAY_MS, HOUR_MS } from '../../../engine/series/index.js';
import type { BarStore, StoredBars } from '../../bars/index.js';
import { sha256 } from '../../hashes/index.js';
import type { MarketData } from '../../providers/index.js';
import { oldestTime, recorded } from '../sourced.js';
import { type AssetFacts, assetFacts, exchangeFacts, FACTS_AS_OF, marketFacts } from './facts.js';
import {
  type AssetProfile,
  type AssetSource,
  annualVolatility,
  type Candles,
  candleIntervalMs,
  changePct,
  type Exchange,
  type MarketSnapshot,
  maxDrawdown,
  type PricePoint,
  priceAt,
  RISK_DAYS,
} from './port.js';

interface HeldAssetsOptions {
  readonly bars: Pick<BarStore, 'list'>;
  readonly market: Pick<MarketData, 'bars'>;
}

/** An asset with bars on this machine. */
interface HeldAsset {
  readonly symbol: string;
  readonly facts: AssetFacts | null;
  readonly entries: readonly StoredBars[];
}

/** What the bars of an asset say of its last day and its last 30 days. */
interface Figures {
  readonly asset: HeldAsset;
  readonly nowMs: number;
  /** Closes of the last 30 days and one before, in ascending order. */
  readonly closes: readonly PricePoint[];
  readonly price: number;
  readonly high24h: number;
  readonly low24h: number;
  readonly volume24h: number;
  /** Mean volume of a day over the last 30 days. */
  readonly volumePerDay: number;
  /** Null where the supply is unknown. */
  readonly marketCap: number | null;
}

/** Assets in one picture of the market may end this far apart. */
const APART_MS_MAX = DAY_MS;
const TRENDING_MAX = 15;

/**
 * Assets whose bars are on this machine, each at the close of its own last bar. Prices, volumes and
 * measures come from the bars, supply and listings from dated facts. Perpetuals are not assets.
 * Volume is the volume of the bars' market only.
 */
export function openHeldAssets({ bars, market }: HeldAssetsOptions): AssetSource {
  async function assets(): Promise<HeldAsset[]> {
    const bySymbol = new Map<string, StoredBars[]>();
    for (const entry of await bars.list()) {
      if (!entry.asset.endsWith('-PERP')) bySymbol.set(entry.asset, [...(bySymbol.get(entry.asset) ?? []), entry]);
    }
    return [...bySymbol].map(([symbol, entries]) => ({ symbol, entries, facts: assetFacts.get(symbol) ?? null }));
  }

  const find = async (symbol: string): Promise<HeldAsset | undefined> =>
    (await assets()).find((each) => each.symbol === symbol);

  const figuresOfAll = async (): Promise<Figures[]> => {
    const all = await Promise.all((await assets()).map((asset) => loadFigures(asset, market)));
    return all.filter((figures) => figures !== null).sort(byMarketCap);
  };

  return {
    isLive: false,
    async listed() {
      const all = await figuresOfAll();
      const listed = all.map(({ asset }) => ({
        symbol: asset.symbol,
        name: assetName(asset),
        revision: profileRevision(asset),
      }));
      return recorded(listed, oldestMs(all));
    },
    async profile(symbol) {
      const asset = await find(symbol);
      const figures = asset === undefined ? null : await loadFigures(asset, market);
      return recorded(figures === null ? null : toProfile(figures), figures?.nowMs ?? null);
    },
    exchanges: async () => recorded([...exchangeFacts.values()], Date.parse(FACTS_AS_OF)),
    async trending() {
      const all = await figuresOfAll();
      const ranks = new Map(all.map((figures, i) => [figures, figures.marketCap === null ? null : i + 1]));
      const trending = all
        .toSorted((a, b) => demandFor(b) - demandFor(a))
        .slice(0, TRENDING_MAX)
        .map((figures) => ({
          symbol: figures.asset.symbol,
          name: assetName(figures.asset),
          marketCapRank: ranks.get(figures) ?? null,
          priceUsd: figures.price,
          change24hPct: change(figures, DAY_MS),
        }));
      return recorded(trending, oldestMs(all));
    },
    async globalMarket() {
      const current = currentAssets(await figuresOfAll());
      return recorded(wholeMarket(current), oldestMs(current) ?? Date.parse(marketFacts.asOf));
    },
    async snapshot(symbol) {
      const asset = await find(symbol);
      const figures = asset === undefined ? null : await loadFigures(asset, market);
      return recorded(figures === null ? null : toSnapshot(figures), figures?.nowMs ?? null);
    },
    async candles(symbol, days) {
      const asset = await find(symbol);
      const found = asset === undefined ? null : await loadCandles(asset, days, market);
      const last = found?.candles.at(-1);
      return recorded(found, found === null || last === undefined ? null : last.timeMs + found.intervalMs);
    },
  };
}

const oldestMs = (all: readonly Figures[]): number | null => oldestTime(all.map(({ nowMs }) => nowMs));
const assetName = ({ symbol, facts }: HeldAsset): string => facts?.name ?? symbol;

/** Covers all that the profile of an asset is made of. */
const profileRevision = ({ entries }: HeldAsset): string =>
  sha256(['recorded', FACTS_AS_OF, ...entries.map(({ contentHash }) => contentHash)].join('\n'));

const byMarketCap = (a: Figures, b: Figures): number =>
  (b.marketCap ?? 0) - (a.marketCap ?? 0) || (a.asset.symbol < b.asset.symbol ? -1 : 1);

/**
 * Of the intervals that stored bars give, the one whose bars end last; the first of several.
 * @param entries of one asset, finest first
 */
function newestBars(entries: readonly StoredBars[], intervals: readonly number[]) {
  let newest: { readonly intervalMs: number; readonly nowMs: number } | null = null;
  for (const intervalMs of intervals) {
    // The store resolves an interval in the same way.
    const entry = entries.findLast((held) => intervalMs % held.intervalMs === 0);
    if (entry === undefined) continue;
    const nowMs = entry.lastMs + entry.intervalMs;
    if (newest === null || nowMs > newest.nowMs) newest = { intervalMs, nowMs };
  }
  return newest;
}

/** @returns null for bars coarser than a day, which say nothing of one */
async function loadFigures(asset: HeldAsset, market: HeldAssetsOptions['market']): Promise<Figures | null> {
  const newest = newestBars(asset.entries, [HOUR_MS, DAY_MS]);
  if (newest === null) return null;
  const { intervalMs } = newest;
  const series = await market.bars(asset.symbol, intervalMs, newest.nowMs - (RISK_DAYS + 1) * DAY_MS - intervalMs);
  const rows = Array.from(series.time, (_, i) => {
    const { time, high, low, close, volume } = barAt(series, i);
    return { endMs: time + intervalMs, high, low, close, value: close * volume };
  });
  const last = rows.at(-1);
  if (last === undefined) return null;
  const nowMs = last.endMs;
  const day = rows.filter(({ endMs }) => endMs > nowMs - DAY_MS);
  const month = rows.filter(({ endMs }) => endMs > nowMs - RISK_DAYS * DAY_MS);
  const valueIn = (some: typeof rows) => some.reduce((sum, { value }) => sum + value, 0);
  const supply = asset.facts?.supply ?? null;
  return {
    asset,
    nowMs,
    closes: rows.map(({ endMs, close }) => [endMs, close]),
    price: last.close,
    high24h: Math.max(...day.map(({ high }) => high)),
    low24h: Math.min(...day.map(({ low }) => low)),
    volume24h: valueIn(day),
    volumePerDay: (valueIn(month) * DAY_MS) / Math.min(RISK_DAYS * DAY_MS, month.length * intervalMs),
    marketCap: supply === null ? null : supply * last.close,
  };
}

/** Volume of the last 24 hours over the volume of a mean day. */
const demandFor = ({ volume24h, volumePerDay }: Figures): number => (volumePerDay === 0 ? 0 : volume24h / volumePerDay);

const change = ({ closes, nowMs, price }: Figures, agoMs: number): number | null =>
  changePct(priceAt(closes, nowMs - agoMs), price);

function toProfile(figures: Figures): AssetProfile {
  const { asset, nowMs, closes, price, marketCap, volume24h } = figures;
  return {
    symbol: asset.symbol,
    name: assetName(asset),
    asOfMs: nowMs,
    priceUsd: price,
    marketCapUsd: marketCap,
    volume24hUsd: volume24h,
    volatility30d: annualVolatility(closes, nowMs),
    drawdown30d: maxDrawdown(closes, nowMs),
    exchanges: knownListings(asset),
    launchedAtMs: asset.facts === null ? null : Date.parse(asset.facts.launched),
  };
}

/** Listings that are known; at least the exchange of the bars. */
function knownListings({ facts, entries }: HeldAsset): Exchange[] {
  const names = facts?.exchanges ?? entries.flatMap(({ exchange }) => exchange?.toLowerCase() ?? []);
  return [...new Set(names)].flatMap((name) => exchangeFacts.get(name) ?? []);
}

const toSnapshot = (figures: Figures): MarketSnapshot => ({
  symbol: figures.asset.symbol,
  price: figures.price,
  marketCap: figures.marketCap,
  volume24h: figures.volume24h,
  change24hPct: change(figures, DAY_MS),
  change7dPct: change(figures, 7 * DAY_MS),
  high24h: figures.high24h,
  low24h: figures.low24h,
  updatedAtMs: figures.nowMs,
});

/** The assets that end with the newest one: an asset that ends earlier says nothing of its day. */
function currentAssets(all: readonly Figures[]): Figures[] {
  const nowMs = Math.max(0, ...all.map((figures) => figures.nowMs));
  return all.filter((figures) => nowMs - figures.nowMs <= APART_MS_MAX);
}

/**
 * Capitalization and dominance are dated facts; change, volume and number cover the stored assets.
 */
function wholeMarket(current: readonly Figures[]) {
  const total = current.reduce((sum, { marketCap }) => sum + (marketCap ?? 0), 0);
  const before = current.reduce((sum, figures) => {
    const pct = change(figures, DAY_MS) ?? 0;
    return sum + (figures.marketCap ?? 0) / (1 + pct / 100);
  }, 0);
  return {
    marketCapUsd: marketFacts.marketCapUsd,
    btcDominancePct: marketFacts.btcDominancePct,
    ethDominancePct: marketFacts.ethDominancePct,
    dominanceAsOf: marketFacts.asOf,
    marketCapChange24hPct: changePct(before, total) ?? 0,
    volume24hUsd: current.reduce((sum, { volume24h }) => sum + volume24h, 0),
    assets: current.length,
    measuredAssets: current.map(({ asset }) => asset.symbol),
  };
}

async function loadCandles({ symbol, entries }: HeldAsset, days: number, market: HeldAssetsOptions['market']) {
  const wanted = candleIntervalMs(days);
  const coarser = [HOUR_MS, 4 * HOUR_MS, DAY_MS].filter((intervalMs) => intervalMs > wanted);
  for (const intervalMs of [wanted, ...coarser]) {
    const newest = newestBars(entries, [intervalMs]);
    if (newest === null) continue;
    const series = await market.bars(symbol, intervalMs, newest.nowMs - days * DAY_MS);
    const candles: Candles['candles'] = Array.from(series.time, (_, i) => {
      const { time: timeMs, ...prices } = barAt(series, i);
      return { timeMs, ...prices };
    });
    return { intervalMs, candles };
  }
  return null;
}
