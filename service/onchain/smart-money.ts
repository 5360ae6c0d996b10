import {
  type FlowsPort,
  intelligenceTimeframes,
  type NetFlow,
  type SmartMoneyTrading,
  smartMoneyLabels,
  type TokenHolders,
  tradingTimeframes,
} from '../../data/upstreams/flows/index.js';
import { findToken, mapSourced, recorded, type Sourced, UpstreamFault } from '../../data/upstreams/index.js';
import { notFound } from '../api-error.js';
import { provenanceFields } from '../provenance.js';
import { readChoice, readInteger } from '../read-fields.js';
import { limitBounds, readChainNames, readNames, readToken, readUsd, requireChain } from './fields.js';

interface SymbolRequest {
  readonly symbol?: string;
}

interface SymbolChainRequest extends SymbolRequest {
  readonly chain?: string;
}

interface IntelligenceRequest extends SymbolChainRequest {
  readonly timeframe?: string;
}

interface ScreenRequest {
  /** Separated by commas. */
  readonly chains?: string;
  readonly timeframe?: string;
  readonly limit?: number;
}

interface NetflowsRequest extends ScreenRequest {
  /** Separated by commas. */
  readonly labels?: string;
}

interface HoldingsRequest {
  readonly chains?: string;
  readonly labels?: string;
  readonly min_value?: number;
  readonly limit?: number;
}

/** Net flow from this share of the turnover on is accumulation, and so on the other side. */
const CLEAR_SHARE = 0.1;
/** The net flow of a day differs from the week's mean by this share of the mean turnover. */
const TREND_SHARE = 0.05;
/** Wallets at which half of the net flow counts in the score. */
const WALLETS_HALF = 10;
const TOP_HOLDERS = 10;
const DEFAULT_LABELS = ['Fund', 'Smart Trader'] as const;
const netflowTimeframes = ['1h', '24h', '7d', '30d'] as const;

/** What smart money and other groups of wallets do now. */
export class SmartMoney {
  constructor(private readonly flows: FlowsPort) {}

  /**
   * Of the last 24 hours. A token that smart money did not trade in a week is not found.
   * @throws ApiError MISSING_FIELD, INVALID_FIELD, RESOURCE_NOT_FOUND; UpstreamFault
   */
  async sentiment(request: SymbolChainRequest) {
    const { token, symbol } = readToken(request.symbol);
    const chain = requireChain(token, request.chain);
    const [dayFound, weekFound] = await Promise.all([
      this.flows.trading({ chains: [chain], timeframe: '24h', token }),
      this.flows.trading({ chains: [chain], timeframe: '7d', token }),
    ]);
    const [week] = weekFound.value;
    if (week === undefined) throw notFound('smart money trades of', `${symbol} on ${chain}`);
    const day = dayFound.value[0] ?? nothingTraded;
    const provenance = provenanceFields(dayFound, weekFound);
    return {
      symbol,
      chain,
      sentiment: sentiment(day),
      smart_money_inflow_usd: day.inflowUsd,
      smart_money_outflow_usd: day.outflowUsd,
      net_flow_usd: net(day),
      trend_7d: trend(day, week),
      data: {
        source: provenance.source,
        timeframe: '24h',
        wallet_count: day.walletCount,
        inflow_7d_usd: week.inflowUsd,
        outflow_7d_usd: week.outflowUsd,
        net_flow_7d_usd: net(week),
      },
      ...provenance,
    };
  }

  /** The best score first. @throws ApiError INVALID_FIELD; UpstreamFault */
  async screen(request: ScreenRequest) {
    const chains = readChainNames(request.chains);
    const timeframe = readChoice('timeframe', request.timeframe ?? '24h', tradingTimeframes);
    const limit = readInteger('limit', request.limit, limitBounds(50));
    const found = await this.flows.trading({ chains, timeframe });
    const tokens = found.value.map((row) => ({
      symbol: row.symbol,
      chain: row.chain,
      smart_money_score: score(row),
      net_flow_usd: net(row),
      wallet_count: row.walletCount,
    }));
    tokens.sort((a, b) => b.smart_money_score - a.smart_money_score || (a.symbol < b.symbol ? -1 : 1));
    const shown = tokens.slice(0, limit);
    return { count: shown.length, chains, timeframe, tokens: shown, ...provenanceFields(found) };
  }

  /** The largest net flow first. @throws ApiError INVALID_FIELD; UpstreamFault */
  async netflows(request: NetflowsRequest) {
    const chains = readChainNames(request.chains);
    const timeframe = readChoice('timeframe', request.timeframe ?? '24h', netflowTimeframes);
    const labels = readNames('labels', request.labels, smartMoneyLabels, DEFAULT_LABELS);
    const limit = readInteger('limit', request.limit, limitBounds(20));
    const found = await this.flows.trading({ chains, timeframe, labels });
    const data = found.value.slice(0, limit).map((row) => ({
      symbol: row.symbol,
      chain: row.chain,
      net_flow_usd: net(row),
      inflow_usd: row.inflowUsd,
      outflow_usd: row.outflowUsd,
      wallet_count: row.walletCount,
    }));
    return { count: data.length, chains, timeframe, labels, data, ...provenanceFields(found) };
  }

