import { isUuid } from '../../data/state/index.js';
import type { AssetProfile, AssetSource, RiskProfile } from '../../data/upstreams/assets/index.js';
import { mapSourced, type Sourced, UpstreamFault } from '../../data/upstreams/index.js';
import { DAY_MS, HOUR_MS, isoTime } from '../../engine/series/index.js';
import { notFound } from '../api-error.js';
import type { WallClock } from '../wall-clock.js';
import type { CryptoAssetRow, SqlCryptoAssetStore } from './store.js';

interface AssetBookParts {
  readonly store: Pick<SqlCryptoAssetStore, 'list' | 'find' | 'keep'>;
  readonly source: AssetSource;
  /** Share of the supply that the ten largest holders own, in percent; null where unknown. */
  readonly holderShare: (symbol: string) => Promise<Sourced<number | null>>;
  readonly clock: WallClock;
  /** Id of an asset; the same for the same symbol. */
  readonly assetId: (symbol: string) => string;
}

/** An asset is approved from this score on, until an operator decides otherwise. */
const APPROVED_FROM = 60;
/** A live profile is made anew once a day; the update may take an hour. */
const PROFILE_MAX_AGE_MS = DAY_MS + HOUR_MS;

/**
 * The stored assets, kept up with their source: profiles of recorded data follow each change of the
 * record at the next call; an update makes profiles of a provider anew once a day.
 */
export class AssetBook {
  constructor(private readonly parts: AssetBookParts) {}

  /**
   * The assets that the source lists, as far as they have been evaluated. While a provider fails,
   * all of its assets that are stored, marked as stale.
   */
  async all(): Promise<Sourced<readonly Sourced<CryptoAssetRow>[]>> {
    const { store, source } = this.parts;
    const rows = await store.list();
    const bySymbol = new Map(rows.map((row) => [row.symbol, row]));
    const listed = await source.listed().catch((error: unknown) => {
      if (error instanceof UpstreamFault) return error;
      throw error;
    });
    if (listed instanceof UpstreamFault) return this.#allStored(rows, listed);
    const current = listed.value.map(async ({ symbol, revision }) => {
      const row = bySymbol.get(symbol);
      if (row?.revision === revision) return this.#sourced(row);
      return source.isLive ? null : this.evaluate(symbol, revision);
    });
    const known = (await Promise.all(current)).filter((row) => row !== null);
    return mapSourced(listed, () => known);
  }

