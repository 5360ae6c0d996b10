/**
 * Names, slugs, categories and launch days, for which amounts are generated. Names are DefiLlama's.
 * No figure here is an amount, except maximum supplies as published at the launch.
 */

interface ProtocolFacts {
  readonly slug: string;
  readonly name: string;
  readonly category: string;
  readonly token: string;
  /** The main chain first. */
  readonly chains: readonly string[];
}

type ProtocolRow = readonly [slug: string, name: string, category: string, token: string, chains: string];

/** Roughly by size, largest first. */
const protocolRows: readonly ProtocolRow[] = [
  ['aave', 'Aave', 'Lending', 'AAVE', 'Ethereum, Arbitrum, Base, Avalanche, Polygon, OP Mainnet, BSC, Gnosis'],
  ['lido', 'Lido', 'Liquid Staking', 'LDO', 'Ethereum'],
  ['eigenlayer', 'EigenLayer', 'Restaking', 'EIGEN', 'Ethereum'],
  ['ether.fi', 'ether.fi', 'Liquid Restaking', 'ETHFI', 'Ethereum'],
  ['ethena', 'Ethena', 'Basis Trading', 'ENA', 'Ethereum'],
  ['sky', 'Sky', 'CDP', 'SKY', 'Ethereum'],
  ['morpho', 'Morpho', 'Lending', 'MORPHO', 'Ethereum, Base'],
  ['pendle', 'Pendle', 'Yield', 'PENDLE', 'Ethereum, Arbitrum, BSC'],
  ['uniswap', 'Uniswap', 'Dexs', 'UNI', 'Ethereum, Base, Arbitrum, Polygon, OP Mainnet, BSC, Avalanche'],
  ['spark', 'Spark', 'Lending', 'SPK', 'Ethereum, Gnosis'],
  ['babylon-protocol', 'Babylon Protocol', 'Restaking', 'BABY', 'Bitcoin'],
  ['justlend', 'JustLend', 'Lending', 'JST', 'Tron'],
  ['jito', 'Jito', 'Liquid Staking', 'JTO', 'Solana'],
  ['kamino', 'Kamino', 'Lending', 'KMNO', 'Solana'],
  ['jupiter', 'Jupiter', 'Derivatives', 'JUP', 'Solana'],
  ['compound-finance', 'Compound Finance', 'Lending', 'COMP', 'Ethereum, Arbitrum, Base, Polygon, OP Mainnet'],
  ['raydium', 'Raydium', 'Dexs', 'RAY', 'Solana'],
  ['curve-finance', 'Curve Finance', 'Dexs', 'CRV', 'Ethereum, Arbitrum, Polygon, OP Mainnet, Avalanche, Gnosis'],
  ['pancakeswap', 'PancakeSwap', 'Dexs', 'CAKE', 'BSC, Ethereum, Base, Arbitrum'],
  ['venus-finance', 'Venus Finance', 'Lending', 'XVS', 'BSC, Ethereum, Arbitrum'],
  ['rocket-pool', 'Rocket Pool', 'Liquid Staking', 'RPL', 'Ethereum'],
  ['sanctum', 'Sanctum', 'Liquid Staking', 'CLOUD', 'Solana'],
  ['marinade', 'Marinade', 'Liquid Staking', 'MNDE', 'Solana'],
  ['convex-finance', 'Convex Finance', 'Yield', 'CVX', 'Ethereum, Arbitrum'],
  ['hyperliquid', 'Hyperliquid', 'Derivatives', 'HYPE', 'Hyperliquid L1'],
  ['suilend', 'Suilend', 'Lending', 'SEND', 'Sui'],
  ['navi-protocol', 'NAVI Protocol', 'Lending', 'NAVX', 'Sui'],
  ['benqi', 'BENQI', 'Lending', 'QI', 'Avalanche'],
  ['aerodrome', 'Aerodrome', 'Dexs', 'AERO', 'Base'],
  ['gmx', 'GMX', 'Derivatives', 'GMX', 'Arbitrum, Avalanche'],
  ['balancer', 'Balancer', 'Dexs', 'BAL', 'Ethereum, Arbitrum, Gnosis, Polygon, OP Mainnet'],
  ['sunswap', 'SUNSwap', 'Dexs', 'SUN', 'Tron'],
  ['orca', 'Orca', 'Dexs', 'ORCA', 'Solana'],
  ['yearn-finance', 'Yearn Finance', 'Yield Aggregator', 'YFI', 'Ethereum, Arbitrum, Base'],
  ['quickswap', 'QuickSwap', 'Dexs', 'QUICK', 'Polygon'],
  ['cetus', 'Cetus', 'Dexs', 'CETUS', 'Sui'],
  ['sushi', 'Sushi', 'Dexs', 'SUSHI', 'Ethereum, Arbitrum, Polygon, Base'],
  ['beefy', 'Beefy', 'Yield Aggregator', 'BIFI', 'Base, BSC, Arbitrum, OP Mainnet'],
  ['joe', 'LFJ', 'Dexs', 'JOE', 'Avalanche, Arbitrum'],
  ['velodrome', 'Velodrome', 'Dexs', 'VELO', 'OP Mainnet'],
];

export const protocolFacts: readonly ProtocolFacts[] = protocolRows.map(([slug, name, category, token, chains]) => ({
  slug,
  name,
  category,
  token,
  chains: chains.split(', '),
}));

interface StablecoinFacts {
  readonly symbol: string;
  readonly name: string;
  readonly chains: readonly string[];
}

