import type { Sourced } from '../sourced.js';

/** USD by name of chain. */
export type UsdByChain = Readonly<Record<string, number>>;

/** A protocol and the value locked in it. */
export interface Protocol {
  readonly name: string;
  readonly slug: string;
  /** Such as `Lending`. */
  readonly category: string;
  readonly tvlUsd: number;
  readonly chains: UsdByChain;
}

/** A chain and the value locked on it. */
export interface Chain {
  readonly name: string;
  readonly tvlUsd: number;
  /** The protocols with the most value on the chain, most first, at most ten. `tvlUsd` is that. */
  readonly topProtocols: readonly Omit<Protocol, 'chains'>[];
}

/** The supply of all stablecoins. */
export interface Stablecoins {
  readonly totalUsd: number;
  readonly byChain: UsdByChain;
  /** Largest first. */
  readonly coins: readonly { readonly symbol: string; readonly name: string; readonly supplyUsd: number }[];
}

/** The port to value locked and stablecoins. All methods throw UpstreamFault. */
export interface DefiPort {
  /** By name or slug, in any case; null for an unknown one. */
  protocol(name: string): Promise<Sourced<Protocol | null>>;
  /** By name, in any case; null for an unknown one. */
  chain(name: string): Promise<Sourced<Chain | null>>;
  stablecoins(): Promise<Sourced<Stablecoins>>;
}

/** An amount of a day in USD. */
export interface DayUsd {
  /** 00:00 UTC of the day, epoch ms. */
  readonly dayMs: number;
  readonly usd: number;
}

/** The port to the past of the same, by day, the oldest first. Only providers have it. */
export interface DefiHistoryPort {
  /** Value locked on a chain, by its name at the provider; null for an unknown one. */
  chainHistory(name: string): Promise<Sourced<readonly DayUsd[] | null>>;
  /** Supply of all stablecoins. */
  stablecoinHistory(): Promise<Sourced<readonly DayUsd[]>>;
}

/** The unlocks of a token that are still to come. */
export interface TokenUnlocks {
  readonly name: string;
  readonly token: string;
  /** In tokens, as the amounts below. */
  readonly circulating: number;
  /** Null for a token whose supply has no maximum. */
  readonly max: number | null;
  /** Ascending in time. */
  readonly events: readonly { readonly timeMs: number; readonly amount: number; readonly category: string }[];
}

export interface PerpFunding {
  /** Name of the market at its venue. */
  readonly pool: string;
  readonly venue: string;
  readonly symbol: string;
  /** What longs pay shorts in eight hours, a fraction of the position; negative: shorts pay. */
  readonly rate8h: number;
  readonly openInterestUsd: number;
}

export interface Treasury {
  readonly name: string;
  readonly token: string;
  readonly totalUsd: number;
  readonly ownTokensUsd: number;
  readonly stablecoinsUsd: number;
}

/** Money that went into an exchange-traded fund in a day; negative: out of it. */
export interface EtfFlow {
  /** 00:00 UTC of the day, epoch ms. */
  readonly dayMs: number;
  readonly asset: string;
  readonly ticker: string;
  readonly flowUsd: number;
}

/** Rates of a market of a lending protocol, as yearly fractions. */
export interface LendingRate {
  readonly pool: string;
  /** Slug. */
  readonly protocol: string;
  readonly chain: string;
  readonly symbol: string;
  readonly supplyApy: number;
  readonly borrowApy: number;
  readonly totalBorrowUsd: number;
}

/** The port to what providers sell to paying customers only. All methods throw UpstreamFault. */
export interface DefiProPort {
  tokenUnlocks(): Promise<Sourced<readonly TokenUnlocks[]>>;
  perpFunding(): Promise<Sourced<readonly PerpFunding[]>>;
  treasuries(): Promise<Sourced<readonly Treasury[]>>;
  /** Newest day first. */
  etfFlows(): Promise<Sourced<readonly EtfFlow[]>>;
  lendingRates(): Promise<Sourced<readonly LendingRate[]>>;
}

/** Flows of all funds of an asset in one day. */
export interface AssetFlow extends DayUsd {
  readonly asset: string;
}

/** The port to the past of the flows of funds. Only providers have it. */
export interface EtfHistoryPort {
  /** In no order. */
  etfHistory(): Promise<Sourced<readonly AssetFlow[]>>;
}

const TOP_PROTOCOLS = 10;

/** Other names under which people look for a chain. */
const chainAliases: Readonly<Record<string, string>> = { optimism: 'opmainnet', bnb: 'bsc', bnbchain: 'bsc' };

/** Earlier and short names of protocols. */
const protocolAliases: Readonly<Record<string, string>> = {
  maker: 'sky',
  makerdao: 'sky',
  curve: 'curve-finance',
  curvedex: 'curve-finance',
  compound: 'compound-finance',
  convex: 'convex-finance',
  venus: 'venus-finance',
  yearn: 'yearn-finance',
};

/** A name without what spellings differ in: case, spaces and punctuation. */
const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The protocol with this slug, or else with this name, now or earlier. */
export function findProtocol<T extends Pick<Protocol, 'name' | 'slug'>>(
  protocols: readonly T[],
  wanted: string,
): T | undefined {
  const slug = wanted.toLowerCase();
  const name = plain(wanted);
  const alias = Object.hasOwn(protocolAliases, name) ? protocolAliases[name] : undefined;
  return (
    protocols.find((protocol) => protocol.slug === slug) ??
    protocols.find((protocol) => plain(protocol.name) === name) ??
    protocols.find((protocol) => protocol.slug === alias)
  );
}

export function findChain<T extends Pick<Chain, 'name'>>(chains: readonly T[], wanted: string): T | undefined {
  const name = plain(wanted);
  const searched = Object.hasOwn(chainAliases, name) ? chainAliases[name] : name;
  return chains.find((chain) => plain(chain.name) === searched);
}

/** The protocols with the most value on a chain. */
export const largestOn = (protocols: readonly Protocol[], chain: string): Chain['topProtocols'] =>
  protocols
    .flatMap(({ chains, ...protocol }) => {
      const tvlUsd = chains[chain] ?? 0;
      return tvlUsd > 0 ? [{ ...protocol, tvlUsd }] : [];
    })
    .sort((a, b) => b.tvlUsd - a.tvlUsd || (a.slug < b.slug ? -1 : 1))
    .slice(0, TOP_PROTOCOLS);
