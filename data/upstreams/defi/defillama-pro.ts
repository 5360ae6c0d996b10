import { z } from 'zod';
import { DAY_MS } from '../../../engine/series/index.js';
import { withoutEnd } from '../../../engine/text.js';
import { mapSourced, type Sourced } from '../sourced.js';
import { type Adapter, Upstream, type UpstreamLimits } from '../upstream.js';
import { askList } from './defillama.js';
import type {
  AssetFlow,
  DefiProPort,
  EtfFlow,
  EtfHistoryPort,
  LendingRate,
  PerpFunding,
  TokenUnlocks,
  Treasury,
} from './port.js';

const amount = z.number().nullish();

const emissions = z.array(
  z.object({
    name: z.string(),
    /** `coingecko:arbitrum` */
    token: z.string().nullish(),
    circSupply: amount,
    maxSupply: amount,
    events: z
      .array(
        z.object({
          /** Unix seconds. */
          timestamp: z.number(),
          /** A cliff has one amount; a change of a linear rate has the old and the new one. */
          noOfTokens: z.array(z.number()),
          category: z.string().nullish(),
        }),
      )
      .nullish(),
  }),
);

const perps = z.object({
  data: z.array(
    z.object({
      marketplace: z.string(),
      market: z.string(),
      baseAsset: z.string(),
      fundingRate: amount,
      /** USD. */
      openInterest: amount,
    }),
  ),
});

const treasuries = z.array(
  z.object({
    name: z.string(),
    symbol: z.string().nullish(),
    tokenBreakdowns: z.object({ ownTokens: amount, stablecoins: amount, majors: amount, others: amount }).nullish(),
  }),
);

const etfs = z.array(
  z.object({
    ticker: z.string(),
    /** Unix seconds. */
    timestamp: z.number(),
    asset: z.string(),
    flows: amount,
  }),
);

const etfDays = z.array(
  z.object({
    gecko_id: z.string(),
    /** Begins with YYYY-MM-DD. */
    day: z.string().regex(/^\d{4}-\d\d-\d\d/),
    total_flow_usd: amount,
  }),
);

const borrowPools = z.object({
  data: z.array(
    z.object({
      pool: z.string(),
      chain: z.string(),
      project: z.string(),
      symbol: z.string(),
      /** Percent a year, as the other rates. */
      apy: amount,
      apyBase: amount,
      apyBaseBorrow: amount,
      totalBorrowUsd: amount,
    }),
  ),
});

const AGE_MS = 600_000;

interface DefiLlamaProOptions {
  readonly key: string;
  /** `https://pro-api.llama.fi` */
  readonly baseUrl: string;
  readonly limits?: Partial<UpstreamLimits>;
  /** Epoch ms. */
  readonly clock?: () => number;
}

/**
 * The paid reads from the pro API of DefiLlama (https://api-docs.defillama.com/llms-pro.txt). The
 * key is a part of each address; faults never show an address. Rows without the figure that they
 * are about are left out.
 */
export class DefiLlamaPro implements DefiProPort, EtfHistoryPort, Adapter {
  readonly #upstream: Upstream;
  readonly #clock: () => number;

  constructor({ key, baseUrl, limits = {}, clock = Date.now }: DefiLlamaProOptions) {
    const keyed = `${withoutEnd(baseUrl, '/')}/${encodeURIComponent(key)}`;
    this.#upstream = new Upstream({ name: 'defillama', baseUrl: keyed, limits, clock });
    this.#clock = clock;
  }

