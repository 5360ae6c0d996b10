import { z } from 'zod';

/** Answers of the API of Nansen, version 1: only the fields that are read. */

const number = z.number().nullish();
const text = z.string().nullish();

export const page = <R extends z.ZodType>(row: R) =>
  z.object({ data: z.array(row), pagination: z.object({ is_last_page: z.boolean().nullish() }).nullish() });

/** @see https://docs.nansen.ai/api/token-god-mode/token-screener */
export const screenedToken = z.object({
  chain: z.string(),
  token_symbol: z.string(),
  nof_traders: number,
  buy_volume: number,
  sell_volume: number,
});

/** @see https://docs.nansen.ai/api/smart-money/holdings */
export const holding = z.object({
  chain: z.string(),
  token_symbol: z.string(),
  value_usd: number,
  holders_count: number,
  balance_24h_percent_change: number,
});

/** @see https://docs.nansen.ai/api/smart-money/historical-holdings */
export const historicalHolding = z.object({
  date: z.string(),
  chain: z.string(),
  token_address: z.string(),
  token_symbol: z.string(),
  token_sectors: z.array(z.string()).nullish(),
  smart_money_labels: z.array(z.string()).nullish(),
  value_usd: number,
  holders_count: number,
});

/** @see https://docs.nansen.ai/api/smart-money/dex-trades */
export const dexTrade = z.object({
  chain: z.string(),
  block_timestamp: z.string(),
  transaction_hash: z.string(),
  trader_address: z.string(),
  trader_address_label: text,
  token_bought_address: z.string(),
  token_sold_address: z.string(),
  token_bought_symbol: text,
  token_sold_symbol: text,
  token_bought_amount: number,
  token_sold_amount: number,
  trade_value_usd: number,
});

/** @see https://docs.nansen.ai/api/hyperliquid/smart-money-perp-trades */
export const perpTrade = z.object({
  block_timestamp: z.string(),
  transaction_hash: z.string(),
  trader_address: z.string(),
  trader_address_label: text,
  token_symbol: z.string(),
  side: z.string(),
  action: z.string(),
  type: z.string(),
  token_amount: number,
  price_usd: number,
  value_usd: number,
});

/** @see https://docs.nansen.ai/api/token-god-mode/dex-trades */
export const tokenTrade = z.object({
  block_timestamp: z.string(),
  transaction_hash: z.string(),
  trader_address: z.string(),
  trader_address_label: text,
  action: z.enum(['BUY', 'SELL']),
  token_address: z.string(),
  token_name: text,
  token_amount: number,
  traded_token_address: z.string(),
  traded_token_name: text,
  traded_token_amount: number,
  estimated_value_usd: number,
});

/** @see https://docs.nansen.ai/api/token-god-mode/flows */
export const tokenFlow = z.object({
  /** Start of the hour. */
  date: z.string(),
  price_usd: number,
  token_amount: number,
  value_usd: number,
  holders_count: number,
  total_inflows_count: number,
  total_outflows_count: number,
});

/** @see https://docs.nansen.ai/api/token-god-mode/flow-intelligence */
export const flowIntelligence = z.object({
  public_figure_net_flow_usd: number,
  public_figure_wallet_count: number,
  whale_net_flow_usd: number,
  whale_wallet_count: number,
  smart_trader_net_flow_usd: number,
  smart_trader_wallet_count: number,
  exchange_net_flow_usd: number,
  exchange_wallet_count: number,
  fresh_wallets_net_flow_usd: number,
  fresh_wallets_wallet_count: number,
});

/** @see https://docs.nansen.ai/api/token-god-mode/holders */
export const holder = z.object({
  address: text,
  address_label: text,
  token_amount: number,
  /** Percent. */
  ownership_percentage: number,
});

/** @see https://docs.nansen.ai/api/token-god-mode/token-information */
export const tokenInformation = z.object({
  data: z.object({ spot_metrics: z.object({ total_holders: number }).nullish() }),
});
