import type { AssetProfile, AssetSource, Candles, Exchange, RiskProfile } from '../../data/upstreams/assets/index.js';
import { recorded, type Sourced } from '../../data/upstreams/index.js';

/** A source under the control of a test: it lists the symbols of `revisions`. */
export class TestAssetSource implements AssetSource {
  readonly revisions = new Map<string, string | null>();
  /** Profiles that were asked for, in order. */
  readonly asked: string[] = [];
  /** Set while the provider fails. */
  fault: Error | null = null;
  /** Called before each profile; may throw or wait. */
  onProfile: (symbol: string) => Promise<void> = async () => {};
  profiles = new Map<string, AssetProfile>();
  candlesFound: () => Promise<Sourced<Candles | null>> = async () => recorded(null, null);

  constructor(
    readonly isLive: boolean,
    symbols: readonly string[],
  ) {
    for (const symbol of symbols) this.revisions.set(symbol, isLive ? null : 'r1');
  }

  async listed() {
    if (this.fault !== null) throw this.fault;
    const listed = [...this.revisions].map(([symbol, revision]) => ({ symbol, name: symbol, revision }));
    return this.#sourced(listed);
  }

  async profile(symbol: string) {
    this.asked.push(symbol);
    await this.onProfile(symbol);
    const known = this.profiles.get(symbol) ?? (this.revisions.has(symbol) ? profileOf(symbol) : null);
    return this.#sourced(known);
  }

  async exchanges() {
    return this.#sourced([]);
  }

  async trending() {
    return this.#sourced([]);
  }

  async globalMarket() {
    const market = { marketCapUsd: 1, btcDominancePct: 1, ethDominancePct: 1, marketCapChange24hPct: 1 };
    return this.#sourced({ ...market, volume24hUsd: 1, assets: 1, dominanceAsOf: null, measuredAssets: [] });
  }

  async snapshot() {
    return this.#sourced(null);
  }

  candles() {
    return this.candlesFound();
  }

  #sourced<T>(value: T): Sourced<T> {
    return { ...recorded(value, 0), source: this.isLive ? 'coingecko' : 'recorded' };
  }
}

export const exchangeOf = (name: string, tier: number): Exchange => ({
  name,
  displayName: name,
  tier,
  type: 'spot',
  country: null,
  region: null,
  isActive: true,
  volume24hUsd: null,
});

/** A large, calm asset that is listed everywhere. */
export const profileOf = (symbol: string, over: Partial<RiskProfile> = {}): RiskProfile => ({
  symbol,
  name: `${symbol} coin`,
  asOfMs: Date.parse('2025-01-01T00:00:00Z'),
  priceUsd: 100,
  marketCapUsd: 20e9,
  volume24hUsd: 1e9,
  volatility30d: 0.3,
  drawdown30d: 0.05,
  exchanges: ['a', 'b', 'c', 'd'].map((name) => exchangeOf(name, 1)),
  launchedAtMs: Date.parse('2015-01-01T00:00:00Z'),
  top10HoldersPct: 10,
  areHoldersDrawn: false,
  ...over,
});