/** Roughly by size, largest first. */
export const stablecoinFacts: readonly StablecoinFacts[] = (
  [
    ['USDT', 'Tether', 'Tron, Ethereum, BSC, Solana, Arbitrum, Avalanche, Polygon, OP Mainnet'],
    ['USDC', 'USD Coin', 'Ethereum, Solana, Base, Hyperliquid L1, Arbitrum, Polygon, Avalanche, Sui, OP Mainnet'],
    ['USDe', 'Ethena USDe', 'Ethereum'],
    ['DAI', 'Dai', 'Ethereum, Polygon, Arbitrum, OP Mainnet, Gnosis'],
    ['USDS', 'Sky Dollar', 'Ethereum, Solana, Base'],
    ['FDUSD', 'First Digital USD', 'Ethereum, BSC, Solana, Sui'],
    ['PYUSD', 'PayPal USD', 'Ethereum, Solana'],
    ['USDD', 'USDD', 'Tron, Ethereum, BSC'],
    ['TUSD', 'TrueUSD', 'Tron, Ethereum'],
    ['crvUSD', 'crvUSD', 'Ethereum, Arbitrum'],
    ['GHO', 'GHO', 'Ethereum, Arbitrum, Base'],
    ['LUSD', 'Liquity USD', 'Ethereum, OP Mainnet'],
  ] as const
).map(([symbol, name, chains]) => ({ symbol, name, chains: chains.split(', ') }));

interface VestedToken {
  readonly name: string;
  readonly token: string;
  readonly max: number;
  /** The day on which the token began to trade. */
  readonly launch: string;
}

/** Tokens that were partly locked at launch. */
export const vestedTokens: readonly VestedToken[] = [
  { name: 'Arbitrum', token: 'ARB', max: 10e9, launch: '2023-03-23' },
  { name: 'Optimism', token: 'OP', max: 4_294_967_296, launch: '2022-05-31' },
  { name: 'Sui', token: 'SUI', max: 10e9, launch: '2023-05-03' },
  { name: 'Ethena', token: 'ENA', max: 15e9, launch: '2024-04-02' },
  { name: 'Starknet', token: 'STRK', max: 10e9, launch: '2024-02-20' },
  { name: 'Jito', token: 'JTO', max: 1e9, launch: '2023-12-07' },
  { name: 'Wormhole', token: 'W', max: 10e9, launch: '2024-04-03' },
  { name: 'Pyth Network', token: 'PYTH', max: 10e9, launch: '2023-11-20' },
  { name: 'LayerZero', token: 'ZRO', max: 1e9, launch: '2024-06-20' },
  { name: 'ether.fi', token: 'ETHFI', max: 1e9, launch: '2024-03-18' },
  { name: 'ZKsync', token: 'ZK', max: 21e9, launch: '2024-06-17' },
  { name: 'Worldcoin', token: 'WLD', max: 10e9, launch: '2023-07-24' },
  { name: 'dYdX', token: 'DYDX', max: 1e9, launch: '2021-09-08' },
  { name: 'Immutable', token: 'IMX', max: 2e9, launch: '2021-11-05' },
];

/** Exchanges with perpetual futures, and how each names a market. */
export const perpVenues: readonly { readonly venue: string; readonly poolName: (symbol: string) => string }[] = [
  { venue: 'Binance', poolName: (symbol) => `${symbol}USDT` },
  { venue: 'Bybit', poolName: (symbol) => `${symbol}USDT` },
  { venue: 'OKX', poolName: (symbol) => `${symbol}-USDT-SWAP` },
  { venue: 'Hyperliquid', poolName: (symbol) => symbol },
  { venue: 'dYdX', poolName: (symbol) => `${symbol}-USD` },
];

/** Roughly by open interest, largest first. */
export const perpSymbols: readonly string[] = ['BTC', 'ETH', 'SOL', 'XRP', 'BNB', 'DOGE', 'ADA', 'AVAX'];

interface EtfFacts {
  readonly asset: string;
  /** The day of the first trade. */
  readonly launch: string;
  /** Roughly by size, largest first. */
  readonly tickers: readonly string[];
}

/** Exchange-traded funds of the United States that hold the asset. */
export const etfFacts: readonly EtfFacts[] = [
  {
    asset: 'BTC',
    launch: '2024-01-11',
    tickers: ['IBIT', 'FBTC', 'GBTC', 'ARKB', 'BITB', 'HODL', 'BRRR', 'EZBC', 'BTCO', 'BTCW'],
  },
  { asset: 'ETH', launch: '2024-07-23', tickers: ['ETHA', 'ETHE', 'FETH', 'ETHW', 'ETHV', 'QETH', 'EZET', 'CETH'] },
];

/** Markets of lending protocols by slug; the first symbols are the deepest. */
export const lendingMarkets: readonly { readonly slug: string; readonly symbols: readonly string[] }[] = [
  { slug: 'aave', symbols: ['WETH', 'USDT', 'USDC', 'WBTC', 'DAI'] },
  { slug: 'morpho', symbols: ['USDC', 'WETH', 'USDT'] },
  { slug: 'spark', symbols: ['WETH', 'DAI', 'USDC'] },
  { slug: 'compound-finance', symbols: ['USDC', 'WETH', 'USDT'] },
  { slug: 'justlend', symbols: ['TRX', 'USDT', 'USDD'] },
  { slug: 'kamino', symbols: ['SOL', 'USDC', 'USDT'] },
  { slug: 'venus-finance', symbols: ['USDT', 'BNB', 'USDC'] },
  { slug: 'suilend', symbols: ['SUI', 'USDC'] },
  { slug: 'navi-protocol', symbols: ['SUI', 'USDC'] },
  { slug: 'benqi', symbols: ['AVAX', 'USDC'] },
];
