import { DAY_MS, HOUR_MS } from '../../../engine/series/index.js';
import type { MarketData } from '../../providers/index.js';
import { Draws } from '../draws.js';
import { latestBars, type RecordedSource, valueAt } from '../recorded.js';
import { generated, oldestTime, type Sourced } from '../sourced.js';
import {
  etfFacts,
  lendingMarkets,
  perpSymbols,
  perpVenues,
  protocolFacts,
  stablecoinFacts,
  vestedTokens,
} from './facts.js';
import {
  type Chain,
  type DefiPort,
  type DefiProPort,
  type EtfFlow,
  findChain,
  findProtocol,
  type LendingRate,
  largestOn,
  type PerpFunding,
  type Protocol,
  type Stablecoins,
  type TokenUnlocks,
  type Treasury,
  type UsdByChain,
} from './port.js';

/** Value locked in a protocol of the first rank, in ETH. */
const LARGEST_ETH = 8e6;
/** Supply of the stablecoin of the first rank, in USD. */
const LARGEST_STABLECOIN_USD = 120e9;
/** The amount of rank r is about the amount of the first rank over r to this power. */
const TVL_DECAY = 0.9;
const STABLECOIN_DECAY = 1.6;

/** The price of the ETH held, in USD, and its time: the market's now. */
type EthPrice = () => Promise<{ readonly price: number; readonly timeMs: number }>;

/**
 * Generated amounts for a table of real names. Each protocol holds a fixed number of ETH, so its
 * value moves with the price held. A chain holds what the protocols of the table hold on it.
 */
export class GeneratedDefi implements DefiPort {
  constructor(private readonly ethPrice: EthPrice) {}

  /** A version of a protocol, such as Aave V3, answers as the whole: only that is generated. */
  async protocol(name: string): Promise<Sourced<Protocol | null>> {
    const { price, timeMs } = await this.ethPrice();
    const protocols = generateProtocols(price);
    const whole = name.replace(/[- ]v\d+$/i, '');
    return generated(findProtocol(protocols, name) ?? findProtocol(protocols, whole) ?? null, timeMs);
  }

  async chain(name: string): Promise<Sourced<Chain | null>> {
    const { price, timeMs } = await this.ethPrice();
    const protocols = generateProtocols(price);
    const found = findChain(sumChains(protocols), name);
    const value = found === undefined ? null : { ...found, topProtocols: largestOn(protocols, found.name) };
    return generated(value, timeMs);
  }

  async stablecoins(): Promise<Sourced<Stablecoins>> {
    const coins = stablecoinFacts.map(({ symbol, name, chains }, rank) => {
      const draws = new Draws('stablecoin', symbol);
      const supplyUsd = draws.around(LARGEST_STABLECOIN_USD / (rank + 1) ** STABLECOIN_DECAY, 0.2);
      return { symbol, name, supplyUsd, byChain: spread(supplyUsd, chains, draws) };
    });
    const supplies = {
      totalUsd: coins.reduce((sum, { supplyUsd }) => sum + supplyUsd, 0),
      byChain: added(coins.map(({ byChain }) => byChain)),
      coins: coins.map(({ byChain: _, ...coin }) => coin).sort((a, b) => b.supplyUsd - a.supplyUsd),
    };
    return generated(supplies, null); // follows no bars
  }
}

const generateProtocols = (ethPrice: number): readonly Protocol[] =>
  protocolFacts.map(({ slug, name, category, chains }, rank) => {
    const draws = new Draws('protocol', slug);
    const tvlUsd = ethPrice * draws.around(LARGEST_ETH / (rank + 1) ** TVL_DECAY, 0.2);
    return { name, slug, category, tvlUsd, chains: spread(tvlUsd, chains, draws) };
  });

function sumChains(protocols: readonly Protocol[]): readonly Omit<Chain, 'topProtocols'>[] {
  return Object.entries(added(protocols.map(({ chains }) => chains))).map(([name, tvlUsd]) => ({ name, tvlUsd }));
}

/** Divides an amount among chains; most of it is on the first ones. */
function spread(amount: number, chains: readonly string[], draws: Draws): UsdByChain {
  const weights = chains.map((_, i) => draws.around(Math.exp(-i), 0.3));
  const sum = weights.reduce((a, b) => a + b, 0);
  return Object.fromEntries(chains.map((chain, i) => [chain, (amount * (weights[i] ?? 0)) / sum]));
}

