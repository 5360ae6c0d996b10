import type { TestContext } from 'node:test';
import { DefiLlama, DefiLlamaPro } from '../../data/upstreams/defi/index.js';
import type { UpstreamLimits } from '../../data/upstreams/upstream.js';
import { startUpstream, type UpstreamServer } from './upstream-server.js';

export const DEFILLAMA_NOW = Date.UTC(2025, 7, 20);
export const DEFILLAMA_KEY = 'llama-secret-key';

/** As `/protocols` lists them, with fields that are not read. */
const protocols = [
  {
    id: '1599',
    name: 'Aave V3',
    slug: 'aave-v3',
    symbol: 'AAVE',
    category: 'Lending',
    chains: ['Ethereum', 'Polygon'],
    tvl: 30_000,
    chainTvls: { Ethereum: 25_000, Polygon: 5_000, 'Ethereum-borrowed': 9_000, borrowed: 9_000, staking: 7_000 },
    change_1d: null,
    parentProtocol: 'parent#aave',
  },
  {
    id: '111',
    name: 'Aave V2',
    slug: 'aave-v2',
    symbol: 'AAVE',
    category: 'Lending',
    chains: ['Ethereum'],
    tvl: 1_000,
    chainTvls: { Ethereum: 1_000 },
    parentProtocol: 'parent#aave',
  },
  {
    id: '2269',
    name: 'Binance CEX',
    slug: 'binance-cex',
    category: 'CEX',
    chains: ['Ethereum'],
    tvl: 9e9,
    chainTvls: { Ethereum: 9e9 },
  },
  { id: '3', name: 'Empty', slug: 'empty', category: null, chains: ['Ethereum'], tvl: null, chainTvls: {} },
  ...Array.from({ length: 12 }, (_, i) => ({
    id: `p${i}`,
    name: `Protocol ${i}`,
    slug: `protocol-${i}`,
    category: 'Dexs',
    chains: ['Ethereum'],
    tvl: 100 + i,
    chainTvls: { Ethereum: 100 + i },
  })),
];

const chains = [
  { gecko_id: 'ethereum', tvl: 26_500.5, tokenSymbol: 'ETH', cmcId: '1027', name: 'Ethereum', chainId: 1 },
  { gecko_id: null, tvl: 5_000, tokenSymbol: 'POL', cmcId: null, name: 'Polygon', chainId: 137 },
  { gecko_id: null, tvl: 0, tokenSymbol: null, cmcId: null, name: 'OP Mainnet', chainId: 10 },
];

const stablecoins = {
  peggedAssets: [
    {
      id: '50',
      name: 'Euro Coin',
      symbol: 'EURC',
      pegType: 'peggedEUR',
      circulating: { peggedEUR: 100 },
      chainCirculating: { Ethereum: { current: { peggedEUR: 100 }, circulatingPrevDay: { peggedEUR: 90 } } },
      chains: ['Ethereum'],
      price: 1.2,
    },
    {
      id: '1',
      name: 'Tether',
      symbol: 'USDT',
      pegType: 'peggedUSD',
      pegMechanism: 'fiat-backed',
      circulating: { peggedUSD: 1_000 },
      chainCirculating: { Tron: { current: { peggedUSD: 600 } }, Ethereum: { current: { peggedUSD: 400 } } },
      chains: ['Tron', 'Ethereum'],
      price: null,
    },
    {
      id: '9',
      name: 'Unpriced',
      symbol: 'XJPY',
      pegType: 'peggedJPY',
      circulating: { peggedJPY: 5 },
      chainCirculating: {},
      chains: [],
      price: null,
    },
  ],
};

const DAY_S = 86_400;

/** Of Ethereum, by the start of the day; the last row is of the day that lasts. */
const chainHistory = [
  { date: DEFILLAMA_NOW / 1_000 - 2 * DAY_S, tvl: 90e9 },
  { date: DEFILLAMA_NOW / 1_000 - DAY_S, tvl: 91e9 },
  { date: DEFILLAMA_NOW / 1_000, tvl: 92e9 },
];

const stablecoinHistory = [
  {
    date: String(DEFILLAMA_NOW / 1_000 - DAY_S),
    totalCirculating: { peggedUSD: 260e9, peggedEUR: 400e6 },
    totalCirculatingUSD: { peggedUSD: 261e9, peggedEUR: 500e6 },
  },
];
const nowS = DEFILLAMA_NOW / 1_000;

