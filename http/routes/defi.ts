import type { UnaryName } from '../../rpc/index.js';
import type { Route } from '../route.js';
import { time, z } from '../zod.js';
import { provenance } from './provenance.js';

const tag = 'DeFi';

const success = z.literal(true);
const usd = z.number().openapi({ description: 'USD' });
const usdByChain = z.record(z.string(), z.number()).openapi({ description: 'USD by name of chain' });
const rate = z.number().openapi({ description: 'a fraction' });

const topProtocol = z
  .object({ name: z.string(), slug: z.string(), tvl_usd: usd, category: z.string() })
  .openapi('TopProtocol');

const tokenUnlocks = z
  .object({
    name: z.string(),
    token: z.string(),
    circSupply: z.number().openapi({ description: 'tokens' }),
    maxSupply: z.number().nullable().openapi({ description: 'tokens; null: without a maximum' }),
    events: z.array(z.object({ date: time(), amount: z.number(), category: z.string() }).openapi('UnlockEvent')),
  })
  .openapi('TokenUnlocks');

const perpFunding = z
  .object({
    pool: z.string(),
    venue: z.string(),
    symbol: z.string(),
    funding_rate_8h: rate,
    apy: rate,
    open_interest_usd: usd,
  })
  .openapi('PerpFunding');

const treasury = z
  .object({ name: z.string(), token: z.string(), treasury_usd: usd, own_tokens_usd: usd, stablecoins_usd: usd })
  .openapi('Treasury');

const etfFlow = z
  .object({
    day: z.string().openapi({ format: 'date' }),
    asset: z.string(),
    ticker: z.string(),
    total_flow_usd: z.number().openapi({ description: 'USD; negative: money went out' }),
  })
  .openapi('EtfFlow');

const lendingRate = z
  .object({
    pool: z.string(),
    protocol: z.string(),
    chain: z.string(),
    symbol: z.string(),
    supply_apy: rate,
    borrow_apy: rate,
    total_borrow_usd: usd,
  })
  .openapi('LendingRate');

/** A read that needs the entitlement defi_pro and counts towards a monthly limit. */
const paidRead = <M extends UnaryName>(path: string, rpc: M, summary: string, row: z.ZodType) => ({
  method: 'get' as const,
  path,
  rpc,
  summary: `${summary}; needs a tier with defi_pro`,
  tag,
  response: z.object({ success, count: z.int(), data: z.array(row), ...provenance }),
});

export const defiRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/defi/protocol/{protocol}/tvl',
    rpc: 'Defi.GetProtocolTvl',
    summary: 'Read the value locked in a protocol, by chain',
    tag,
    response: z.object({
      success,
      protocol: z.string().openapi({ description: 'the slug' }),
      tvl_usd: usd,
      chains: usdByChain,
      data: z.object({ source: z.string(), name: z.string(), category: z.string().nullable() }),
      ...provenance,
    }),
  },
  {
    method: 'get',
    path: '/defi/chain/{chain}/tvl',
    rpc: 'Defi.GetChainTvl',
    summary: 'Read the value locked on a chain, and its ten largest protocols',
    tag,
    response: z.object({
      success,
      chain: z.string(),
      tvl_usd: usd,
      top_protocols: z.array(topProtocol),
      data: z.object({ source: z.string() }),
      ...provenance,
    }),
  },
  {
    method: 'get',
    path: '/defi/stablecoins/metrics',
    rpc: 'Defi.GetStablecoins',
    summary: 'Read the supply of all stablecoins, by chain and by coin',
    tag,
    response: z.object({
      success,
      total_supply_usd: usd,
      supply_by_chain: usdByChain,
      data: z.object({
        source: z.string(),
        stablecoins: z.array(z.object({ symbol: z.string(), name: z.string(), supply_usd: z.number() })),
      }),
      ...provenance,
    }),
  },
  paidRead('/defi/token-unlocks', 'Defi.ListTokenUnlocks', 'List the unlocks of tokens to come', tokenUnlocks),
  paidRead('/defi/perp-funding', 'Defi.ListPerpFunding', 'List funding rates of perpetual futures', perpFunding),
  paidRead('/defi/treasuries', 'Defi.ListTreasuries', 'List the treasuries of protocols', treasury),
  paidRead('/defi/etf-flows', 'Defi.ListEtfFlows', 'List the flows of exchange-traded funds', etfFlow),
  paidRead('/defi/lending-rates', 'Defi.ListLendingRates', 'List the rates of lending markets', lendingRate),
];