function added(parts: readonly UsdByChain[]): UsdByChain {
  const sums = new Map<string, number>();
  for (const part of parts)
    for (const [chain, usd] of Object.entries(part)) sums.set(chain, (sums.get(chain) ?? 0) + usd);
  return Object.fromEntries([...sums].sort(([, a], [, b]) => b - a));
}

/** Funding is settled every eight hours. */
const SETTLEMENT_MS = 8 * HOUR_MS;
/** Settlements are recorded with some ms of jitter. */
const FUNDING_AGE_MS = SETTLEMENT_MS + HOUR_MS;
const ETF_DAYS = 30;
const TREASURIES = 24;

interface GeneratedDefiProParts {
  readonly market: MarketData;
  /** The recorded funding rates of Binance perpetuals by asset, one value a settlement. */
  readonly funding?: Readonly<Record<string, RecordedSource>>;
}

/**
 * Generated rates and amounts for a table of real names, of the market's now of ETH. They follow
 * the bars held: funding and fund flows the returns, amounts in USD the price of ETH.
 */
export class GeneratedDefiPro implements DefiProPort {
  constructor(private readonly parts: GeneratedDefiProParts) {}

  async tokenUnlocks(): Promise<Sourced<readonly TokenUnlocks[]>> {
    const nowMs = await this.parts.market.nowMs('ETH');
    return generated(
      vestedTokens.filter(({ launch }) => Date.parse(launch) <= nowMs).map((token) => vesting(token, nowMs)),
      nowMs,
    );
  }

  async perpFunding(): Promise<Sourced<readonly PerpFunding[]>> {
    const { price, timeMs: nowMs } = await this.parts.market.latestPrice('ETH');
    const settlement = Math.floor(nowMs / SETTLEMENT_MS);
    const markets = await Promise.all(
      perpSymbols.map(async (symbol, rank) => {
        const recorded = await this.#recordedFunding(symbol, nowMs);
        const rate = recorded ?? (await this.#modelledFunding(symbol, settlement));
        return perpVenues.map(({ venue, poolName }, venueRank) => {
          const noise = new Draws('funding', symbol, venue, settlement).normal();
          const isRecorded = recorded !== null && venue === 'Binance';
          const size = new Draws('open interest', symbol, venue).around(3e6, 0.3);
          return {
            pool: poolName(symbol),
            venue,
            symbol,
            rate8h: isRecorded ? rate : rate + 0.00001 * noise,
            openInterestUsd: (price * size) / (rank + 1) ** 1.2 / (venueRank + 1) ** 0.7,
          };
        });
      }),
    );
    return generated(markets.flat(), nowMs);
  }

  async #recordedFunding(symbol: string, nowMs: number): Promise<number | null> {
    const recorded = this.parts.funding?.[symbol];
    return recorded === undefined ? null : valueAt(await recorded(), nowMs, FUNDING_AGE_MS);
  }

  /** Around 0.01 %, more after a rise over three days and less after a fall. */
  async #modelledFunding(symbol: string, settlement: number): Promise<number> {
    const { market } = this.parts;
    const held = (await latestBars(market, symbol, HOUR_MS, 72)) ?? (await latestBars(market, 'BTC', HOUR_MS, 72));
    const { open, close } = held?.bars ?? { open: [1], close: [1] };
    const change = Math.log((close.at(-1) ?? 1) / (open[0] ?? 1));
    const noise = new Draws('funding', symbol, settlement).normal();
    return Math.max(-0.003, Math.min(0.003, 0.0001 + 0.002 * change + 0.00002 * noise));
  }

  async treasuries(): Promise<Sourced<readonly Treasury[]>> {
    const { price, timeMs } = await this.parts.market.latestPrice('ETH');
    const rows = generateProtocols(price).map(({ name, slug, tvlUsd }, i) => {
      const draws = new Draws('treasury', slug);
      const part = (share: number): number => tvlUsd * draws.around(share, 0.6);
      const ownTokensUsd = part(0.04);
      const stablecoinsUsd = part(0.01);
      const totalUsd = ownTokensUsd + stablecoinsUsd + part(0.01);
      return { name, token: protocolFacts[i]?.token ?? '', totalUsd, ownTokensUsd, stablecoinsUsd };
    });
    return generated(rows.sort((a, b) => b.totalUsd - a.totalUsd).slice(0, TREASURIES), timeMs);
  }

  async etfFlows(): Promise<Sourced<readonly EtfFlow[]>> {
    const ends: number[] = [];
    const flows = await Promise.all(
      etfFacts.map(async ({ asset, launch, tickers }, fund): Promise<EtfFlow[]> => {
        const held = await latestBars(this.parts.market, asset, DAY_MS, ETF_DAYS);
        if (held === null) return [];
        ends.push(held.nowMs);
        const { time, open, close } = held.bars;
        return [...time].flatMap((dayMs, i) => {
          if (dayMs < Date.parse(launch) || isWeekend(dayMs)) return [];
          const strength = Math.log((close[i] ?? 1) / (open[i] ?? 1)) / 0.02;
          return tickers.map((ticker, rank) => {
            const size = 3e8 / (fund + 1) ** 1.5 / (rank + 1) ** 1.2;
            const noise = new Draws('etf', ticker, dayMs).normal();
            return { dayMs, asset, ticker, flowUsd: Math.round(size * (0.5 * strength + 0.3 * noise)) };
          });
        });
      }),
    );
    const rows = flows.flat().sort((a, b) => b.dayMs - a.dayMs);
    return generated(rows, oldestTime(ends));
  }

  async lendingRates(): Promise<Sourced<readonly LendingRate[]>> {
    const { price, timeMs } = await this.parts.market.latestPrice('ETH');
    const protocols = new Map(generateProtocols(price).map((protocol) => [protocol.slug, protocol]));
    return generated(
      lendingMarkets.flatMap(({ slug, symbols }) =>
        Object.entries(protocols.get(slug)?.chains ?? {}).flatMap(([chain, tvlUsd]) =>
          symbols.map((symbol, rank) => lendingRate({ slug, chain, symbol, suppliedUsd: tvlUsd / 2 ** (rank + 1) })),
        ),
      ),
      timeMs,
    );
  }
}

