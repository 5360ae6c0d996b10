import type { Route } from '../route.js';
import { json, jsonObject, numberInQuery, textInQuery, time, z } from '../zod.js';

const tag = 'On-chain';
const assetsTag = 'Crypto assets';

const success = z.literal(true);

/** Where an answer came from and how old it is. */
const provenance = {
  source: z.string().openapi({ description: 'generated, or the name of the provider' }),
  age_seconds: z.int(),
  max_age_seconds: z.int(),
  is_stale: z.boolean().openapi({ description: 'the provider failed, and an older answer took its place' }),
};

const chainInQuery = () => textInQuery('default ethereum');
const chainsInQuery = () => textInQuery('separated by commas, default ethereum');
const labelsInQuery = () => textInQuery('separated by commas, default Fund,Smart Trader');
const hoursBack = () => numberInQuery('1..720, default 24');

const dateRange = z.object({ from: z.string(), to: z.string() });
const filters = jsonObject('as sent');
const orderBy = z.array(z.object({ field: z.string(), direction: z.enum(['ASC', 'DESC']) }));

/** Body fields of every list. */
const rows = {
  filters: json('object; a filter that the list does not know changes nothing'),
  order_by: json('array of {field, direction}; direction is ASC or DESC'),
  page: z.number().openapi({ description: 'from 1' }),
  per_page: z.number().openapi({ description: '1..1000, default 100' }),
};
const chainsInBody = json('array of chains, default ["ethereum"]');
const dateRangeInBody = json('{from, to}, each a date; at most 366 days');

/** Keeps only the keys that the provider set. */
const given = (row: object): object => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));

const whaleTransaction = z
  .object({
    hash: z.string(),
    symbol: z.string(),
    amount: z.number(),
    amount_usd: z.number(),
    from: z.string(),
    to: z.string(),
    timestamp: time(),
    from_owner: z.string().optional(),
    to_owner: z.string().optional(),
    blockchain: z.string(),
  })
  .openapi('WhaleTransaction');

const historicalHolding = z
  .object({
    date: z.string(),
    chain: z.string(),
    token_address: z.string(),
    token_symbol: z.string(),
    token_sectors: z.array(z.string()),
    smart_money_labels: z.array(z.string()),
    value_usd: z.number(),
    holders_count: z.int(),
  })
  .openapi('HistoricalHolding');

const dexTrade = z
  .object({
    chain: z.string(),
    block_timestamp: time(),
    transaction_hash: z.string(),
    trader_address: z.string(),
    trader_address_label: z.string(),
    action: z.enum(['BUY', 'SELL']),
    token_bought_address: z.string(),
    token_bought_symbol: z.string(),
    token_bought_amount: z.number(),
    token_sold_address: z.string(),
    token_sold_symbol: z.string(),
    token_sold_amount: z.number(),
    value_usd: z.number(),
  })
  .openapi('DexTrade');

const perpTrade = z
  .object({
    block_timestamp: time(),
    transaction_hash: z.string(),
    trader_address: z.string(),
    trader_address_label: z.string(),
    token_symbol: z.string(),
    side: z.string().openapi({ description: 'Long or Short' }),
    action: z.string().openapi({
      description: 'Buy - Add Long, Sell - Reduce Long, Sell - Add Short or Buy - Reduce Short',
    }),
    type: z.string().openapi({ description: 'Market or Limit' }),
    token_amount: z.number(),
    price_usd: z.number(),
    value_usd: z.number(),
    is_new_position: z.boolean().optional(),
  })
  .openapi('PerpTrade');

const categoryFlow = z
  .object({ inflow_usd: z.number(), outflow_usd: z.number(), net_usd: z.number() })
  .openapi('CategoryFlow');

const tokenFlow = z
  .object({
    date: time(),
    price_usd: z.number(),
    token_amount: z.number(),
    value_usd: z.number(),
    holders_count: z.int(),
    total_inflows_count: z.int(),
    total_outflows_count: z.int(),
    smart_money: categoryFlow.optional(),
    whales: categoryFlow.optional(),
    exchanges: categoryFlow.optional(),
    fresh_wallets: categoryFlow.optional(),
    public_figures: categoryFlow.optional(),
  })
  .openapi('TokenFlow');

const netFlow = z.object({ net_flow_usd: z.number(), wallet_count: z.int() });

const concentration = {
  holder_count: z.int(),
  top_10_holders_pct: z.number(),
  concentration_score: z.number(),
};

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

/** Reads of crypto assets that come from the same data. */
const assetRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/crypto-assets/token-holders/{symbol}',
    rpc: 'OnChain.GetTokenHolders',
    summary: 'The largest holders of a token',
    tag: assetsTag,
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
    tag: assetsTag,
    query: z.object({ chain: chainInQuery(), timeframe: textInQuery('5m, 1h, 6h, 12h, 1d (default) or 7d') }).partial(),
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
    tag: assetsTag,
    query: z
      .object({
        chains: chainsInQuery(),
        timeframe: textInQuery('1h, 24h (default), 7d or 30d'),
        labels: labelsInQuery(),
        limit: numberInQuery('1..1000, default 20'),
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
    tag: assetsTag,
    query: z
      .object({
        chains: chainsInQuery(),
        labels: labelsInQuery(),
        min_value: numberInQuery('in USD, default 1000000'),
        limit: numberInQuery('1..1000, default 20'),
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

export const onChainRoutes: readonly Route[] = [...smartMoneyRoutes, ...tokenRoutes, ...whaleRoutes, ...assetRoutes];
