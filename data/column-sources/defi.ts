import { EngineError } from '../../engine/errors.js';
import { DAY_MS, HOUR_MS } from '../../engine/series/index.js';
import type { DefiHistoryPort, DefiProPort, EtfHistoryPort } from '../upstreams/defi/index.js';
import type { Sourced } from '../upstreams/index.js';
import { tokenOfAsset } from './flows.js';
import { type ColumnSource, type PublishedValue, publishedIn } from './source.js';

export type DefiPaidPort = DefiProPort & EtfHistoryPort;

interface DefiColumnPorts {
  /** Null if only the free reads are on. */
  readonly paid: DefiPaidPort | null;
  readonly free: DefiHistoryPort;
  /** Epoch ms. */
  readonly clock: () => number;
}

/** Chains by the asset that is their own coin, as DefiLlama spells them. */
const chainNames: Readonly<Record<string, string>> = {
  BTC: 'Bitcoin',
  ETH: 'Ethereum',
  BNB: 'BSC',
  SOL: 'Solana',
  ADA: 'Cardano',
  AVAX: 'Avalanche',
  POL: 'Polygon',
  ARB: 'Arbitrum',
  OP: 'OP Mainnet',
};

/** Assets with funds whose flows are known. */
const etfAssets: readonly string[] = ['BTC', 'ETH', 'SOL', 'XRP'];

/** Funds report the flows of a day on the morning of the next one; by noon UTC they are known. */
const ETF_DELAY_MS = 1.5 * DAY_MS;

/** Unlocks within this time count as upcoming. */
const UNLOCKS_AHEAD_MS = 30 * DAY_MS;

type Read = (asset: string, ports: DefiColumnPorts, nowMs: number) => Promise<readonly PublishedValue[] | null>;

/** Amounts of days, each published so long after its day began. */
const ofDays = (days: readonly { readonly dayMs: number; readonly usd: number }[], delayMs: number) =>
  days.map(({ dayMs, usd }) => ({ periodMs: dayMs, publishedMs: dayMs + delayMs, value: usd }));

/** What a provider shows now was known when it answered. Its period is the hour of that. */
function ofNow<T>({ value, ageMs }: Sourced<T>, nowMs: number, figure: (value: T) => number | null) {
  const found = figure(value);
  const publishedMs = nowMs - ageMs;
  const periodMs = Math.floor(publishedMs / HOUR_MS) * HOUR_MS;
  return found === null ? null : [{ periodMs, publishedMs, value: found }];
}

const freeReads: Readonly<Record<string, Read>> = {
  async ChainTvl(asset, { free }) {
    const { value } = await free.chainHistory(chainNames[asset] ?? '');
    return value && ofDays(value, DAY_MS);
  },
  StablecoinSupply: async (_, { free }) => ofDays((await free.stablecoinHistory()).value, DAY_MS),
};

const paidReads: Readonly<Record<string, (asset: string, port: DefiPaidPort, nowMs: number) => ReturnType<Read>>> = {
  async EtfNetFlow(asset, port) {
    const { value } = await port.etfHistory();
    return ofDays(
      value.filter((day) => day.asset === asset),
      ETF_DELAY_MS,
    );
  },
  PerpFundingRate: async (asset, port, nowMs) =>
    ofNow(await port.perpFunding(), nowMs, (venues) =>
      weighted(
        venues.flatMap(({ symbol, rate8h, openInterestUsd }) => (symbol === asset ? [[rate8h, openInterestUsd]] : [])),
      ),
    ),
  TokenUnlockPressure: async (asset, port, nowMs) =>
    ofNow(await port.tokenUnlocks(), nowMs, (all) => {
      const found = all.find(({ token }) => token === tokenOfAsset(asset)?.listingId);
      if (found === undefined || found.circulating <= 0) return null;
      const ahead = found.events.filter(({ timeMs }) => timeMs > nowMs && timeMs <= nowMs + UNLOCKS_AHEAD_MS);
      return ahead.reduce((sum, { amount }) => sum + amount, 0) / found.circulating;
    }),
  TreasuryUsd: async (asset, port, nowMs) =>
    ofNow(await port.treasuries(), nowMs, (all) => {
      const own = all.filter(({ token }) => token === asset);
      return own.length === 0 ? null : own.reduce((sum, { totalUsd }) => sum + totalUsd, 0);
    }),
  LendingRateSpread: async (asset, port, nowMs) =>
    ofNow(await port.lendingRates(), nowMs, (markets) =>
      weighted(
        markets.flatMap(({ symbol, borrowApy, supplyApy, totalBorrowUsd }) =>
          symbol === asset || symbol === `W${asset}` ? [[borrowApy - supplyApy, totalBorrowUsd]] : [],
        ),
      ),
    ),
};

/** The mean by weight; null without any weight. */
function weighted(parts: readonly (readonly number[])[]): number | null {
  const weight = parts.reduce((sum, [, w = 0]) => sum + w, 0);
  return weight > 0 ? parts.reduce((sum, [x = 0, w = 0]) => sum + x * w, 0) / weight : null;
}

/** DefiLlama: amounts of days free, with a key flows of funds, and today's values of the rest. */
export const defiLlamaColumns = (ports: DefiColumnPorts): ColumnSource => ({
  name: 'defillama',
  columnsFor(asset) {
    if (tokenOfAsset(asset) === undefined) return [];
    const free = Object.keys(freeReads).filter((column) => column !== 'ChainTvl' || asset in chainNames);
    const paid = Object.keys(paidReads).filter((column) => column !== 'EtfNetFlow' || etfAssets.includes(asset));
    return [...free, ...(ports.paid === null ? [] : paid)];
  },
  async fetch(asset, column, fromMs, toMs) {
    const nowMs = ports.clock();
    const { paid } = ports;
    const values =
      column in freeReads
        ? await freeReads[column]?.(asset, ports, nowMs)
        : paid && (await paidReads[column]?.(asset, paid, nowMs));
    if (!values) throw new EngineError('NOT_FOUND', `defillama has no ${column} of ${asset}`);
    return publishedIn(values, fromMs, Math.min(toMs, nowMs + 1));
  },
});
