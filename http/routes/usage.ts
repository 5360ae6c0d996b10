import type { Route } from '../route.js';
import { time, z } from '../zod.js';

const tag = 'Usage';

const count = z
  .object({ used: z.int(), limit: z.int().nullable().openapi({ description: 'null: no limit' }) })
  .openapi('UsageCount');

const paymentTotal = z
  .object({
    status: z.enum(['serving', 'served', 'settling', 'settled', 'lapsed']),
    network: z.string(),
    asset: z.string(),
    count: z.int(),
    amount: z.string().openapi({ description: 'atomic units of the asset' }),
  })
  .openapi('PaymentTotal', { description: 'what wallets paid; only with the management key' });

const limits = z
  .object({
    strategies: z.int().nullable(),
    backtests: z.int().nullable(),
    api_calls: z.int().nullable(),
    oracle_data_queries: z.int().nullable(),
    tokens: z.int().nullable(),
    defi_pro_calls: z.int().nullable(),
    max_backtests_per_sweep: z.int(),
    concurrent_sweep_cap: z.int().nullable(),
  })
  .openapi('TierLimits');

const tier = {
  tier_id: z.string(),
  tier_name: z.string(),
  price_monthly: z.number().nullable().openapi({ description: 'USD' }),
  entitlements: z.array(z.string()),
  limits,
};

export const usageRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/usage',
    rpc: 'Usage.Get',
    summary: 'Read what the organization used this month, and what it costs',
    tag,
    response: z.object({
      success: z.literal(true),
      tier: z.string(),
      month: z.string(),
      resets_at: time(),
      counters: z.record(z.string(), count),
      meters: z.record(
        z.string(),
        z.object({ used: z.int(), unit_price_usd: z.number(), cost_usd: z.number() }).openapi('MeterUsage'),
      ),
      payments: z.array(paymentTotal).nullable(),
    }),
  },
  {
    method: 'get',
    path: '/usage/prices',
    rpc: 'Usage.ListPrices',
    isPublic: true,
    summary: 'List the prices of metered calls; one call is one unit',
    tag,
    response: z.object({
      success: z.literal(true),
      currency: z.string(),
      prices: z.array(
        z
          .object({
            meter: z.string(),
            unit_price_usd: z.number(),
            wallet_price_usd: z.number().openapi({ description: 'what a wallet without an account pays for a call' }),
            quota_counter: z.string(),
            endpoints: z.array(z.string()),
          })
          .openapi('Price'),
      ),
    }),
  },
  {
    method: 'get',
    path: '/subscriptions/tiers',
    rpc: 'Usage.ListTiers',
    summary: 'List the tiers and what they allow',
    tag,
    response: z.object({ success: z.literal(true), tiers: z.array(z.object(tier).openapi('Tier')) }),
  },
  {
    method: 'get',
    path: '/subscriptions/status',
    rpc: 'Usage.GetSubscription',
    summary: 'Read the tier of the organization and how much of it is used',
    tag,
    response: z.object({
      success: z.literal(true),
      ...tier,
      usage: z.record(z.string(), z.int()),
      limits_exceeded: z.array(z.string()),
      current_period_start: time(),
      current_period_end: time(),
    }),
  },
  {
    method: 'get',
    path: '/subscriptions/utilization',
    rpc: 'Usage.GetUtilization',
    summary: 'Read usage and limits by kind',
    tag,
    response: z.object({
      success: z.literal(true),
      strategies: count,
      backtests: count,
      api_calls: count,
      oracle_data_queries: count,
      tokens: count,
      defi_pro_calls: count,
    }),
  },
  {
    method: 'get',
    path: '/users/me/metrics',
    rpc: 'Usage.GetUserMetrics',
    summary: 'Count what the caller has made',
    tag,
    response: z.object({
      success: z.literal(true),
      metrics: z
        .object({
          conversations_count: z.int(),
          messages_count: z.int(),
          estimated_tokens: z.int(),
          token_breakdown: z.object({
            system_tokens: z.int(),
            context_tokens: z.int(),
            user_tokens: z.int(),
            assistant_tokens: z.int(),
            total_tokens: z.int(),
          }),
          strategies_count: z.int(),
          backtests_count: z.int(),
          tool_calls: z.record(z.string(), z.int()),
        })
        .openapi('UserMetrics'),
    }),
  },
];