const proAnswers: Readonly<Record<string, unknown>> = {
  '/api/emissions': [
    {
      token: 'coingecko:arbitrum',
      protocolId: '1',
      name: 'Arbitrum',
      circSupply: 5e9,
      maxSupply: 1e10,
      events: [
        {
          description: 'later',
          timestamp: nowS + 60 * DAY_S,
          noOfTokens: [10, 20],
          category: 'insiders',
          unlockType: 'linear',
        },
        { description: 'soon', timestamp: nowS + DAY_S, noOfTokens: [7], category: 'privateSale', unlockType: 'cliff' },
        { description: 'past', timestamp: nowS - DAY_S, noOfTokens: [7], category: 'privateSale', unlockType: 'cliff' },
      ],
      nextEvent: { date: nowS + DAY_S, toUnlock: 7 },
      mcap: null,
    },
    { token: 'coingecko:none', name: 'No supply', circSupply: null, maxSupply: null, events: [] },
  ],
  '/yields/perps': {
    status: 'success',
    data: [
      {
        perp_id: 'a',
        timestamp: '2025-07-18T18:01:44.811Z',
        marketplace: 'Binance',
        market: 'BTCUSDT',
        baseAsset: 'BTC',
        fundingRate: 0.0001,
        openInterest: 8e9,
        indexPrice: 118_000,
        fundingRate7dAverage: null,
      },
      {
        perp_id: 'b',
        marketplace: 'Bybit',
        market: 'XUSDT',
        baseAsset: 'X',
        fundingRate: null,
        openInterest: 1,
        indexPrice: 1,
      },
    ],
  },
  '/api/treasuries': [
    {
      id: '1-treasury',
      name: 'Small (treasury)',
      symbol: '-',
      tvl: 1,
      tokenBreakdowns: { ownTokens: 0, stablecoins: 1, majors: 0, others: 0 },
    },
    {
      id: '2-treasury',
      name: 'Uniswap (treasury)',
      symbol: 'UNI',
      tvl: 60,
      tokenBreakdowns: { ownTokens: 100, stablecoins: 10, majors: 20, others: 30 },
    },
  ],
  '/etfs/snapshot': [
    {
      ticker: 'IBIT',
      timestamp: 1_755_612_389,
      asset: 'bitcoin',
      issuer: 'Blackrock',
      pct_fee: 0.25,
      flows: -68_700_000,
      aum: 87_276_718_199,
    },
    { ticker: 'ETHA', timestamp: 1_755_698_789, asset: 'ethereum', issuer: 'Blackrock', flows: 5, aum: null },
    { ticker: 'NONE', timestamp: 1_755_698_789, asset: 'ethereum', flows: null },
  ],
  '/etfs/flows': [
    { gecko_id: 'bitcoin', day: '2025-08-18', total_flow_usd: -121_000_000 },
    { gecko_id: 'bitcoin', day: '2025-08-15', total_flow_usd: -14_000_000 },
    { gecko_id: 'ethereum', day: '2025-08-18T00:00:00.000Z', total_flow_usd: 7 },
    { gecko_id: 'bitcoin', day: '2025-08-19', total_flow_usd: 55 },
    { gecko_id: 'bitcoin', day: '2025-08-17', total_flow_usd: null },
  ],
  '/yields/poolsBorrow': {
    status: 'success',
    data: [
      {
        pool: 'e880e828',
        chain: 'Ethereum',
        project: 'aave-v3',
        symbol: 'WETH',
        tvlUsd: 604_781_668,
        apyBase: 2,
        apyReward: null,
        apy: 2.5,
        apyBaseBorrow: 5,
        totalSupplyUsd: 9e9,
        totalBorrowUsd: 8e9,
        ltv: 0.805,
      },
      {
        pool: 'nothing',
        chain: 'Ethereum',
        project: 'x',
        symbol: 'X',
        apyBase: null,
        apy: null,
        apyBaseBorrow: null,
        totalBorrowUsd: null,
      },
    ],
  },
};

/** A server that speaks the formats of the three APIs of DefiLlama. */
export const startDefiLlama = (t: TestContext): Promise<UpstreamServer> =>
  startUpstream(t, ({ path }) => {
    if (path === '/main/protocols') return protocols;
    if (path === '/main/v2/chains') return chains;
    if (path === '/stable/stablecoins') return stablecoins;
    if (path === '/main/v2/historicalChainTvl/Ethereum') return chainHistory;
    if (path === '/stable/stablecoincharts/all') return stablecoinHistory;
    return proAnswers[path.replace(`/pro/${DEFILLAMA_KEY}`, '')];
  });

export const openDefiLlama = ({ url }: UpstreamServer, limits: Partial<UpstreamLimits> = {}): DefiLlama =>
  new DefiLlama({ baseUrl: `${url}/main`, stablecoinsUrl: `${url}/stable`, limits, clock: () => DEFILLAMA_NOW });

export const openDefiLlamaPro = ({ url }: UpstreamServer, limits: Partial<UpstreamLimits> = {}): DefiLlamaPro =>
  new DefiLlamaPro({ key: DEFILLAMA_KEY, baseUrl: `${url}/pro/`, limits, clock: () => DEFILLAMA_NOW });