  /**
   * @param name its symbol, in upper or lower case
   * @throws ApiError RESOURCE_NOT_FOUND
   */
  async get(name: string): Promise<Sourced<CryptoAssetRow>> {
    const symbol = readSymbol(name);
    const [revision, row] = await Promise.all([this.#revisionOf(symbol), this.parts.store.find({ symbol })]);
    if (row !== null && row.revision === revision) return this.#sourced(row);
    return this.#made(symbol, revision);
  }

  /** Makes the profile of an asset anew. @throws ApiError RESOURCE_NOT_FOUND */
  async refresh(symbol: string): Promise<Sourced<CryptoAssetRow>> {
    return this.#made(symbol, await this.#revisionOf(symbol));
  }

  /** @param id of an asset; its symbol serves too */
  async findSymbol(id: string): Promise<string> {
    if (!isUuid(id)) return readSymbol(id);
    const row = await this.parts.store.find({ id });
    if (row === null) throw notFound('asset', id);
    return row.symbol;
  }

  /** Makes the profile of an asset anew and stores it. @returns null for an unknown asset */
  async evaluate(symbol: string, revision: string | null): Promise<Sourced<CryptoAssetRow> | null> {
    const { store, source, holderShare, clock, assetId } = this.parts;
    const [found, holders] = await Promise.all([source.profile(symbol), holderShare(symbol)]);
    if (found.value === null) return null;
    // A drawn figure would make a live profile a generated one.
    const isKnown = holders.source !== 'generated' || !source.isLive;
    const areHoldersDrawn = isKnown && holders.source === 'generated';
    const profile = { ...found.value, top10HoldersPct: isKnown ? holders.value : null, areHoldersDrawn };
    const isApprovedAtFirst = riskScores(profile).overall >= APPROVED_FROM;
    const row = await store.keep(
      {
        id: assetId(symbol),
        profile,
        source: areHoldersDrawn ? holders.source : found.source,
        revision,
        isApprovedAtFirst,
      },
      clock(),
    );
    return { ...this.#sourced(row), isStale: found.isStale };
  }

  async #made(symbol: string, revision: string | null): Promise<Sourced<CryptoAssetRow>> {
    const made = await this.evaluate(symbol, revision);
    if (made === null) throw notFound('asset', symbol);
    return made;
  }

  /**
   * Null for an asset of a provider.
   * @throws ApiError RESOURCE_NOT_FOUND for one that is not held
   */
  async #revisionOf(symbol: string): Promise<string | null> {
    const { source } = this.parts;
    if (source.isLive) return null;
    const listed = (await source.listed()).value.find((each) => each.symbol === symbol);
    if (listed === undefined) throw notFound('asset', symbol);
    return listed.revision;
  }

  /** @throws UpstreamFault if nothing of the provider is stored */
  #allStored(rows: readonly CryptoAssetRow[], fault: UpstreamFault): Sourced<readonly Sourced<CryptoAssetRow>[]> {
    const live = rows.filter(({ revision }) => revision === null);
    if (live.length === 0) throw fault;
    const value = live.map((row) => ({ ...this.#sourced(row), isStale: true }));
    return { value, source: fault.provider, asOfMs: null, ageMs: 0, maxAgeMs: 0, isStale: true };
  }

  #sourced(row: CryptoAssetRow): Sourced<CryptoAssetRow> {
    const { source, clock } = this.parts;
    const ageMs = source.isLive ? Math.max(0, clock() - row.evaluated_at_ms) : 0;
    const maxAgeMs = source.isLive ? PROFILE_MAX_AGE_MS : 0;
    const asOfMs = source.isLive ? null : row.profile.asOfMs;
    return { value: row, source: row.source, asOfMs, ageMs, maxAgeMs, isStale: ageMs > maxAgeMs };
  }
}

const symbolForm = /^[A-Z0-9][A-Z0-9._]{0,31}$/;

/**
 * The symbol of an asset in upper case; `BTC-USD` and `BTC/USDT` name BTC. A perpetual is no asset.
 * @throws ApiError RESOURCE_NOT_FOUND for text that cannot be one
 */
export function readSymbol(text: string): string {
  const upper = text.trim().toUpperCase();
  const [symbol = ''] = upper.split(/[-/]/, 1);
  if (!symbolForm.test(symbol) || upper.endsWith('-PERP')) throw notFound('asset', text);
  return symbol;
}

/** The score of a value that reaches a bound; the best comes first. */
type Tiers = readonly (readonly [bound: number, score: number])[];

const scores = [100, 80, 60, 40, 20] as const;
const tiers = (...bounds: readonly [number, number, number, number, number]): Tiers =>
  scores.map((score, i) => [bounds[i] as number, score]);

/** At least the bound. Amounts are in USD. */
const marketCapTiers = tiers(10e9, 1e9, 100e6, 10e6, 1e6);
const volumeTiers = tiers(1e9, 100e6, 10e6, 1e6, 100e3);
/** Volume of a day by market cap, a fraction. */
const turnoverTiers = tiers(0.05, 0.02, 0.01, 0.005, 0.001);
const ageDaysTiers = tiers(5 * 365, 3 * 365, 365, 180, 30);

/** At most the bound, as fractions. */
const volatilityTiers = tiers(0.3, 0.5, 0.8, 1.2, 2);
const drawdownTiers = tiers(0.05, 0.1, 0.2, 0.35, 0.5);
const holdersPctTiers = tiers(10, 20, 35, 50, 70);

/** Points for a listing, by the tier of the exchange; 100 points are enough. */
const listingPoints: Readonly<Record<number, number>> = { 1: 30, 2: 15, 3: 5 };

/** An unknown part scores 0, like the worst. */
const atLeast = (value: number | null, bounds: Tiers): number =>
  value === null ? 0 : (bounds.find(([bound]) => value >= bound)?.[1] ?? 0);
const atMost = (value: number | null, bounds: Tiers): number =>
  value === null ? 0 : (bounds.find(([bound]) => value <= bound)?.[1] ?? 0);

/** Percent of the overall score. */
const weights = {
  market_cap: 25,
  liquidity: 25,
  exchange: 20,
  volatility: 10,
  price_stability: 10,
  supply_distribution: 10,
} as const;

type Factor = keyof typeof weights;
const factors = Object.keys(weights) as readonly Factor[];

/**
 * Six factors, their weighted sum as `overall`, and `age`, which is not part of the sum. Each is
 * 0..100; higher means less risk. docs/intelligence.md has the tiers.
 */
export function riskScores(profile: RiskProfile) {
  const inputs = riskInputs(profile);
  const byFactor: Readonly<Record<Factor, number>> = {
    market_cap: atLeast(inputs.market_cap_usd, marketCapTiers),
    liquidity: (atLeast(inputs.volume_24h_usd, volumeTiers) + atLeast(inputs.volume_to_market_cap, turnoverTiers)) / 2,
    exchange: Math.min(
      100,
      inputs.exchange_tiers.reduce((sum, tier) => sum + (listingPoints[tier] ?? 0), 0),
    ),
    volatility: atMost(inputs.volatility_30d, volatilityTiers),
    price_stability: atMost(inputs.max_drawdown_30d, drawdownTiers),
    supply_distribution: atMost(inputs.top_10_holders_pct, holdersPctTiers),
  };
  const overall = factors.reduce((sum, factor) => sum + weights[factor] * byFactor[factor], 0) / 100;
  return { ...byFactor, overall, age: atLeast(inputs.age_days, ageDaysTiers) };
}

/** The figures that the scores come from; null stands for unknown. */
export function riskInputs(profile: RiskProfile) {
  const { marketCapUsd, volume24hUsd, exchanges, areHoldersDrawn } = profile;
  return {
    as_of: isoTime(profile.asOfMs),
    market_cap_usd: marketCapUsd,
    volume_24h_usd: volume24hUsd,
    volume_to_market_cap: marketCapUsd === null ? null : volume24hUsd / marketCapUsd,
    exchange_tiers: exchanges.map(({ tier }) => tier).sort(),
    volatility_30d: profile.volatility30d,
    max_drawdown_30d: profile.drawdown30d,
    top_10_holders_pct: profile.top10HoldersPct,
    age_days: ageInDays(profile),
    generated: areHoldersDrawn ? ['top_10_holders_pct'] : [],
  };
}

export const ageInDays = ({ asOfMs, launchedAtMs }: AssetProfile): number | null =>
  launchedAtMs === null ? null : Math.max(0, Math.floor((asOfMs - launchedAtMs) / DAY_MS));
