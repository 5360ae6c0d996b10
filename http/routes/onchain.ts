import type { Route } from '../route.js';
import { json, jsonObject, numberInQuery, textInQuery, z } from '../zod.js';
import { onChainAssetRoutes } from './onchain-assets.js';
import {
  chainInQuery,
  chainsInBody,
  chainsInQuery,
  concentration,
  dateRange,
  dateRangeInBody,
  dexTrade,
  filters,
  given,
  historicalHolding,
  hoursBack,
  orderBy,
  perpTrade,
  provenance,
  rows,
  success,
  tokenFlow,
  whaleTransaction,
} from './onchain-schemas.js';

const tag = 'On-chain';

const smartMoneyRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/on-chain/smart-money/sentiment',
    rpc: 'OnChain.GetSentiment',
    summary: 'Whether smart money accumulates or distributes a token',
    tag,
    query: z.object({ symbol: textInQuery('required'), chain: chainInQuery() }).partial(),
    response: z.object({
      success,
      symbol: z.string(),
      chain: z.string(),
      sentiment: z.enum(['accumulating', 'distributing', 'neutral']),
      smart_money_inflow_usd: z.number(),
      smart_money_outflow_usd: z.number(),
      net_flow_usd: z.number().openapi({ description: 'inflow less outflow of the last 24 hours' }),
      trend_7d: z.enum(['increasing', 'decreasing', 'stable']),
      data: jsonObject('wallet_count, and the flows of 7 days'),
      ...provenance,
    }),
  },
  {
    method: 'get',
    path: '/on-chain/smart-money/screen',
    rpc: 'OnChain.ScreenSmartMoney',
    summary: 'Rank tokens by what smart money buys and sells',
    tag,
    query: z
      .object({
        chains: chainsInQuery(),
        timeframe: textInQuery('5m, 1h, 6h, 24h (default), 7d or 30d'),
        limit: numberInQuery('1..1000, default 50'),
      })
      .partial(),
    response: z.object({
      success,
      count: z.int(),
      chains: z.array(z.string()),
      timeframe: z.string(),
      tokens: z.array(
        z.object({
          symbol: z.string(),
          chain: z.string(),
          smart_money_score: z.number().openapi({ description: '0..100; 50 is as much bought as sold' }),
          net_flow_usd: z.number(),
          wallet_count: z.int(),
        }),
      ),
      ...provenance,
    }),
  },
  {
    method: 'post',
    path: '/on-chain/smart-money/historical-holdings',
    rpc: 'OnChain.ListHistoricalHoldings',
    summary: 'List what smart money held at the end of each day',
    tag,
    body: z.object({ chains: chainsInBody, date_range: dateRangeInBody, ...rows }).partial(),
    response: z.object({
      success,
      chains: z.array(z.string()),
      date_range: dateRange,
      filters,
      order_by: orderBy,
      count: z.int().openapi({ description: 'rows in this page' }),
      holdings: z.array(historicalHolding),
      ...provenance,
    }),
  },
  {
    method: 'post',
    path: '/on-chain/smart-money/dex-trades',
    rpc: 'OnChain.ListDexTrades',
    summary: 'List trades of smart money on decentralised exchanges in the last 24 hours',
    tag,
    body: z.object({ chains: chainsInBody, ...rows }).partial(),
    response: z.object({
      success,
      chains: z.array(z.string()),
      filters,
      order_by: orderBy,
      count: z.int(),
      trades: z.array(dexTrade),
      ...provenance,
    }),
  },
  {
    method: 'post',
    path: '/on-chain/smart-money/perp-trades',
    rpc: 'OnChain.ListPerpTrades',
    summary: 'List trades of smart money in perpetuals in the last 24 hours',
    tag,
    body: z.object({ chains: json('refused'), ...rows }).partial(),
    response: z.object({
      success,
      venue: z.literal('hyperliquid'),
      filters,
      order_by: orderBy,
      count: z.int(),
      trades: z.array(perpTrade),
      ...provenance,
    }),
    toJson: (reply) => ({ success: true, ...reply, trades: reply.trades.map(given) }),
  },
];

const tokenRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/on-chain/token-holders/{symbol}',
    rpc: 'OnChain.GetConcentration',
    summary: 'How concentrated the holders of a token are',
    tag,
    response: z.object({ success, symbol: z.string(), ...concentration, data: jsonObject('details'), ...provenance }),
  },
  {
    method: 'post',
    path: '/on-chain/token/{symbol}/dex-trades',
    rpc: 'OnChain.ListTokenDexTrades',
    summary: 'List trades of a token on decentralised exchanges',
    tag,
    body: z.object({ chain: z.string(), date_range: dateRangeInBody, ...rows }).partial(),
    response: z.object({
      success,
      symbol: z.string(),
      chain: z.string(),
      contract_address: z.string(),
      date_range: dateRange,
      filters,
      order_by: orderBy,
      count: z.int(),
      trades: z.array(dexTrade),
      ...provenance,
    }),
  },
  {
    method: 'post',
    path: '/on-chain/token/{symbol}/flows',
    rpc: 'OnChain.ListTokenFlows',
    summary: 'List the hourly flows of a token by kind of wallet',
    tag,
    body: z
      .object({
        chain: z.string(),
        date_range: dateRangeInBody,
        label: z.string().openapi({ description: 'smart_money, exchange, whale, public_figure or top_100_holders' }),
        ...rows,
      })
      .partial(),
    response: z.object({
      success,
      symbol: z.string(),
      chain: z.string(),
      contract_address: z.string(),
      label: z.string().nullable(),
      date_range: dateRange,
      filters,
      order_by: orderBy,
      count: z.int(),
      flows: z.array(tokenFlow),
      ...provenance,
    }),
    toJson: (reply) => ({ success: true, ...reply, flows: reply.flows.map(given) }),
  },
  {
    method: 'post',
    path: '/on-chain/series',
    rpc: 'OnChain.ReadSeries',
    summary: 'Read on-chain metrics of a token over time',
    tag,
    body: z
      .object({
        symbol: z.string(),
        metrics: json(
          'array of SmartMoneyNetflow, SmartMoneyHoldings, ExchangeNetflow, WhaleNetInflow, HolderConcentration',
        ),
        interval: z.string().openapi({ description: '1h (default), 4h, 1d or 1w' }),
        chain: z.string(),
        provider: z.string().openapi({ description: 'nansen (default) or whalealert' }),
        top_n: z.number().openapi({ description: 'holders that HolderConcentration counts, 1..100, default 10' }),
        date_range: dateRangeInBody,
      })
      .partial(),
    required: ['symbol', 'metrics'],
    response: z.object({
      success,
      symbol: z.string(),
      chain: z.string(),
      interval: z.string(),
      date_range: dateRange,
      metrics: z.array(z.string()),
      count: z.int(),
      series: z.array(jsonObject('timestamp, and a number or null for each metric')),
      ...provenance,
    }),
  },
];

const whaleRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/on-chain/whale-transactions',
    rpc: 'OnChain.ListWhaleTransactions',
    summary: 'List large transfers, newest first',
    tag,
    query: z
      .object({
        symbol: textInQuery('default all tokens'),
        min_value: numberInQuery('in USD, default 500000'),
        hours_back: hoursBack(),
        limit: numberInQuery('1..1000, default 1000'),
      })
      .partial(),
    response: z.object({
      success,
      count: z.int(),
      min_value_usd: z.number(),
      transactions: z.array(whaleTransaction),
      hours_back: z.int(),
      is_complete: z.boolean().openapi({ description: 'whether these are all transfers of the window' }),
      ...provenance,
    }),
    toJson: (reply) => ({ success: true, ...reply, transactions: reply.transactions.map(given) }),
  },
  {
    method: 'get',
    path: '/on-chain/exchange-flows',
    rpc: 'OnChain.GetExchangeFlows',
    summary: 'What large transfers brought to exchanges and took from them',
    tag,
    query: z.object({ symbol: textInQuery('default all tokens'), hours_back: hoursBack() }).partial(),
    response: z.object({
      success,
      symbol: z.string().nullable(),
      timeframe: z.string(),
      net_flow_usd: z.number().openapi({ description: 'the sum of net_usd; positive means into exchanges' }),
      flows: z.array(
        z.object({ exchange: z.string(), inflow_usd: z.number(), outflow_usd: z.number(), net_usd: z.number() }),
      ),
      is_complete: z.boolean(),
      ...provenance,
    }),
  },
  {
    method: 'get',
    path: '/on-chain/whale-activity/{symbol}',
    rpc: 'OnChain.GetWhaleActivity',
    summary: 'Sum up the large transfers of a token',
    tag,
    query: z.object({ hours_back: hoursBack() }).partial(),
    response: z.object({
      success,
      symbol: z.string(),
      hours_back: z.int(),
      summary: z.object({
        transaction_count: z.int(),
        total_volume_usd: z.number(),
        largest_tx_usd: z.number(),
        to_exchanges_usd: z.number(),
        from_exchanges_usd: z.number(),
      }),
      is_complete: z.boolean(),
      ...provenance,
    }),
  },
];

export const onChainRoutes: readonly Route[] = [
  ...smartMoneyRoutes,
  ...tokenRoutes,
  ...whaleRoutes,
  ...onChainAssetRoutes,
];
