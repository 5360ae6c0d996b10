import type { Chain, Protocol } from './port.js';

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
