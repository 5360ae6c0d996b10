import { derivedUuid } from '../../data/hashes/index.js';
import type { Exchange } from '../../data/upstreams/assets/index.js';
import { isoTime } from '../../engine/series/index.js';
import { ageInDays, riskInputs, riskScores } from './risk.js';
import type { CryptoAssetRow } from './store.js';

/** Amounts are 0 where the source does not know them; `risk_inputs` has null there. */
export function assetRecord(row: CryptoAssetRow) {
  const { profile } = row;
  const risk = riskScores(profile);
  return {
    symbol: row.symbol,
    name: profile.name,
    price_usd: profile.priceUsd,
    market_cap_usd: profile.marketCapUsd ?? 0,
    overall_risk_score: risk.overall,
    is_approved: row.is_approved,
    risk_scores: risk,
    risk_inputs: riskInputs(profile),
    id: row.id,
    regulatory_status: row.regulatory_status,
    security_status: row.security_status,
    metadata: {
      market_cap: profile.marketCapUsd ?? 0,
      volume_24h: profile.volume24hUsd,
      age_days: ageInDays(profile) ?? 0,
      exchanges: profile.exchanges.map(({ name }) => name),
    },
    timestamps: {
      created_at: isoTime(row.created_at_ms),
      updated_at: isoTime(row.updated_at_ms),
      last_evaluated_at: isoTime(row.evaluated_at_ms),
    },
    source: row.source,
  };
}

export type AssetRecord = ReturnType<typeof assetRecord>;

export const exchangeRecord = (exchange: Exchange) => ({
  id: derivedUuid('exchange', exchange.name),
  name: exchange.name,
  display_name: exchange.displayName,
  tier: exchange.tier,
  exchange_type: exchange.type,
  country: exchange.country,
  region: exchange.region,
  is_active: exchange.isActive,
  volume_24h_usd: exchange.volume24hUsd,
});
