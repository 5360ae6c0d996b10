import { join } from 'node:path';
import { readRecordedSeries } from '../../data/recordings/index.js';
import { type DefiPort, type DefiProPort, GeneratedDefi, GeneratedDefiPro } from '../../data/upstreams/defi/index.js';
import { readOnce, type Sourced } from '../../data/upstreams/index.js';
import { isoTime } from '../../engine/series/index.js';
import { notFound, refuseMissing } from '../api-error.js';
import type { Capability, Foundation } from '../capability.js';
import { provenanceFields } from '../provenance.js';

/** DeFi figures: live as far as the settings say, otherwise generated. */
export function openDefi({ live, market, sampleDir }: Foundation): Capability<'Defi'> {
  const reads = live.defiLlama ?? new GeneratedDefi(() => market.latestPrice('ETH'));
  const funding = recordedFunding(join(sampleDir, 'recordings'));
  const defi = new Defi({ reads, paidReads: live.defiLlamaPro ?? new GeneratedDefiPro({ market, funding }) });
  return {
    methods: {
      'Defi.GetProtocolTvl': (request) => defi.protocolTvl(request),
      'Defi.GetChainTvl': (request) => defi.chainTvl(request),
      'Defi.GetStablecoins': () => defi.stablecoins(),
      'Defi.ListTokenUnlocks': () => defi.tokenUnlocks(),
      'Defi.ListPerpFunding': () => defi.perpFunding(),
      'Defi.ListTreasuries': () => defi.treasuries(),
      'Defi.ListEtfFlows': () => defi.etfFlows(),
      'Defi.ListLendingRates': () => defi.lendingRates(),
    },
  };
}

const recordedFunding = (folder: string) => ({
  BTC: readOnce(() => readRecordedSeries(folder, 'BTC-PERP funding')),
  ETH: readOnce(() => readRecordedSeries(folder, 'ETH-PERP funding')),
});

interface DefiParts {
  readonly reads: DefiPort;
  readonly paidReads: DefiProPort;
}

const SETTLEMENTS_PER_YEAR = 3 * 365;

/**
 * Value locked, stablecoins and the five paid reads. The gate has checked the entitlement to the
 * paid ones and counted their calls. All methods throw UpstreamFault.
 */
class Defi {
  constructor(private readonly parts: DefiParts) {}

  /** @throws ApiError MISSING_FIELD, RESOURCE_NOT_FOUND */
  async protocolTvl({ protocol }: { readonly protocol: string }) {
    const found = await this.parts.reads.protocol(named('protocol', protocol));
    if (found.value === null) throw notFound('protocol', protocol);
    const { slug, name, category, tvlUsd, chains } = found.value;
    const provenance = provenanceFields(found);
    const data = { source: provenance.source, name, category };
    return { protocol: slug, tvl_usd: tvlUsd, chains, data, ...provenance };
  }

  /** @throws ApiError MISSING_FIELD, RESOURCE_NOT_FOUND */
  async chainTvl({ chain }: { readonly chain: string }) {
    const found = await this.parts.reads.chain(named('chain', chain));
    if (found.value === null) throw notFound('chain', chain);
    const { name, tvlUsd, topProtocols } = found.value;
    const provenance = provenanceFields(found);
    return {
      chain: name,
      tvl_usd: tvlUsd,
      top_protocols: topProtocols.map((top) => ({
        name: top.name,
        slug: top.slug,
        tvl_usd: top.tvlUsd,
        category: top.category,
      })),
      data: { source: provenance.source },
      ...provenance,
    };
  }

  async stablecoins() {
    const found = await this.parts.reads.stablecoins();
    const { totalUsd, byChain, coins } = found.value;
    const provenance = provenanceFields(found);
    const stablecoins = coins.map(({ symbol, name, supplyUsd }) => ({ symbol, name, supply_usd: supplyUsd }));
    return {
      total_supply_usd: totalUsd,
      supply_by_chain: byChain,
      data: { source: provenance.source, stablecoins },
      ...provenance,
    };
  }

  async tokenUnlocks() {
    return toList(await this.parts.paidReads.tokenUnlocks(), ({ name, token, circulating, max, events }) => ({
      name,
      token,
      circSupply: circulating,
      maxSupply: max,
      events: events.map(({ timeMs, amount, category }) => ({ date: isoTime(timeMs), amount, category })),
    }));
  }

  async perpFunding() {
    return toList(await this.parts.paidReads.perpFunding(), ({ pool, venue, symbol, rate8h, openInterestUsd }) => ({
      pool,
      venue,
      symbol,
      funding_rate_8h: rate8h,
      apy: rate8h * SETTLEMENTS_PER_YEAR,
      open_interest_usd: openInterestUsd,
    }));
  }

  async treasuries() {
    return toList(await this.parts.paidReads.treasuries(), (row) => ({
      name: row.name,
      token: row.token,
      treasury_usd: row.totalUsd,
      own_tokens_usd: row.ownTokensUsd,
      stablecoins_usd: row.stablecoinsUsd,
    }));
  }

  async etfFlows() {
    return toList(await this.parts.paidReads.etfFlows(), ({ dayMs, asset, ticker, flowUsd }) => ({
      day: isoTime(dayMs).slice(0, 10),
      asset,
      ticker,
      total_flow_usd: flowUsd,
    }));
  }

  async lendingRates() {
    return toList(await this.parts.paidReads.lendingRates(), (row) => ({
      pool: row.pool,
      protocol: row.protocol,
      chain: row.chain,
      symbol: row.symbol,
      supply_apy: row.supplyApy,
      borrow_apy: row.borrowApy,
      total_borrow_usd: row.totalBorrowUsd,
    }));
  }
}

function named(field: string, text: string): string {
  const name = text.trim();
  if (name === '') refuseMissing([field]);
  return name;
}

function toList<T, Row>(found: Sourced<readonly T[]>, rowOf: (value: T) => Row) {
  const data = found.value.map(rowOf);
  return { count: data.length, data, ...provenanceFields(found) };
}
