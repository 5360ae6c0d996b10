import { id, time, z } from '../zod.js';

export const riskScores = z
  .object({
    market_cap: z.number(),
    liquidity: z.number(),
    exchange: z.number(),
    volatility: z.number(),
    price_stability: z.number(),
    supply_distribution: z.number(),
    overall: z.number().openapi({ description: 'weighted sum of the six: 25, 25, 20, 10, 10 and 10 %' }),
    age: z.number().openapi({ description: 'not part of the sum' }),
  })
  .openapi('AssetRiskScores', { description: 'each 0..100; higher means less risk' });

export const riskInputs = z
  .object({
    as_of: time().openapi({ description: 'market time of the figures' }),
    market_cap_usd: z.number().nullable(),
    volume_24h_usd: z.number(),
    volume_to_market_cap: z.number().nullable(),
    exchange_tiers: z.array(z.int()).openapi({ description: 'tiers of the exchanges that list it, 1 the best' }),
    volatility_30d: z.number().nullable().openapi({ description: 'a fraction a year' }),
    max_drawdown_30d: z.number().nullable().openapi({ description: 'a positive fraction' }),
    top_10_holders_pct: z.number().nullable(),
    age_days: z.int().nullable(),
    generated: z.array(z.string()).openapi({ description: 'the figures that are drawn from a seed' }),
  })
  .openapi('AssetRiskInputs', { description: 'what the scores come from; null where unknown' });

export const choice = {
  symbol: z.string(),
  name: z.string(),
  overall_risk_score: z.number().openapi({ description: '0..100; higher means less risk' }),
  is_approved: z.boolean(),
  risk_scores: riskScores,
};

export const asset = z
  .object({
    ...choice,
    price_usd: z.number(),
    market_cap_usd: z.number().openapi({ description: '0 where the supply is unknown' }),
    risk_inputs: riskInputs,
    id: id(),
    regulatory_status: z.enum(['pending', 'approved', 'restricted', 'banned']),
    security_status: z.enum(['pending', 'secure', 'vulnerable', 'compromised']),
    metadata: z.object({
      market_cap: z.number(),
      volume_24h: z.number(),
      age_days: z.int(),
      exchanges: z.array(z.string()),
    }),
    timestamps: z.object({ created_at: time(), updated_at: time(), last_evaluated_at: time() }),
    source: z.string(),
  })
  .openapi('CryptoAsset');

export const exchange = z
  .object({
    id: id(),
    name: z.string(),
    display_name: z.string(),
    tier: z.int().openapi({ description: '1..3, 1 the best' }),
    exchange_type: z.string(),
    country: z.string().nullable(),
    region: z.string().nullable(),
    is_active: z.boolean(),
    volume_24h_usd: z.number().nullable(),
  })
  .openapi('CryptoExchange');

export const update = z
  .object({
    update_id: id(),
    status: z.enum(['running', 'completed']),
    total: z.int(),
    done: z.int(),
    failed: z.int().openapi({ description: 'of those done' }),
    failures: z.array(z.object({ symbol: z.string(), error: z.string() })),
    started_at: time(),
    finished_at: time().nullable(),
  })
  .openapi('AssetUpdate');
