/** Chains on which tokens are tracked, as providers spell them. */
export const chains = [
  'ethereum',
  'arbitrum',
  'avalanche',
  'base',
  'bitcoin',
  'bnb',
  'optimism',
  'polygon',
  'solana',
] as const;

export type Chain = (typeof chains)[number];

export interface Token {
  readonly ticker: string;
  /** Identifier in coin listings, such as `uniswap`. */
  readonly listingId: string;
  readonly name: string;
  readonly sectors: readonly string[];
  readonly isStablecoin: boolean;
  /**
   * Chains of the token with its contract there, the main chain first. A coin of another chain has
   * the contract that wraps it. Null where the coin is the chain's own and needs no contract.
   */
  readonly contracts: Readonly<Partial<Record<Chain, string | null>>>;
}

type TokenRow = readonly [
  ticker: string,
  listingId: string,
  name: string,
  sectors: readonly string[],
  contracts: Token['contracts'],
];

const STABLECOIN = 'Stablecoin';

/** Contract addresses as the projects publish them, in lower case except on Solana. */
const rows: readonly TokenRow[] = [
  [
    'BTC',
    'bitcoin',
    'Bitcoin',
    ['Store of value'],
    {
      bitcoin: null,
      ethereum: '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599',
      arbitrum: '0x2f2a2543b76a4166549f7aab2e75bef0aefc5b0f',
      bnb: '0x7130d2a12b9bcbfae4f2634d864a1ee1ce3ead9c',
    },
  ],
  [
    'ETH',
    'ethereum',
    'Ethereum',
    ['Layer 1'],
    {
      ethereum: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
      arbitrum: '0x82af49447d8a07e3bd95bd0d56f35241523fbab1',
      base: '0x4200000000000000000000000000000000000006',
      optimism: '0x4200000000000000000000000000000000000006',
      polygon: '0x7ceb23fd6bc0add59e62ac25578270cff1b9f619',
    },
  ],
  [
    'BNB',
    'binancecoin',
    'BNB',
    ['Layer 1', 'Exchange'],
    {
      bnb: '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c',
      ethereum: '0xb8c77482e45f1f44de1745f52c74426c631bdd52',
    },
  ],
  ['SOL', 'solana', 'Solana', ['Layer 1'], { solana: 'So11111111111111111111111111111111111111112' }],
  ['XRP', 'ripple', 'XRP', ['Payments'], { bnb: '0x1d2f0da169ceb9fc7b3144628db156f3f6c60dbe' }],
  ['ADA', 'cardano', 'Cardano', ['Layer 1'], { bnb: '0x3ee2200efb3400fabb9aacf31297cbdd1d435d47' }],
  ['DOGE', 'dogecoin', 'Dogecoin', ['Meme'], { bnb: '0xba2ae424d960c26247dd6c32edc70b295c744c43' }],
  ['AVAX', 'avalanche-2', 'Avalanche', ['Layer 1'], { avalanche: '0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7' }],
  [
    'POL',
    'polygon-ecosystem-token',
    'POL',
    ['Layer 2'],
    {
      polygon: '0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270',
      ethereum: '0x455e53cbb86018ac2b8092fdcd39d8444affc3f6',
    },
  ],
  [
    'LINK',
    'chainlink',
    'Chainlink',
    ['Oracle'],
    {
      ethereum: '0x514910771af9ca656af840dff83e8264ecf986ca',
      arbitrum: '0xf97f4df75117a78c1a5a0dbb814af92458539fb4',
    },
  ],
  [
    'UNI',
    'uniswap',
    'Uniswap',
    ['DeFi', 'Exchange'],
    {
      ethereum: '0x1f9840a85d5af5bf1d1762f925bdaddc4201f984',
      arbitrum: '0xfa7f8980b0f1e64a2062791cc3b0871572f1f7f0',
    },
  ],
  ['AAVE', 'aave', 'Aave', ['DeFi', 'Lending'], { ethereum: '0x7fc66500c84a76ad7e9c93437bfc5ac33e2ddae9' }],
  ['MKR', 'maker', 'Maker', ['DeFi', 'Lending'], { ethereum: '0x9f8f72aa9304c8b593d555f12ef6589cc3a579a2' }],
  ['LDO', 'lido-dao', 'Lido DAO', ['DeFi', 'Staking'], { ethereum: '0x5a98fcbea516cf06857215779fd812ca3bef1b32' }],
  ['CRV', 'curve-dao-token', 'Curve DAO', ['DeFi'], { ethereum: '0xd533a949740bb3306d119cc777fa900ba034cd52' }],
  [
    'ARB',
    'arbitrum',
    'Arbitrum',
    ['Layer 2'],
    {
      arbitrum: '0x912ce59144191c1204e64559fe8253a0e49e6548',
      ethereum: '0xb50721bcf8d664c30412cfbc6cf7a15145234ad1',
    },
  ],
  ['OP', 'optimism', 'Optimism', ['Layer 2'], { optimism: '0x4200000000000000000000000000000000000042' }],
  ['AERO', 'aerodrome-finance', 'Aerodrome', ['DeFi'], { base: '0x940181a94a35a4569e4529a3cdfe74e38fd98631' }],
  ['CAKE', 'pancakeswap-token', 'PancakeSwap', ['DeFi'], { bnb: '0x0e09fabb73bd3ade0a17ecc321fd13a19e81ce82' }],
  ['PEPE', 'pepe', 'Pepe', ['Meme'], { ethereum: '0x6982508145454ce325ddbe47a25d4ec3d2311933' }],
  ['SHIB', 'shiba-inu', 'Shiba Inu', ['Meme'], { ethereum: '0x95ad61b0a150d79219dcf64e1e6cc01f0b64c4ce' }],
  ['BONK', 'bonk', 'Bonk', ['Meme'], { solana: 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263' }],
  [
    'USDC',
    'usd-coin',
    'USDC',
    [STABLECOIN],
    {
      ethereum: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
      solana: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      base: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
      arbitrum: '0xaf88d065e77c8cc2239327c5edb3a432268e5831',
    },
  ],
  [
    'USDT',
    'tether',
    'Tether',
    [STABLECOIN],
    {
      ethereum: '0xdac17f958d2ee523a2206206994597c13d831ec7',
      bnb: '0x55d398326f99059ff775485246999027b3197955',
      arbitrum: '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9',
    },
  ],
  ['DAI', 'dai', 'Dai', [STABLECOIN], { ethereum: '0x6b175474e89094c44da98b954eedeac495271d0f' }],
];

/** Tokens with a contract on a chain, the largest first. */
export const tokens: readonly Token[] = rows.map(([ticker, listingId, name, sectors, contracts]) => ({
  ticker,
  listingId,
  name,
  sectors,
  isStablecoin: sectors.includes(STABLECOIN),
  contracts,
}));

/** What wraps a coin on another chain, or its former ticker. */
const otherTickers: Readonly<Record<string, string>> = { WBTC: 'BTC', WETH: 'ETH', WBNB: 'BNB', MATIC: 'POL' };

interface FoundToken {
  readonly token: Token;
  /** As asked for: a ticker in upper case, or a listing identifier. */
  readonly symbol: string;
}

const byTicker = new Map(tokens.map((token) => [token.ticker, token]));
for (const [other, ticker] of Object.entries(otherTickers)) {
  const token = byTicker.get(ticker);
  if (token !== undefined) byTicker.set(other, token);
}
const byListing = new Map(tokens.map((token) => [token.listingId, token]));

/**
 * Finds a token by ticker, pair (`UNI-USD`) or listing identifier, in any case. A wrapped coin
 * (`WETH`) means the coin. Null for a name that is not in the table.
 */
export function findToken(name: string): FoundToken | null {
  const text = name.trim();
  const [base = ''] = text.toUpperCase().split(/[-/]/, 1);
  const listed = byTicker.has(text.toUpperCase()) ? undefined : byListing.get(text.toLowerCase());
  if (listed !== undefined) return { token: listed, symbol: text };
  const token = byTicker.get(base);
  return token === undefined ? null : { token, symbol: base };
}

/** Chains of a token, the main one first. */
export const tokenChains = ({ contracts }: Token): readonly Chain[] => Object.keys(contracts) as Chain[];
