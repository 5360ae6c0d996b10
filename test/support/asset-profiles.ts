import type { Exchange, RiskProfile } from '../../data/upstreams/assets/index.js';

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