  /** The largest value first. @throws ApiError INVALID_FIELD; UpstreamFault */
  async holdings(request: HoldingsRequest) {
    const chains = readChainNames(request.chains);
    const labels = readNames('labels', request.labels, smartMoneyLabels, DEFAULT_LABELS);
    const valueUsdMin = readUsd('min_value', request.min_value, 1_000_000);
    const limit = readInteger('limit', request.limit, limitBounds(20));
    const found = await this.flows.holdings({ chains, labels, valueUsdMin, limit });
    const data = found.value.map((row) => ({
      symbol: row.symbol,
      chain: row.chain,
      value_usd: row.valueUsd,
      holders_count: row.holdersCount,
      change_24h_pct: row.change24hPct,
    }));
    return { count: data.length, chains, labels, min_value_usd: valueUsdMin, data, ...provenanceFields(found) };
  }

  /** @throws ApiError INVALID_FIELD, RESOURCE_NOT_FOUND; UpstreamFault */
  async intelligence(request: IntelligenceRequest) {
    const { token, symbol } = readToken(request.symbol);
    const timeframe = readChoice('timeframe', request.timeframe ?? '1d', intelligenceTimeframes);
    const chain = requireChain(token, request.chain);
    const found = await this.flows.intelligence({ token, chain, timeframe });
    if (found.value === null) throw notFound('token', symbol);
    const { smartMoney, whales, exchanges, freshWallets, publicFigures } = found.value;
    const provenance = provenanceFields(found);
    const data = {
      source: provenance.source,
      smart_money: netFlowJson(smartMoney),
      whales: netFlowJson(whales),
      exchanges: netFlowJson(exchanges),
      fresh_wallets: netFlowJson(freshWallets),
      public_figures: netFlowJson(publicFigures),
    };
    return { symbol, chain, timeframe, data, ...provenance };
  }

  /** How concentrated a token is. @throws ApiError RESOURCE_NOT_FOUND; UpstreamFault */
  async concentration(request: SymbolRequest) {
    const { symbol, value, provenance } = await this.#holders(request);
    return {
      symbol,
      ...concentration(value),
      data: { source: provenance.source, holders_listed: value.holders.length },
      ...provenance,
    };
  }

  /** The same with the largest holders. @throws ApiError RESOURCE_NOT_FOUND; UpstreamFault */
  async holders(request: SymbolRequest) {
    const { symbol, value, provenance } = await this.#holders(request);
    return {
      symbol,
      data: { source: provenance.source, ...concentration(value), holders: value.holders },
      ...provenance,
    };
  }

  /**
   * Share of the supply that the ten largest holders own, in percent. Null for a token that is not
   * in the table, and where its provider fails: an asset is listed without it.
   */
  async topHoldersShare(symbol: string): Promise<Sourced<number | null>> {
    const listed = findToken(symbol);
    if (listed === null) return recorded(null, null);
    try {
      const found = await this.flows.holders(listed.token);
      return mapSourced(found, (value) => (value === null ? null : concentration(value).top_10_holders_pct));
    } catch (error) {
      if (error instanceof UpstreamFault) return recorded(null, null);
      throw error;
    }
  }

  async #holders(request: SymbolRequest) {
    const { token, symbol } = readToken(request.symbol);
    const found = await this.flows.holders(token);
    if (found.value === null) throw notFound('token', symbol);
    return { symbol, value: found.value, provenance: provenanceFields(found) };
  }
}

const nothingTraded = { inflowUsd: 0, outflowUsd: 0, walletCount: 0 };

type Traded = Pick<SmartMoneyTrading, 'inflowUsd' | 'outflowUsd' | 'walletCount'>;

const net = ({ inflowUsd, outflowUsd }: Traded): number => inflowUsd - outflowUsd;
const usdTurnover = ({ inflowUsd, outflowUsd }: Traded): number => inflowUsd + outflowUsd;

function sentiment(traded: Traded): 'accumulating' | 'distributing' | 'neutral' {
  const clear = CLEAR_SHARE * usdTurnover(traded);
  if (net(traded) > clear) return 'accumulating';
  return net(traded) < -clear ? 'distributing' : 'neutral';
}

/** Compares the net flow of the last day with the mean day of the last week. */
function trend(day: Traded, week: Traded): 'increasing' | 'decreasing' | 'stable' {
  const change = net(day) - net(week) / 7;
  const clear = (TREND_SHARE * usdTurnover(week)) / 7;
  if (change > clear) return 'increasing';
  return change < -clear ? 'decreasing' : 'stable';
}

/** 0 to 100: the net share of the turnover, which counts more the more wallets took part. */
function score(traded: Traded): number {
  const turnover = usdTurnover(traded);
  const share = turnover === 0 ? 0 : net(traded) / turnover;
  const breadth = traded.walletCount / (traded.walletCount + WALLETS_HALF);
  return Math.round(5_000 + 5_000 * share * breadth) / 100;
}

function concentration({ holderCount, holders }: TokenHolders) {
  const share = (count: number) => holders.slice(0, count).reduce((sum, { pct }) => sum + pct, 0);
  return {
    holder_count: holderCount,
    top_10_holders_pct: Math.min(100, share(TOP_HOLDERS)),
    /** The part of the supply that the listed holders own. */
    concentration_score: Math.min(1, share(holders.length) / 100),
  };
}

const netFlowJson = ({ netFlowUsd, walletCount }: NetFlow) => ({
  net_flow_usd: netFlowUsd,
  wallet_count: walletCount,
});
