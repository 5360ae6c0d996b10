import type { z } from 'zod';
import { DAY_MS, isoTime } from '../../../engine/series/index.js';
import { type Chain, type Token, tokens } from '../tokens.js';
import type * as shapes from './nansen-shapes.js';
import type {
  DexTrade,
  FlowIntelligence,
  HistoricalHolding,
  PerpTrade,
  RowQuery,
  SmartMoneyHolding,
  SmartMoneyTrading,
  TokenFlow,
  Window,
} from './port.js';

/** Chains that the provider covers: those on which tokens have contracts. */
export const hasContracts = (chain: Chain): boolean => chain !== 'bitcoin';

export const mainChain = ({ contracts }: Token): Chain | null =>
  (Object.keys(contracts) as Chain[]).find((chain) => typeof contracts[chain] === 'string') ?? null;

export const utcDay = (timeMs: number): string => isoTime(Math.floor(timeMs / DAY_MS) * DAY_MS).slice(0, 10);

/** Times come with a zone or without one, which means UTC. */
export const utcTime = (text: string): string =>
  isoTime(Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`));

export const tokenBody = (chain: Chain, address: string, { fromMs, toMs }: Window) => ({
  chain,
  token_address: address,
  date: { from: isoTime(fromMs), to: isoTime(toMs) },
});

/**
 * Filters, order and page in the provider's form.
 * @param valueField the provider's name of `value_usd`
 */
export function rowsBody({ filters, orderBy, page, perPage }: RowQuery, valueField = 'value_usd') {
  const { min_amount_usd: amountMin, value_usd: value, ...others } = filters;
  const range = { ...(typeof value === 'object' ? value : {}) } as { min?: number };
  if (typeof amountMin === 'number') range.min = Math.max(amountMin, range.min ?? amountMin);
  const hasRange = Object.keys(range).length > 0;
  return {
    filters: { ...others, ...(hasRange ? { [valueField]: range } : {}) },
    order_by: orderBy.map(({ field, direction }) => ({
      field: field === 'value_usd' ? valueField : field,
      direction,
    })),
    pagination: { page, per_page: perPage },
  };
}

const stablecoins = new Set(tokens.filter(({ isStablecoin }) => isStablecoin).map(({ ticker }) => ticker));

export function toDexTrade({ trade_value_usd: value, ...row }: z.infer<typeof shapes.dexTrade>): DexTrade {
  return {
    ...row,
    block_timestamp: utcTime(row.block_timestamp),
    trader_address_label: row.trader_address_label ?? '',
    action: stablecoins.has(row.token_bought_symbol ?? '') ? 'SELL' : 'BUY',
    token_bought_symbol: row.token_bought_symbol ?? '',
    token_bought_amount: row.token_bought_amount ?? 0,
    token_sold_symbol: row.token_sold_symbol ?? '',
    token_sold_amount: row.token_sold_amount ?? 0,
    value_usd: value ?? 0,
  };
}

export function toTokenTrade(row: z.infer<typeof shapes.tokenTrade>, chain: Chain): DexTrade {
  const own = { address: row.token_address, symbol: row.token_name ?? '', amount: row.token_amount ?? 0 };
  const other = {
    address: row.traded_token_address,
    symbol: row.traded_token_name ?? '',
    amount: row.traded_token_amount ?? 0,
  };
  const [bought, sold] = row.action === 'BUY' ? [own, other] : [other, own];
  return {
    chain,
    block_timestamp: utcTime(row.block_timestamp),
    transaction_hash: row.transaction_hash,
    trader_address: row.trader_address,
    trader_address_label: row.trader_address_label ?? '',
    action: row.action,
    token_bought_address: bought.address,
    token_bought_symbol: bought.symbol,
    token_bought_amount: bought.amount,
    token_sold_address: sold.address,
    token_sold_symbol: sold.symbol,
    token_sold_amount: sold.amount,
    value_usd: row.estimated_value_usd ?? 0,
  };
}

/** The provider leaves fields out, or null, for what it does not know: that counts as 0. */
export const toTrading = (row: z.infer<typeof shapes.screenedToken>): SmartMoneyTrading => ({
  symbol: row.token_symbol,
  chain: row.chain,
  inflowUsd: row.buy_volume ?? 0,
  outflowUsd: row.sell_volume ?? 0,
  walletCount: row.nof_traders ?? 0,
});

export const toHolding = (row: z.infer<typeof shapes.holding>): SmartMoneyHolding => ({
  symbol: row.token_symbol,
  chain: row.chain,
  valueUsd: row.value_usd ?? 0,
  holdersCount: row.holders_count ?? 0,
  change24hPct: row.balance_24h_percent_change ?? 0,
});

export const toHistoricalHolding = (row: z.infer<typeof shapes.historicalHolding>): HistoricalHolding => ({
  date: row.date.slice(0, 10),
  chain: row.chain,
  token_address: row.token_address,
  token_symbol: row.token_symbol,
  token_sectors: row.token_sectors ?? [],
  smart_money_labels: row.smart_money_labels ?? [],
  value_usd: row.value_usd ?? 0,
  holders_count: row.holders_count ?? 0,
});

export const toPerpTrade = (row: z.infer<typeof shapes.perpTrade>): PerpTrade => ({
  ...row,
  block_timestamp: utcTime(row.block_timestamp),
  trader_address_label: row.trader_address_label ?? '',
  token_amount: row.token_amount ?? 0,
  price_usd: row.price_usd ?? 0,
  value_usd: row.value_usd ?? 0,
});

/** The provider counts outflows below zero. */
export const toTokenFlow = (row: z.infer<typeof shapes.tokenFlow>): TokenFlow => ({
  date: utcTime(row.date),
  price_usd: row.price_usd ?? 0,
  token_amount: row.token_amount ?? 0,
  value_usd: row.value_usd ?? 0,
  holders_count: row.holders_count ?? 0,
  total_inflows_count: Math.round(Math.abs(row.total_inflows_count ?? 0)),
  total_outflows_count: Math.round(Math.abs(row.total_outflows_count ?? 0)),
});

export function toIntelligence(row: z.infer<typeof shapes.flowIntelligence> | undefined): FlowIntelligence | null {
  if (row === undefined) return null;
  const net = (group: 'smart_trader' | 'whale' | 'exchange' | 'fresh_wallets' | 'public_figure') => ({
    netFlowUsd: row[`${group}_net_flow_usd`] ?? 0,
    walletCount: row[`${group}_wallet_count`] ?? 0,
  });
  return {
    smartMoney: net('smart_trader'),
    whales: net('whale'),
    exchanges: net('exchange'),
    freshWallets: net('fresh_wallets'),
    publicFigures: net('public_figure'),
  };
}
