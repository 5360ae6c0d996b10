import type { Exchange } from './port.js';

/**
 * Public facts that change slowly, as of this day. Supplies are rounded to three or four digits;
 * listings are spot markets against USD or a stablecoin. Change the day with the facts, so that
 * stored profiles are made anew.
 */
export const FACTS_AS_OF = '2025-09-19';

export interface AssetFacts {
  readonly name: string;
  /** Coins in circulation. */
  readonly supply: number;
  /** Day of the first block, or of the first public sale where the chain came later. */
  readonly launched: string;
  /** Names in `exchangeFacts`. */
  readonly exchanges: readonly string[];
}

const exchange = (
  name: string,
  displayName: string,
  tier: number,
  country: string,
  region: string,
): [string, Exchange] => [
  name,
  { name, displayName, tier, type: 'spot', country, region, isActive: true, volume24hUsd: null },
];

/**
 * Tier 1: regulated in a major market, or among the largest by spot volume. Tier 2: large, with
 * published reserves.
 */
export const exchangeFacts: ReadonlyMap<string, Exchange> = new Map([
  exchange('binance', 'Binance', 1, 'Cayman Islands', 'Caribbean'),
  exchange('coinbase', 'Coinbase Exchange', 1, 'United States', 'North America'),
  exchange('kraken', 'Kraken', 1, 'United States', 'North America'),
  exchange('bitstamp', 'Bitstamp', 1, 'Luxembourg', 'Europe'),
  exchange('okx', 'OKX', 1, 'Seychelles', 'Africa'),
  exchange('bybit', 'Bybit', 2, 'United Arab Emirates', 'Middle East'),
  exchange('bitfinex', 'Bitfinex', 2, 'British Virgin Islands', 'Caribbean'),
  exchange('kucoin', 'KuCoin', 2, 'Seychelles', 'Africa'),
  exchange('gate', 'Gate', 2, 'Cayman Islands', 'Caribbean'),
]);

const everywhere = [...exchangeFacts.keys()];

const coin = (name: string, supply: number, launched: string, exchanges = everywhere): AssetFacts => ({
  name,
  supply,
  launched,
  exchanges,
});

export const assetFacts: ReadonlyMap<string, AssetFacts> = new Map([
  ['BTC', coin('Bitcoin', 19_920_000, '2009-01-03')],
  ['ETH', coin('Ethereum', 120_700_000, '2015-07-30')],
  ['XRP', coin('XRP', 59_700_000_000, '2012-06-02')],
  ['BNB', coin('BNB', 139_000_000, '2017-07-25', ['binance', 'kraken', 'bybit', 'kucoin', 'gate'])],
  ['SOL', coin('Solana', 542_000_000, '2020-03-16')],
  ['DOGE', coin('Dogecoin', 151_000_000_000, '2013-12-06')],
  ['ADA', coin('Cardano', 35_800_000_000, '2017-09-29')],
  ['LINK', coin('Chainlink', 678_000_000, '2017-09-19')],
  ['AVAX', coin('Avalanche', 422_000_000, '2020-09-21')],
  ['LTC', coin('Litecoin', 76_300_000, '2011-10-13')],
]);

/**
 * The whole market, which the bars held cannot show: two assets have shares of each other, not of
 * the market. Source: CoinGecko, Crypto Industry Report of the third quarter of 2025.
 */
export const marketFacts = {
  asOf: '2025-09-30',
  marketCapUsd: 4e12,
  btcDominancePct: 56.9,
  ethDominancePct: 12.5,
} as const;
