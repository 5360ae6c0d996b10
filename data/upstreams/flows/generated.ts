import { DAY_MS, HOUR_MS } from '../../../engine/series/index.js';
import { smoothNoise } from '../draws.js';
import { generated, type HeldSpan, type Sourced } from '../sourced.js';
import { type Token, tokens } from '../tokens.js';
import {
  dexTrade,
  flowRow,
  groupsOfLabel,
  groupsOfLabels,
  groupsWhere,
  heldBy,
  holdersCount,
  holdingOfDay,
  isLabelled,
  labelRules,
  largestHeld,
  newestFirst,
  selectRows,
  smartMoneyGroups,
  tradeRules,
  walletBalances,
} from './generated-rows.js';
import type { Ledger, Listing, Movement } from './ledger.js';
import { PerpTape } from './perps.js';
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
  NetFlow,
  RecentChainsQuery,
  RowQuery,
  SmartMoneyHolding,
  SmartMoneyTrading,
  TokenFlowsQuery,
  TokenHolders,
  TokenRowsQuery,
  TradingQuery,
  Window,
} from './port.js';
import { type Category, ownerName, POOLS, partyGroup, walletAddress, walletLabel } from './wallets.js';

const RECENT_HOURS = 24;
const HOLDERS_MAX = 100;

const timeframeMs: Readonly<Record<string, number>> = {
  '5m': 300_000,
  '1h': HOUR_MS,
  '6h': 6 * HOUR_MS,
  '12h': 12 * HOUR_MS,
  '24h': DAY_MS,
  '1d': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
};

/**
 * The port of token flows without a provider. Labels of wallets and their transfers are not
 * recorded anywhere that is free to bundle, so all answers are generated: from a seed, at the
 * prices and volumes of the bars held, in the direction in which they moved.
 */