const isWeekend = (dayMs: number): boolean => [0, 6].includes(new Date(dayMs).getUTCDay());

const CLIFF_MONTHS = 12;
const SHOWN_MONTHS = 12;
/** Locked tokens: shares of the maximum supply, unlocked month by month. */
const allocations = [
  { category: 'insiders', share: 0.22, fromMonth: CLIFF_MONTHS, months: 36 },
  { category: 'privateSale', share: 0.17, fromMonth: CLIFF_MONTHS, months: 24 },
  { category: 'farming', share: 0.2, fromMonth: 1, months: 60 },
] as const;

/** One unlock a month for each allocation, since the launch. Unlocked tokens circulate. */
function vesting({ name, token, max, launch }: (typeof vestedTokens)[number], nowMs: number): TokenUnlocks {
  const draws = new Draws('unlocks', token);
  const launchMs = Date.parse(launch);
  const parts = allocations.map((allocation) => ({ ...allocation, share: draws.around(allocation.share, 0.2) }));
  const all = parts.flatMap(({ category, share, fromMonth, months }) =>
    Array.from({ length: months }, (_, i) => ({
      timeMs: monthsAfter(launchMs, fromMonth + i),
      amount: Math.floor((max * share) / months),
      category,
    })),
  );
  const atLaunch = Math.floor(max * draws.around(0.13, 0.2));
  const circulating = all.reduce((sum, { timeMs, amount }) => (timeMs <= nowMs ? sum + amount : sum), atLaunch);
  const endMs = monthsAfter(nowMs, SHOWN_MONTHS);
  const events = all.filter(({ timeMs }) => timeMs > nowMs && timeMs <= endMs).sort((a, b) => a.timeMs - b.timeMs);
  return { name, token, circulating, max, events };
}

/** 00:00 UTC of the same day of a later month, the 28th at the latest. */
function monthsAfter(timeMs: number, months: number): number {
  const date = new Date(timeMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, Math.min(date.getUTCDate(), 28));
}

interface LendingMarket {
  readonly slug: string;
  readonly chain: string;
  readonly symbol: string;
  readonly suppliedUsd: number;
}

/** Share of the interest that the protocol keeps. */
const RESERVE_FACTOR = 0.1;

/** Rates rise with the share of the supply that is lent out, as the protocols set them. */
function lendingRate({ slug, chain, symbol, suppliedUsd }: LendingMarket): LendingRate {
  const utilization = 0.35 + 0.5 * new Draws('lending', slug, chain, symbol).uniform();
  const borrowApy = 0.01 + 0.06 * utilization;
  return {
    pool: [slug, chain, symbol].join('-').toLowerCase().replaceAll(' ', '-'),
    protocol: slug,
    chain,
    symbol,
    supplyApy: borrowApy * utilization * (1 - RESERVE_FACTOR),
    borrowApy,
    totalBorrowUsd: suppliedUsd * utilization,
  };
}
