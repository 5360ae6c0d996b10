import { z } from 'zod';
import { DAY_MS } from '../../../engine/series/index.js';
import { joinSourced, mapSourced, type Sourced } from '../sourced.js';
import { type Adapter, type Question, Upstream, type UpstreamLimits } from '../upstream.js';
import {
  type Chain,
  type DayUsd,
  type DefiHistoryPort,
  type DefiPort,
  findChain,
  findProtocol,
  largestOn,
  type Protocol,
  type Stablecoins,
} from './port.js';

const amount = z.number().nullish();

const protocolList = z.array(
  z.object({
    name: z.string(),
    slug: z.string(),
    category: z.string().nullish(),
    chains: z.array(z.string()),
    tvl: amount,
    /** Parts that do not count are under names such as `Ethereum-borrowed` and `staking`. */
    chainTvls: z.record(z.string(), amount),
    /** `parent#aave` for the versions of Aave. */
    parentProtocol: z.string().nullish(),
  }),
);

const chainList = z.array(z.object({ name: z.string(), tvl: amount }));

/** By the currency of the peg: `{ peggedUSD: 1 }`. */
const pegged = z.record(z.string(), amount);

const stablecoinList = z.object({
  peggedAssets: z.array(
    z.object({
      name: z.string(),
      symbol: z.string(),
      pegType: z.string(),
      circulating: pegged,
      chainCirculating: z.record(z.string(), z.object({ current: pegged })),
      /** USD. */
      price: amount,
    }),
  ),
});

/** Unix seconds, as a number or a text. */
const dayTime = z.coerce.number();

const chainHistory = z.array(z.object({ date: dayTime, tvl: amount }));

/** By the currency of the peg, in USD. */
const stablecoinHistory = z.array(z.object({ date: dayTime, totalCirculatingUSD: pegged }));

const AGE_MS = 600_000;
/** What exchanges and chains themselves hold is not locked in a protocol. */
const notProtocols = ['CEX', 'Chain'];

interface DefiLlamaOptions {
  /** `https://api.llama.fi` */
  readonly baseUrl: string;
  /** `https://stablecoins.llama.fi` */
  readonly stablecoinsUrl: string;
  readonly limits?: Partial<UpstreamLimits>;
  /** Epoch ms. */
  readonly clock?: () => number;
}

/**
 * Value locked and stablecoins from the free API of DefiLlama (https://api-docs.defillama.com). A
 * protocol with several versions is the sum of them; each version has its own slug too. The value
 * of a chain leaves out what DefiLlama counts twice, so it can be less than the value of its
 * protocols.
 */
export class DefiLlama implements DefiPort, DefiHistoryPort, Adapter {
  readonly #main: Upstream;
  readonly #stablecoins: Upstream;

  constructor({ baseUrl, stablecoinsUrl, ...options }: DefiLlamaOptions) {
    this.#main = new Upstream({ name: 'defillama', baseUrl, ...options });
    this.#stablecoins = new Upstream({ name: 'defillama', baseUrl: stablecoinsUrl, ...options });
  }