export class GeneratedFlows implements FlowsPort {
  readonly #ledger: Ledger;
  readonly #perps = new PerpTape();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  nowMs(token: Token | null): Promise<number> {
    return this.#ledger.nowMs(token === null ? tokens : [token]);
  }

  held(token: Token | null): Promise<HeldSpan> {
    return this.#ledger.span(token === null ? tokens : [token]);
  }

  async trading({ chains, timeframe, labels, token }: TradingQuery): Promise<Sourced<readonly SmartMoneyTrading[]>> {
    const listings = await this.#ledger.listings(token === undefined ? tokens : [token], chains);
    const rows = listings.map((listing) => {
      const flow = this.#flowOf(listing, groupsOfLabels(labels), lastMs(listing, timeframe));
      return {
        symbol: listing.token.ticker,
        chain: listing.chain,
        inflowUsd: flow.inflow,
        outflowUsd: flow.outflow,
        walletCount: flow.wallets.size,
      };
    });
    rows.sort((a, b) => b.inflowUsd - b.outflowUsd - (a.inflowUsd - a.outflowUsd));
    return generated(rows, newestHour(listings));
  }

  async holdings({
    chains,
    labels,
    valueUsdMin,
    limit,
  }: HoldingsQuery): Promise<Sourced<readonly SmartMoneyHolding[]>> {
    const wanted = groupsOfLabels(labels);
    const listings = await this.#ledger.listings(tokens, chains);
    const rows = listings.map((listing) => {
      const hour = listing.market.endHour - 1;
      const balance = heldBy(listing, wanted, hour);
      return {
        symbol: listing.token.ticker,
        chain: listing.chain,
        valueUsd: balance * listing.market.closeAt(hour),
        holdersCount: holdersCount(listing, wanted, hour),
        change24hPct: 100 * (balance / heldBy(listing, wanted, hour - 24) - 1),
      };
    });
    const chosen = rows.filter(({ valueUsd }) => valueUsd >= valueUsdMin).sort((a, b) => b.valueUsd - a.valueUsd);
    return generated(chosen.slice(0, limit), newestHour(listings));
  }

  async historicalHoldings({
    chains,
    fromMs,
    toMs,
    ...query
  }: DatedChainsQuery): Promise<Sourced<readonly HistoricalHolding[]>> {
    const wanted = groupsOfLabels(
      query.filters.include_smart_money_labels as readonly string[] | undefined,
      query.filters.exclude_smart_money_labels as readonly string[] | undefined,
    );
    const listings = await this.#ledger.listings(tokens, chains);
    const rows: HistoricalHolding[] = [];
    for (let day = Math.ceil(toMs / DAY_MS) - 1; day * DAY_MS >= fromMs; day--) {
      for (const listing of listings) {
        const row = wanted.length === 0 ? null : holdingOfDay(listing, wanted, day);
        if (row !== null) rows.push(row);
      }
    }
    return generated(selectRows(rows, query, takenAlready), newestHour(listings));
  }

  async dexTrades({ chains, ...query }: RecentChainsQuery): Promise<Sourced<readonly DexTrade[]>> {
    const listings = (await this.#ledger.listings(tokens, chains)).filter(({ token }) => !token.isStablecoin);
    const rows = listings.flatMap((listing) => {
      const toMs = listing.market.endHour * HOUR_MS;
      return this.#trades(listing, smartMoneyGroups, { fromMs: toMs - RECENT_HOURS * HOUR_MS, toMs });
    });
    return generated(selectRows(newestFirst(rows), query, tradeRules), newestHour(listings));
  }

  async perpTrades(query: RowQuery) {
    const traded = tokens.filter(({ isStablecoin }) => !isStablecoin);
    const markets = await this.#ledger.markets(traded);
    const rows = traded.flatMap((token, i) =>
      // biome-ignore lint/style/noNonNullAssertion: one market for each token
      this.#perps.recent(token, markets[i]!, RECENT_HOURS),
    );
    const rules = {
      ...labelRules<(typeof rows)[number]>(isLabelled),
      only_new_positions: (row: (typeof rows)[number], value: unknown) =>
        value !== true || row.is_new_position === true,
    };
    const endHour = Math.max(...markets.map((market) => market.endHour));
    return generated(selectRows(newestFirst(rows), query, rules), endHour * HOUR_MS);
  }

  async tokenDexTrades({ token, chain, fromMs, toMs, ...query }: TokenRowsQuery) {
    const [listing] = await this.#ledger.listings([token], [chain]);
    if (listing === undefined) return generated(null, null);
    const rows = this.#trades(listing, groupsOfLabel.all, { fromMs, toMs });
    return generated(selectRows(newestFirst(rows), query, tradeRules), newestHour([listing]));
  }

  async tokenFlows({ token, chain, fromMs, toMs, label, ...query }: TokenFlowsQuery) {
    const [listing] = await this.#ledger.listings([token], [chain]);
    if (listing === undefined) return generated(null, null);
    const [from, end] = hoursIn(listing, { fromMs, toMs });
    const wanted = groupsOfLabel[label ?? 'all'];
    const byHour = Array.from({ length: end - from }, (): Movement[] => []);
    for (const movement of this.#ledger.movements(listing, { fromMs: from * HOUR_MS, toMs: end * HOUR_MS })) {
      byHour[Math.floor(movement.timeMs / HOUR_MS) - from]?.push(movement);
    }
    const rows = byHour.map((movements, i) => flowRow(listing, wanted, from + i, movements));
    return generated(selectRows(rows.reverse(), query), newestHour([listing]));
  }

  async intelligence({ token, chain, timeframe }: IntelligenceQuery): Promise<Sourced<FlowIntelligence | null>> {
    const [listing] = await this.#ledger.listings([token], [chain]);
    if (listing === undefined) return generated(null, null);
    const netFlow = (category: Category): NetFlow => {
      const flow = this.#flowOf(
        listing,
        groupsWhere((_, each) => each === category),
        lastMs(listing, timeframe),
      );
      return { netFlowUsd: flow.inflow - flow.outflow, walletCount: flow.wallets.size };
    };
    const groups = {
      smartMoney: netFlow('smart_money'),
      whales: netFlow('whales'),
      exchanges: netFlow('exchanges'),
      freshWallets: netFlow('fresh_wallets'),
      publicFigures: netFlow('public_figures'),
    };
    return generated(groups, newestHour([listing]));
  }

  async holders(token: Token): Promise<Sourced<TokenHolders | null>> {
    const listings = await this.#ledger.listings([token]);
    const holders = listings.flatMap((listing) =>
      walletBalances(listing, listing.market.endHour - 1).map(({ party, balance }) => {
        const address = walletAddress(party, listing.chain, listing.seed);
        const label = ownerName(party, listing.chain) ?? walletLabel(party, address);
        return { address, label, balance, pct: 100 * balance * (listing.share / listing.supply) };
      }),
    );
    holders.sort((a, b) => b.pct - a.pct);
    const [main] = listings;
    if (main === undefined) return generated(null, null);
    const hour = main.market.endHour - 1;
    // Most wallets belong to no group; their number grows with the size of the market.
    const many = Math.sqrt((main.supply / main.share) * main.market.closeAt(hour));
    const holderCount = Math.round(20 * many * (1 + 0.05 * smoothNoise(main.seed, hour / 500)));
    return generated({ holderCount, holders: holders.slice(0, HOLDERS_MAX) }, newestHour(listings));
  }

  async balances({ token, chain, group, ...window }: BalancesQuery): Promise<Sourced<readonly BalanceHour[] | null>> {
    const [listing] = await this.#ledger.listings([token], [chain]);
    if (listing === undefined) return generated(null, null);
    const [from, end] = hoursIn(listing, window);
    const wanted = groupsOfLabel[group];
    const rows: BalanceHour[] = [];
    let before = heldBy(listing, wanted, from - 1);
    for (let hour = from; hour < end; hour++) {
      const balance = heldBy(listing, wanted, hour);
      const price = listing.market.closeAt(hour);
      rows.push({ timeMs: hour * HOUR_MS, valueUsd: balance * price, netUsd: (balance - before) * price });
      before = balance;
    }
    return generated(rows, newestHour([listing]));
  }

  async concentration({
    token,
    chain,
    topN,
    ...window
  }: ConcentrationQuery): Promise<Sourced<readonly ConcentrationHour[] | null>> {
    const [listing] = await this.#ledger.listings([token], [chain]);
    if (listing === undefined) return generated(null, null);
    const [from, end] = hoursIn(listing, window);
    const rows: ConcentrationHour[] = [];
    for (let hour = from; hour < end; hour++) {
      rows.push({ timeMs: hour * HOUR_MS, share: largestHeld(listing, hour, topN) / listing.supply });
    }
    return generated(rows, newestHour([listing]));
  }

  /** What went in and out of groups of wallets, in USD, and the wallets that took part. */
  #flowOf(listing: Listing, wanted: readonly number[], window: Window) {
    const wallets = new Set<number>();
    let inflow = 0;
    let outflow = 0;
    for (const { from, to, usd } of this.#ledger.movements(listing, window)) {
      if (wanted.includes(partyGroup(to))) {
        inflow += usd;
        wallets.add(to);
      }
      if (wanted.includes(partyGroup(from))) {
        outflow += usd;
        wallets.add(from);
      }
    }
    return { inflow, outflow, wallets };
  }

  #trades(listing: Listing, traders: readonly number[], window: Window): DexTrade[] {
    const rows: DexTrade[] = [];
    for (const movement of this.#ledger.movements(listing, window)) {
      const isBuy = partyGroup(movement.from) === POOLS;
      const trader = isBuy ? movement.to : movement.from;
      if ((isBuy || partyGroup(movement.to) === POOLS) && traders.includes(partyGroup(trader))) {
        rows.push(dexTrade(listing, movement, trader, isBuy));
      }
    }
    return rows;
  }
}

/** The end of the newest hour that any of these listings has, epoch ms; null without a listing. */
const newestHour = (listings: readonly Listing[]): number | null =>
  listings.length === 0 ? null : HOUR_MS * Math.max(...listings.map(({ market }) => market.endHour));

/** The window that ends with the market's now. */
function lastMs({ market }: Listing, timeframe: string): Window {
  const toMs = market.endHour * HOUR_MS;
  return { fromMs: toMs - (timeframeMs[timeframe] ?? DAY_MS), toMs };
}

/** The first hour that lies in a window, and the first after it. */
function hoursIn({ market }: Listing, { fromMs, toMs }: Window): readonly [from: number, end: number] {
  const from = Math.max(Math.ceil(fromMs / HOUR_MS), market.firstHour + 1);
  return [from, Math.max(from, Math.min(Math.floor(toMs / HOUR_MS), market.endHour))];
}

/** The labels that count are decided before the rows are made. */
const takenAlready = { include_smart_money_labels: () => true, exclude_smart_money_labels: () => true };
