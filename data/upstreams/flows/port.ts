import type { HeldSpan, Sourced } from '../sourced.js';
import type { Chain, Token } from '../tokens.js';

/** Labels of the wallets that count as smart money. */
export const smartMoneyLabels = [
  'Fund',
  'Smart Trader',
  '30D Smart Trader',
  '90D Smart Trader',
  '180D Smart Trader',
] as const;

export const tradingTimeframes = ['5m', '1h', '6h', '24h', '7d', '30d'] as const;
type TradingTimeframe = (typeof tradingTimeframes)[number];

export const intelligenceTimeframes = ['5m', '1h', '6h', '12h', '1d', '7d'] as const;
type IntelligenceTimeframe = (typeof intelligenceTimeframes)[number];

/** Groups of wallets whose flows of a token are told apart. */
export const flowLabels = ['smart_money', 'exchange', 'whale', 'public_figure', 'top_100_holders'] as const;
export type FlowLabel = (typeof flowLabels)[number];

export const perpActions = ['Buy - Add Long', 'Sell - Reduce Long', 'Sell - Add Short', 'Buy - Reduce Short'] as const;
export type PerpAction = (typeof perpActions)[number];

/** A window of time: from inclusive, to exclusive; epoch ms. */
export interface Window {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Which rows of a list: filters as callers send them, an order and one page. */
export interface RowQuery {
  /** A filter that is not known changes nothing in held data; a provider gets it as it is. */
  readonly filters: Readonly<Record<string, unknown>>;
  readonly orderBy: readonly { readonly field: string; readonly direction: 'ASC' | 'DESC' }[];
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
}

interface ChainsQuery {
  readonly chains: readonly Chain[];
}

export interface TokenQuery {
  readonly token: Token;
  readonly chain: Chain;
}

/** What smart money bought and sold of one token on one chain, in USD. */
export interface SmartMoneyTrading {
  readonly symbol: string;
  readonly chain: string;
  readonly inflowUsd: number;
  readonly outflowUsd: number;
  /** Wallets that took part. */
  readonly walletCount: number;
}

export interface SmartMoneyHolding {
  readonly symbol: string;
  readonly chain: string;
  readonly valueUsd: number;
  readonly holdersCount: number;
  /** Percent of the balance in tokens. */
  readonly change24hPct: number;
}

/** Rows keep the documented names, so that filters and orders name their fields. */
export interface HistoricalHolding {
  /** YYYY-MM-DD; the holding at the end of that day. */
  readonly date: string;
  readonly chain: string;
  readonly token_address: string;
  readonly token_symbol: string;
  readonly token_sectors: readonly string[];
  readonly smart_money_labels: readonly string[];
  readonly value_usd: number;
  readonly holders_count: number;
}

export interface DexTrade {
  readonly chain: string;
  /** ISO 8601. */
  readonly block_timestamp: string;
  readonly transaction_hash: string;
  readonly trader_address: string;
  readonly trader_address_label: string;
  readonly action: 'BUY' | 'SELL';
  readonly token_bought_address: string;
  readonly token_bought_symbol: string;
  readonly token_bought_amount: number;
  readonly token_sold_address: string;
  readonly token_sold_symbol: string;
  readonly token_sold_amount: number;
  readonly value_usd: number;
}

export interface PerpTrade {
  readonly block_timestamp: string;
  readonly transaction_hash: string;
  readonly trader_address: string;
  readonly trader_address_label: string;
  readonly token_symbol: string;
  /** Long or Short. */
  readonly side: string;
  /** One of `perpActions`; a provider may know more. */
  readonly action: string;
  readonly type: string;
  readonly token_amount: number;
  readonly price_usd: number;
  readonly value_usd: number;
  /** Absent where the provider does not say. */
  readonly is_new_position?: boolean;
}

export interface CategoryFlow {
  readonly inflow_usd: number;
  readonly outflow_usd: number;
  readonly net_usd: number;
}

/** Flow of a token in one hour, as seen by the wallets of one label. */
export interface TokenFlow {
  /** Start of the hour, ISO 8601. */
  readonly date: string;
  readonly price_usd: number;
  /** Held by the wallets of the label at the end of the hour. */
  readonly token_amount: number;
  readonly value_usd: number;
  readonly holders_count: number;
  readonly total_inflows_count: number;
  readonly total_outflows_count: number;
  /** By category of wallet; absent where the provider does not say. */
  readonly smart_money?: CategoryFlow;
  readonly whales?: CategoryFlow;
  readonly exchanges?: CategoryFlow;
  readonly fresh_wallets?: CategoryFlow;
  readonly public_figures?: CategoryFlow;
}

export interface NetFlow {
  readonly netFlowUsd: number;
  readonly walletCount: number;
}

export interface FlowIntelligence {
  readonly smartMoney: NetFlow;
  readonly whales: NetFlow;
  readonly exchanges: NetFlow;
  readonly freshWallets: NetFlow;
  readonly publicFigures: NetFlow;
}

export interface TokenHolders {
  readonly holderCount: number;
  /** The largest first, at most 100. */
  readonly holders: readonly {
    readonly address: string;
    readonly label: string;
    /** In tokens. */
    readonly balance: number;
    /** Percent of the supply, 0..100. */
    readonly pct: number;
  }[];
}

/** Groups of wallets whose balance is known hour by hour. */
export type BalanceGroup = 'smart_money' | 'exchange' | 'whale';

/** The balance of a group of wallets over one hour. */
export interface BalanceHour {
  /** Start of the hour, epoch ms. */
  readonly timeMs: number;
  /** At the end of the hour. */
  readonly valueUsd: number;
  /** Change of the balance in the hour in tokens, times the price at its end. */
  readonly netUsd: number;
}

/** The share of the supply that the largest holders own at the end of one hour. */
export interface ConcentrationHour {
  readonly timeMs: number;
  /** 0..1. */
  readonly share: number;
}

export interface TradingQuery extends ChainsQuery {
  readonly timeframe: TradingTimeframe;
  /** The smart money to count; default all. */
  readonly labels?: readonly string[];
  /** Only this token. */
  readonly token?: Token;
}

export interface HoldingsQuery extends ChainsQuery {
  /** Empty means all. */
  readonly labels: readonly string[];
  readonly valueUsdMin: number;
  readonly limit: number;
}

export interface DatedChainsQuery extends ChainsQuery, Window, RowQuery {}
export interface RecentChainsQuery extends ChainsQuery, RowQuery {}
export interface TokenRowsQuery extends TokenQuery, Window, RowQuery {}

export interface TokenFlowsQuery extends TokenRowsQuery {
  /** Null means all wallets with a label. */
  readonly label: FlowLabel | null;
}

export interface IntelligenceQuery extends TokenQuery {
  readonly timeframe: IntelligenceTimeframe;
}

export interface BalancesQuery extends TokenQuery, Window {
  readonly group: BalanceGroup;
}

export interface ConcentrationQuery extends TokenQuery, Window {
  /** How many of the largest holders count. */
  readonly topN: number;
}

/**
 * The port of smart money and token flows. An answer is null for a token that is not known on the
 * chain. Rows of lists come in a stable order, so pages neither overlap nor leave rows out.
 */
export interface FlowsPort {
  /** What counts as now, epoch ms: of the market for held data, otherwise of the clock. */
  nowMs(token: Token | null): Promise<number>;
  /**
   * The times that answers can cover, for all tokens by default; null for a provider, which does
   * not say.
   */
  held(token: Token | null): Promise<HeldSpan | null>;
  /** What smart money traded up to now, by net flow, the largest first; at most 1,000 rows. */
  trading(query: TradingQuery): Promise<Sourced<readonly SmartMoneyTrading[]>>;
  /** What smart money holds now, the largest value first. */
  holdings(query: HoldingsQuery): Promise<Sourced<readonly SmartMoneyHolding[]>>;
  historicalHoldings(query: DatedChainsQuery): Promise<Sourced<readonly HistoricalHolding[]>>;
  /** Of the last 24 hours. */
  dexTrades(query: RecentChainsQuery): Promise<Sourced<readonly DexTrade[]>>;
  /** Of the last 24 hours. */
  perpTrades(query: RowQuery): Promise<Sourced<readonly PerpTrade[]>>;
  tokenDexTrades(query: TokenRowsQuery): Promise<Sourced<readonly DexTrade[] | null>>;
  /** One row an hour, the newest first unless the order says otherwise. */
  tokenFlows(query: TokenFlowsQuery): Promise<Sourced<readonly TokenFlow[] | null>>;
  intelligence(query: IntelligenceQuery): Promise<Sourced<FlowIntelligence | null>>;
  /** On all chains of the token. */
  holders(token: Token): Promise<Sourced<TokenHolders | null>>;
  /** One row for each hour that lies in the window and has ended, oldest first. */
  balances(query: BalancesQuery): Promise<Sourced<readonly BalanceHour[] | null>>;
  /** The same. A provider without a history gives only the newest hour. */
  concentration(query: ConcentrationQuery): Promise<Sourced<readonly ConcentrationHour[] | null>>;
}