  get upstreams() {
    return [this.#upstream];
  }

  async tokenUnlocks(): Promise<Sourced<readonly TokenUnlocks[]>> {
    const nowMs = this.#clock();
    return mapSourced(await this.#ask('api/emissions', emissions), (rows) =>
      rows.flatMap(({ name, token, circSupply, maxSupply, events }) =>
        isKnown(circSupply)
          ? {
              name,
              token: (token ?? '').replace(/^coingecko:/, ''),
              circulating: circSupply,
              max: maxSupply ?? null,
              events: (events ?? [])
                .map(({ timestamp, noOfTokens, category }) => ({
                  timeMs: timestamp * 1_000,
                  amount: noOfTokens.at(-1) ?? 0,
                  category: category ?? '',
                }))
                .filter(({ timeMs }) => timeMs > nowMs)
                .sort((a, b) => a.timeMs - b.timeMs),
            }
          : [],
      ),
    );
  }

  async perpFunding(): Promise<Sourced<readonly PerpFunding[]>> {
    return mapSourced(await this.#ask('yields/perps', perps), ({ data }) =>
      data.flatMap(({ marketplace, market, baseAsset, fundingRate, openInterest }) =>
        isKnown(fundingRate) && isKnown(openInterest)
          ? {
              pool: market,
              venue: marketplace,
              symbol: baseAsset,
              rate8h: fundingRate,
              openInterestUsd: openInterest,
            }
          : [],
      ),
    );
  }

  async treasuries(): Promise<Sourced<readonly Treasury[]>> {
    return mapSourced(await this.#ask('api/treasuries', treasuries), (rows) =>
      rows
        .flatMap(({ name, symbol, tokenBreakdowns: parts }): Treasury[] => {
          if (!isKnown(parts)) return [];
          const [own, stablecoins] = [parts.ownTokens ?? 0, parts.stablecoins ?? 0];
          const totalUsd = own + stablecoins + (parts.majors ?? 0) + (parts.others ?? 0);
          const plainName = name.replace(/ \(treasury\)$/, '');
          return [{ name: plainName, token: symbol ?? '', totalUsd, ownTokensUsd: own, stablecoinsUsd: stablecoins }];
        })
        .sort((a, b) => b.totalUsd - a.totalUsd),
    );
  }

  /** The last day of each fund: the history is by asset, without tickers. */
  async etfFlows(): Promise<Sourced<readonly EtfFlow[]>> {
    return mapSourced(await this.#ask('etfs/snapshot', etfs), (rows) =>
      rows
        .flatMap(({ ticker, timestamp, asset, flows }) => {
          const dayMs = Math.floor((timestamp * 1_000) / DAY_MS) * DAY_MS;
          return isKnown(flows) ? { dayMs, asset: upperSymbol(asset), ticker, flowUsd: flows } : [];
        })
        .sort((a, b) => b.dayMs - a.dayMs),
    );
  }

  async etfHistory(): Promise<Sourced<readonly AssetFlow[]>> {
    return mapSourced(await this.#ask('etfs/flows', etfDays), (rows) =>
      rows.flatMap(({ gecko_id: asset, day, total_flow_usd: usd }) =>
        isKnown(usd) ? { asset: upperSymbol(asset), dayMs: Date.parse(`${day.slice(0, 10)}T00:00:00Z`), usd } : [],
      ),
    );
  }

  async lendingRates(): Promise<Sourced<readonly LendingRate[]>> {
    return mapSourced(await this.#ask('yields/poolsBorrow', borrowPools), ({ data }) =>
      data.flatMap(({ pool, project, chain, symbol, apy, apyBase, apyBaseBorrow, totalBorrowUsd }) =>
        isKnown(apyBaseBorrow) && isKnown(totalBorrowUsd)
          ? {
              pool,
              protocol: project,
              chain,
              symbol,
              supplyApy: (apy ?? apyBase ?? 0) / 100,
              borrowApy: apyBaseBorrow / 100,
              totalBorrowUsd,
            }
          : [],
      ),
    );
  }

  #ask<T>(path: string, schema: z.ZodType<T>): Promise<Sourced<T>> {
    return askList(this.#upstream, { path, schema, maxAgeMs: AGE_MS });
  }
}

const isKnown = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;

/** DefiLlama names the assets of funds in full. */
const symbols: Readonly<Record<string, string>> = { bitcoin: 'BTC', ethereum: 'ETH', solana: 'SOL', ripple: 'XRP' };

const upperSymbol = (asset: string): string =>
  Object.hasOwn(symbols, asset.toLowerCase()) ? (symbols[asset.toLowerCase()] ?? asset) : asset.toUpperCase();
