import { Draws } from '../draws.js';
import { generated, type Sourced } from '../sourced.js';
import { protocolFacts, stablecoinFacts } from './facts.js';
import type { Chain, DefiPort, Protocol, Stablecoins, UsdByChain } from './port.js';
import { findChain, findProtocol, largestOn } from './protocols.js';

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

export const generateProtocols = (ethPrice: number): readonly Protocol[] =>
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
