import type { Route } from '../route.js';
import { numberInQuery, textInQuery, z } from '../zod.js';
import { chainInQuery, chainsInQuery, concentration, labelsInQuery, netFlow, success } from './onchain-schemas.js';
import { provenance } from './provenance.js';

const tag = 'Crypto assets';

/** Reads of crypto assets that come from the same data. */
export const onChainAssetRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/crypto-assets/token-holders/{symbol}',
    rpc: 'OnChain.GetTokenHolders',
    summary: 'The largest holders of a token',
    tag: tag,
    response: z.object({
      success,
      symbol: z.string(),
      data: z.object({
        source: z.string(),
        ...concentration,
        holders: z.array(z.object({ address: z.string(), label: z.string(), balance: z.number(), pct: z.number() })),
      }),
      ...provenance,
    }),
  },
  {
    method: 'get',
    path: '/crypto-assets/flow-intelligence/{symbol}',
    rpc: 'OnChain.GetFlowIntelligence',
    summary: 'Net flow of a token by kind of wallet',
    tag: tag,
    query: z
      .object({
        chain: chainInQuery(),
        timeframe: textInQuery('5m, 1h, 6h, 12h, 1d (default) or 7d', {
          enum: ['5m', '1h', '6h', '12h', '1d', '7d'],
          default: '1d',
        }),
      })
      .partial(),
    response: z.object({
      success,
      symbol: z.string(),
      chain: z.string(),
      timeframe: z.string(),
      data: z.object({
        source: z.string(),
        smart_money: netFlow,
        whales: netFlow,
        exchanges: netFlow,
        fresh_wallets: netFlow,
        public_figures: netFlow,
      }),
      ...provenance,
    }),
  },
  {
    method: 'get',
    path: '/crypto-assets/smart-money/netflows',
    rpc: 'OnChain.ListNetflows',
    summary: 'Which tokens smart money accumulates and distributes',
    tag: tag,
    query: z
      .object({
        chains: chainsInQuery(),
        timeframe: textInQuery('1h, 24h (default), 7d or 30d', { enum: ['1h', '24h', '7d', '30d'], default: '24h' }),
        labels: labelsInQuery(),
        limit: numberInQuery('1..1000, default 20', { type: 'integer', minimum: 1, maximum: 1000, default: 20 }),
      })
      .partial(),
    response: z.object({
      success,
      count: z.int(),
      chains: z.array(z.string()),
      timeframe: z.string(),
      labels: z.array(z.string()),
      data: z.array(
        z.object({
          symbol: z.string(),
          chain: z.string(),
          net_flow_usd: z.number(),
          inflow_usd: z.number(),
          outflow_usd: z.number(),
          wallet_count: z.int(),
        }),
      ),
      ...provenance,
    }),
  },
  {
    method: 'get',
    path: '/crypto-assets/smart-money/holdings',
    rpc: 'OnChain.ListHoldings',
    summary: 'What smart money holds now',
    tag: tag,
    query: z
      .object({
        chains: chainsInQuery(),
        labels: labelsInQuery(),
        min_value: numberInQuery('in USD, default 1000000', { default: 1000000 }),
        limit: numberInQuery('1..1000, default 20', { type: 'integer', minimum: 1, maximum: 1000, default: 20 }),
      })
      .partial(),
    response: z.object({
      success,
      count: z.int(),
      chains: z.array(z.string()),
      labels: z.array(z.string()),
      min_value_usd: z.number(),
      data: z.array(
        z.object({
          symbol: z.string(),
          chain: z.string(),
          value_usd: z.number(),
          holders_count: z.int(),
          change_24h_pct: z.number(),
        }),
      ),
      ...provenance,
    }),
  },
];
