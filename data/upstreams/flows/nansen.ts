import type { z } from 'zod';
import { HOUR_MS } from '../../../engine/series/index.js';
import { joinSourced, mapSourced, type Sourced } from '../sourced.js';
import type { Token } from '../tokens.js';
import type { Adapter } from '../upstream.js';
import { freshMs, NansenClient, type NansenOptions, ROWS_MAX } from './nansen-client.js';
import {
  hasContracts,
  mainChain,
  rowsBody,
  toDexTrade,
  toHistoricalHolding,
  toHolding,
  toIntelligence,
  tokenBody,
  toPerpTrade,
  toTokenFlow,
  toTokenTrade,
  toTrading,
  utcDay,
  utcTime,
} from './nansen-rows.js';
import * as shapes from './nansen-shapes.js';
import type {
  BalanceHour,
  BalancesQuery,
  ConcentrationHour,
  ConcentrationQuery,
  DatedChainsQuery,
  DexTrade,
  FlowIntelligence,
  FlowsPort,
  HistoricalHolding,
  HoldingsQuery,
  IntelligenceQuery,
  PerpTrade,
  RecentChainsQuery,
  RowQuery,
  SmartMoneyHolding,
  SmartMoneyTrading,
  TokenFlow,
  TokenFlowsQuery,
  TokenHolders,
  TokenRowsQuery,
  TradingQuery,
} from './port.js';

/** Chains in one question to the screener. */
const CHAINS_MAX = 5;
const HOLDERS_MAX = 100;

/** Token flows from the API of Nansen, version 1. @see https://docs.nansen.ai */
export class Nansen implements FlowsPort, Adapter {
  readonly #client: NansenClient;

  constructor(options: NansenOptions) {
    this.#client = new NansenClient(options);
  }