  get upstreams() {
    return [this.#main, this.#stablecoins];
  }

  async protocol(name: string): Promise<Sourced<Protocol | null>> {
    const list = await this.#protocols();
    return mapSourced(list, ({ whole, versions }) => findProtocol([...whole, ...versions], name) ?? null);
  }

  async chain(name: string): Promise<Sourced<Chain | null>> {
    const chains = await askList(this.#main, { path: 'v2/chains', schema: chainList, maxAgeMs: AGE_MS });
    const found = findChain(chains.value, name);
    if (found === undefined) return mapSourced(chains, () => null);
    const list = await this.#protocols();
    const topProtocols = largestOn(list.value.whole, found.name);
    return joinSourced({ name: found.name, tvlUsd: found.tvl ?? 0, topProtocols }, chains, list);
  }

  async stablecoins(): Promise<Sourced<Stablecoins>> {
    const query = { includePrices: true };
    const list = { path: 'stablecoins', query, schema: stablecoinList, maxAgeMs: AGE_MS };
    return mapSourced(await askList(this.#stablecoins, list), ({ peggedAssets }) => supply(peggedAssets));
  }

  /** By name in the provider's spelling; null for an unknown one. */
  async chainHistory(name: string): Promise<Sourced<readonly DayUsd[] | null>> {
    const found = await this.#main.ask({
      path: `v2/historicalChainTvl/${encodeURIComponent(name)}`,
      schema: chainHistory,
      maxAgeMs: AGE_MS,
      absentStatuses: [400, 404],
    });
    return mapSourced(found, (rows) => rows?.flatMap(({ date, tvl }) => dayUsd(date, tvl)) ?? null);
  }

  async stablecoinHistory(): Promise<Sourced<readonly DayUsd[]>> {
    const question = { path: 'stablecoincharts/all', schema: stablecoinHistory, maxAgeMs: AGE_MS };
    return mapSourced(await askList(this.#stablecoins, question), (rows) =>
      rows.flatMap(({ date, totalCirculatingUSD: parts }) =>
        dayUsd(
          date,
          Object.values(parts).reduce<number>((sum, usd) => sum + (usd ?? 0), 0),
        ),
      ),
    );
  }

  async #protocols() {
    const list = { path: 'protocols', schema: protocolList, maxAgeMs: AGE_MS };
    return mapSourced(await askList(this.#main, list), wholeAndVersions);
  }
}

const dayUsd = (date: number, usd: number | null | undefined): DayUsd[] =>
  typeof usd === 'number' ? [{ dayMs: Math.floor((date * 1_000) / DAY_MS) * DAY_MS, usd }] : [];

type ListedProtocol = z.infer<typeof protocolList>[number];

/** All protocols with their versions summed up, and the versions. */
function wholeAndVersions(list: readonly ListedProtocol[]) {
  const whole: Protocol[] = [];
  const versions = new Map<string, Protocol[]>();
  for (const listed of list) {
    if (notProtocols.includes(listed.category ?? '')) continue;
    const { parentProtocol: parent } = listed;
    if (typeof parent !== 'string') {
      whole.push(protocol(listed));
      continue;
    }
    const slug = parent.replace(/^parent#/, '');
    versions.set(slug, [...(versions.get(slug) ?? []), protocol(listed)]);
  }
  for (const [slug, parts] of versions) whole.push(joinVersions(slug, parts));
  return { whole, versions: [...versions.values()].flat() };
}

function protocol({ name, slug, category, chains, tvl, chainTvls }: ListedProtocol): Protocol {
  const byChain = chains.map((chain) => [chain, chainTvls[chain] ?? 0] as const);
  return { name, slug, category: category ?? 'Other', tvlUsd: tvl ?? 0, chains: Object.fromEntries(byChain) };
}

/** The category comes from the largest version; the name is the common beginning of all names. */
function joinVersions(slug: string, parts: readonly Protocol[]): Protocol {
  const [largest] = [...parts].sort((a, b) => b.tvlUsd - a.tvlUsd);
  const chains = new Map<string, number>();
  for (const [chain, usd] of parts.flatMap((part) => Object.entries(part.chains))) {
    chains.set(chain, (chains.get(chain) ?? 0) + usd);
  }
  const words = (largest?.name ?? '').split(' ');
  const shared = words.filter((_, i) => parts.every(({ name }) => name.startsWith(words.slice(0, i + 1).join(' '))));
  return {
    name: shared.join(' ') || slug,
    slug,
    category: largest?.category ?? 'Other',
    tvlUsd: parts.reduce((sum, { tvlUsd }) => sum + tvlUsd, 0),
    chains: Object.fromEntries(chains),
  };
}

type PeggedAsset = z.infer<typeof stablecoinList>['peggedAssets'][number];

/** Leaves out coins of other currencies without a price, which cannot be valued. */
function supply(assets: readonly PeggedAsset[]): Stablecoins {
  const byChain = new Map<string, number>();
  const coins = assets.flatMap(({ symbol, name, pegType, circulating, chainCirculating, price }) => {
    const usd = price ?? (pegType === 'peggedUSD' ? 1 : null);
    if (usd === null) return [];
    for (const [chain, { current }] of Object.entries(chainCirculating)) {
      byChain.set(chain, (byChain.get(chain) ?? 0) + (current[pegType] ?? 0) * usd);
    }
    return [{ symbol, name, supplyUsd: (circulating[pegType] ?? 0) * usd }];
  });
  return {
    totalUsd: coins.reduce((sum, { supplyUsd }) => sum + supplyUsd, 0),
    byChain: Object.fromEntries([...byChain].sort(([, a], [, b]) => b - a)),
    coins: coins.sort((a, b) => b.supplyUsd - a.supplyUsd),
  };
}

/**
 * Asks for a list that always exists, so a 404 is a fault of the provider.
 * @throws UpstreamFault
 */
export const askList = <T>(upstream: Upstream, question: Question<T>): Promise<Sourced<T>> =>
  // Null stands for an absent status.
  upstream.ask({ ...question, absentStatuses: [] }) as Promise<Sourced<T>>;
