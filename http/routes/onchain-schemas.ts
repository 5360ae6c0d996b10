import { integerOf, numberInQuery, textInBody, textInQuery, time, unchecked, z } from '../zod.js';

export const success = z.literal(true);

export const chainInQuery = () => textInQuery('default ethereum');
export const chainsInQuery = () => textInQuery('separated by commas, default ethereum');
export const labelsInQuery = () => textInQuery('separated by commas, default Fund,Smart Trader');
export const hoursBack = () =>
  numberInQuery('1..720, default 24', { type: 'integer', minimum: 1, maximum: 720, default: 24 });

export const dateRange = z.object({ from: z.string(), to: z.string() });
/** Figures of a provider beside the documented ones. */
export const details = z.looseObject({ source: z.string().optional() });
export const refused = unchecked(z.null().openapi({ description: 'refused: this venue has one chain' }));
const seriesMetric = z.enum([
  'SmartMoneyNetflow',
  'SmartMoneyHoldings',
  'ExchangeNetflow',
  'WhaleNetInflow',
  'HolderConcentration',
]);
export const seriesRow = z
  .record(z.string(), z.union([z.string(), z.number(), z.null()]))
  .openapi({ description: '`timestamp`, and a number or null for each metric' });

const bounds = z.object({ min: z.number().nullish(), max: z.number().nullish() });

const filters = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), bounds]))
  .openapi('ChainFilters');
/** As an answer repeats them, also those that the list does not know. */
export const writtenFilters = z.record(z.string(), z.unknown()).openapi({ description: 'as they were written' });
export const orderBy = z.array(z.object({ field: z.string(), direction: z.enum(['ASC', 'DESC']) }));

/** Body fields of every list. */
export const rows = {
  filters: unchecked(
    filters.openapi({ description: 'conditions by field; one that the list does not know changes nothing' }),
  ),
  order_by: unchecked(orderBy),
  page: integerOf('number of the page', { minimum: 1, default: 1 }),
  per_page: integerOf('rows of a page', { minimum: 1, maximum: 1000, default: 100 }),
};
export const chainsInBody = unchecked(z.array(z.string()).openapi({ default: ['ethereum'] }));
export const dateRangeInBody = unchecked(dateRange.partial().openapi({ description: 'each a date; at most 366 days' }));

export const whaleTransaction = z
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

export const historicalHolding = z
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

export const dexTrade = z
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

export const perpTrade = z
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

export const tokenFlow = z
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

export const netFlow = z.object({ net_flow_usd: z.number(), wallet_count: z.int() });

export const concentration = {
  holder_count: z.int(),
  top_10_holders_pct: z.number(),
  concentration_score: z.number(),
};

/** Keeps only the keys that the provider set. */
export const given = (row: object): object =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));

export const seriesBody = z
  .object({
    symbol: z.string(),
    metrics: unchecked(z.array(seriesMetric).min(1)),
    interval: textInBody('length of a row', { enum: ['1h', '4h', '1d', '1w'], default: '1h' }),
    chain: z.string(),
    provider: textInBody('who is asked', { enum: ['nansen', 'whalealert'], default: 'nansen' }),
    top_n: integerOf('holders that HolderConcentration counts', { minimum: 1, maximum: 100, default: 10 }),
    date_range: dateRangeInBody,
  })
  .partial();