  get upstreams() {
    return [this.#client.upstream];
  }

  async nowMs(): Promise<number> {
    return this.#client.nowMs();
  }

  async held(): Promise<null> {
    return null;
  }

  async trading(query: TradingQuery): Promise<Sourced<readonly SmartMoneyTrading[]>> {
    const { timeframe, labels, token } = query;
    const chains = query.chains.filter(
      (chain) => hasContracts(chain) && (token === undefined || token.contracts[chain]),
    );
    const asked: Promise<Sourced<readonly z.infer<typeof shapes.screenedToken>[]>>[] = [];
    for (let i = 0; i < chains.length; i += CHAINS_MAX) {
      const some = chains.slice(i, i + CHAINS_MAX);
      const filters = {
        trader_type: 'sm',
        include_stablecoins: true,
        include_native_tokens: true,
        ...(labels === undefined ? {} : { include_smart_money_labels: labels }),
        ...(token === undefined ? {} : { token_address: some.map((chain) => token.contracts[chain]) }),
      };
      const body = {
        chains: some,
        timeframe,
        filters,
        pagination: { page: 1, per_page: ROWS_MAX },
        order_by: [{ field: 'netflow', direction: 'DESC' }],
      };
      asked.push(this.#client.rows('token-screener', body, shapes.screenedToken, freshMs.flows));
    }
    const found = await Promise.all(asked);
    const rows = found.flatMap(({ value }) => value.map(toTrading));
    rows.sort((a, b) => b.inflowUsd - b.outflowUsd - (a.inflowUsd - a.outflowUsd));
    const [first = this.#client.nothing(), ...others] = found;
    return joinSourced(rows, first, ...others);
  }

  async holdings({
    chains,
    labels,
    valueUsdMin,
    limit,
  }: HoldingsQuery): Promise<Sourced<readonly SmartMoneyHolding[]>> {
    const known = chains.filter(hasContracts);
    if (known.length === 0) return { ...this.#client.nothing(), value: [] };
    const body = {
      chains: known,
      filters: {
        value_usd: { min: valueUsdMin },
        include_stablecoins: true,
        include_native_tokens: true,
        ...(labels.length === 0 ? {} : { include_smart_money_labels: labels }),
      },
      pagination: { page: 1, per_page: limit },
      order_by: [{ field: 'value_usd', direction: 'DESC' }],
    };
    const found = await this.#client.rows('smart-money/holdings', body, shapes.holding, freshMs.flows);
    return mapSourced(found, (rows) => rows.map(toHolding));
  }

  async historicalHoldings({
    chains,
    fromMs,
    toMs,
    ...query
  }: DatedChainsQuery): Promise<Sourced<readonly HistoricalHolding[]>> {
    const known = chains.filter(hasContracts);
    if (known.length === 0) return { ...this.#client.nothing(), value: [] };
    const body = {
      chains: known,
      date_range: { from: utcDay(fromMs), to: utcDay(toMs - 1) },
      ...rowsBody(query),
    };
    const found = await this.#client.rows(
      'smart-money/historical-holdings',
      body,
      shapes.historicalHolding,
      freshMs.days,
    );
    return mapSourced(found, (rows) => rows.map(toHistoricalHolding));
  }

  /** The provider has no filter for the side of a trade, so that one leaves pages shorter. */
  async dexTrades({ chains, ...query }: RecentChainsQuery): Promise<Sourced<readonly DexTrade[]>> {
    const known = chains.filter(hasContracts);
    if (known.length === 0) return { ...this.#client.nothing(), value: [] };
    const { side, ...filters } = query.filters;
    const body = { chains: known, ...rowsBody({ ...query, filters }, 'trade_value_usd') };
    const found = await this.#client.rows('smart-money/dex-trades', body, shapes.dexTrade, freshMs.trades);
    return mapSourced(found, (rows) =>
      rows.map(toDexTrade).filter(({ action }) => side === undefined || action === String(side).toUpperCase()),
    );
  }

  async perpTrades(query: RowQuery): Promise<Sourced<readonly PerpTrade[]>> {
    const { only_new_positions: onlyNew, ...filters } = query.filters;
    const body = {
      ...(onlyNew === true ? { only_new_positions: true } : {}),
      ...rowsBody({ ...query, filters }),
    };
    const found = await this.#client.rows('smart-money/perp-trades', body, shapes.perpTrade, freshMs.trades);
    return mapSourced(found, (rows) => rows.map(toPerpTrade));
  }

  async tokenDexTrades({
    token,
    chain,
    fromMs,
    toMs,
    ...query
  }: TokenRowsQuery): Promise<Sourced<readonly DexTrade[] | null>> {
    const address = token.contracts[chain];
    if (typeof address !== 'string') return this.#client.nothing();
    const body = {
      ...tokenBody(chain, address, { fromMs, toMs }),
      ...rowsBody(query, 'estimated_value_usd'),
    };
    const found = await this.#client.rows('tgm/dex-trades', body, shapes.tokenTrade, freshMs.trades);
    return mapSourced(found, (rows) => rows.map((row) => toTokenTrade(row, chain)));
  }

  async tokenFlows({
    token,
    chain,
    label,
    fromMs,
    toMs,
    ...query
  }: TokenFlowsQuery): Promise<Sourced<readonly TokenFlow[] | null>> {
    const address = token.contracts[chain];
    if (typeof address !== 'string') return this.#client.nothing();
    const body = {
      ...tokenBody(chain, address, { fromMs, toMs }),
      ...(label === null ? {} : { label }),
      ...rowsBody(query),
    };
    const found = await this.#client.rows('tgm/flows', body, shapes.tokenFlow, freshMs.flows);
    return mapSourced(found, (rows) => rows.map(toTokenFlow));
  }

  async intelligence({ token, chain, timeframe }: IntelligenceQuery): Promise<Sourced<FlowIntelligence | null>> {
    const address = token.contracts[chain];
    if (typeof address !== 'string') return this.#client.nothing();
    const body = { chain, token_address: address, timeframe };
    const found = await this.#client.rows('tgm/flow-intelligence', body, shapes.flowIntelligence, freshMs.flows);
    return mapSourced(found, ([row]) => toIntelligence(row));
  }

  /** Of the contract on the first chain that has one. */
  async holders(token: Token): Promise<Sourced<TokenHolders | null>> {
    const chain = mainChain(token);
    const address = chain === null ? null : (token.contracts[chain] ?? null);
    if (chain === null || address === null) return this.#client.nothing();
    const [listed, information] = await Promise.all([
      this.#client.holders(chain, address, HOLDERS_MAX),
      this.#client.information(chain, address),
    ]);
    const holderCount = information.value?.data.spot_metrics?.total_holders ?? null;
    if (holderCount === null) return { ...information, value: null };
    const holders = listed.value.map((row) => ({
      address: row.address ?? '',
      label: row.address_label ?? '',
      balance: row.token_amount ?? 0,
      pct: row.ownership_percentage ?? 0,
    }));
    return joinSourced({ holderCount, holders }, listed, information);
  }

  async balances({
    token,
    chain,
    group,
    fromMs,
    toMs,
  }: BalancesQuery): Promise<Sourced<readonly BalanceHour[] | null>> {
    const address = token.contracts[chain];
    if (typeof address !== 'string') return this.#client.nothing();
    // One hour more tells the change in the first.
    const window = { fromMs: fromMs - HOUR_MS, toMs };
    const [first, ...others] = await this.#client.flowPages({ ...tokenBody(chain, address, window), label: group });
    if (first === undefined) return this.#client.nothing();
    const rows: BalanceHour[] = [];
    let before: number | null = null;
    for (const row of [first, ...others].flatMap(({ value }) => value)) {
      const timeMs = Math.floor(Date.parse(utcTime(row.date)) / HOUR_MS) * HOUR_MS;
      const { token_amount: amount, price_usd: price } = row;
      if (typeof amount !== 'number' || typeof price !== 'number') continue;
      if (before !== null && timeMs >= fromMs && timeMs + HOUR_MS <= Math.min(toMs, this.#client.nowMs())) {
        rows.push({ timeMs, valueUsd: amount * price, netUsd: (amount - before) * price });
      }
      before = amount;
    }
    return joinSourced(rows, first, ...others);
  }

  /** The provider knows today's holders only: the value belongs to the last hour that has ended. */
  async concentration({
    token,
    chain,
    topN,
    fromMs,
    toMs,
  }: ConcentrationQuery): Promise<Sourced<readonly ConcentrationHour[] | null>> {
    const address = token.contracts[chain];
    if (typeof address !== 'string') return this.#client.nothing();
    const found = await this.#client.holders(chain, address, topN);
    const timeMs = (Math.floor(this.#client.nowMs() / HOUR_MS) - 1) * HOUR_MS;
    const share = found.value.reduce((sum, row) => sum + (row.ownership_percentage ?? 0), 0) / 100;
    const isAsked = timeMs >= fromMs && timeMs < toMs && found.value.length > 0;
    return { ...found, value: isAsked ? [{ timeMs, share: Math.min(1, share) }] : [] };
  }
}
