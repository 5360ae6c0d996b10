import type { AssetProfile, RiskProfile } from '../../data/upstreams/assets/index.js';
import { DAY_MS, isoTime } from '../../engine/series/index.js';

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
