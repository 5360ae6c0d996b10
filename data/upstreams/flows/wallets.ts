import { hash32, noiseText, textHash } from '../draws.js';
import type { Chain } from '../tokens.js';
import { smartMoneyLabels } from './port.js';

export const categories = ['smart_money', 'whales', 'exchanges', 'fresh_wallets', 'public_figures'] as const;
export type Category = (typeof categories)[number];

/** Wallets that act alike: how much of the supply they hold and how they move it. */
interface WalletGroup {
  readonly label: string;
  readonly category: Category;
  readonly wallets: number;
  /** Share of the supply that they hold, about. */
  readonly supplyShare: number;
  /** The wallets move tokens once in so many hours. */
  readonly everyHours: number;
  /** How their balance follows the price of the last three days: its change in log terms. */
  readonly momentum: number;
  /** Random change of the balance at each move, in log terms. */
  readonly noise: number;
  /** Tokens that go in and out again at a move, as a share of what the market trades in an hour. */
  readonly churn: number;
}

const smartMoney = (
  label: string,
  wallets: number,
  supplyShare: number,
  everyHours: number,
  momentum: number,
): WalletGroup => ({
  label,
  category: 'smart_money',
  wallets,
  supplyShare,
  everyHours,
  momentum,
  noise: 0.004,
  churn: 0.01,
});

const [FUND, TRADER, TRADER_30D, TRADER_90D, TRADER_180D] = smartMoneyLabels;

/** Smart money buys into strength, and tokens leave exchanges while the price rises. */
export const groups: readonly WalletGroup[] = [
  smartMoney(FUND, 14, 0.006, 6, 0.08),
  smartMoney(TRADER, 40, 0.002, 4, 0.14),
  smartMoney(TRADER_30D, 30, 0.0008, 6, 0.2),
  smartMoney(TRADER_90D, 24, 0.001, 8, 0.16),
  smartMoney(TRADER_180D, 20, 0.0014, 8, 0.12),
  {
    label: 'Whale',
    category: 'whales',
    wallets: 60,
    supplyShare: 0.08,
    everyHours: 4,
    momentum: 0.01,
    noise: 0.0008,
    churn: 0.03,
  },
  {
    label: 'Fresh Wallet',
    category: 'fresh_wallets',
    wallets: 60,
    supplyShare: 0.002,
    everyHours: 6,
    momentum: 0.25,
    noise: 0.01,
    churn: 0.004,
  },
  {
    label: 'Public Figure',
    category: 'public_figures',
    wallets: 12,
    supplyShare: 0.0006,
    everyHours: 12,
    momentum: 0.05,
    noise: 0.008,
    churn: 0.001,
  },
  {
    label: 'Exchange',
    category: 'exchanges',
    wallets: 8,
    supplyShare: 0.12,
    everyHours: 1,
    momentum: -0.012,
    noise: 0.0004,
    churn: 0.06,
  },
];

/** The last group: what all others send to exchanges or take from them changes its balance too. */
export const EXCHANGES = groups.length - 1;
/** Wallets of no group, and the pools of decentralised exchanges. */
export const OTHERS = groups.length;
export const POOLS = groups.length + 1;

const WALLETS_MAX = 64;
const OTHER_WALLETS = 64;

/** A wallet as one number: its group and its place in the group. */
export const partyNumber = (group: number, wallet: number): number => group * WALLETS_MAX + wallet;
export const partyGroup = (party: number): number => Math.floor(party / WALLETS_MAX);
const partyWallet = (party: number): number => party % WALLETS_MAX;
export const walletCount = (group: number): number => groups[group]?.wallets ?? (group === OTHERS ? OTHER_WALLETS : 1);

const exchangeNames = ['Binance', 'Coinbase', 'Kraken', 'OKX', 'Bybit', 'Bitfinex', 'KuCoin', 'Gemini'];

const poolNames: Readonly<Record<Chain, string | null>> = {
  ethereum: 'Uniswap',
  arbitrum: 'Uniswap',
  avalanche: 'Trader Joe',
  base: 'Aerodrome',
  bitcoin: null,
  bnb: 'PancakeSwap',
  optimism: 'Velodrome',
  polygon: 'QuickSwap',
  solana: 'Raydium',
};

export const hasPools = (chain: Chain): boolean => poolNames[chain] !== null;

/** Name of the owner, where chain analysts would know it. */
export function ownerName(party: number, chain: Chain): string | null {
  const group = partyGroup(party);
  if (group === EXCHANGES) return exchangeNames[partyWallet(party)] ?? null;
  if (group === POOLS) return poolNames[chain];
  const { category, label } = groups[group] ?? {};
  return category === 'smart_money' || category === 'public_figures' ? (label ?? null) : null;
}

const HEX = '0123456789abcdef';
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

/** How a chain writes addresses and hashes of transactions. */
const forms: Readonly<Partial<Record<Chain, { address: [string, string, number]; hash: [string, string, number] }>>> = {
  bitcoin: { address: ['bc1q', BECH32, 38], hash: ['', HEX, 64] },
  solana: { address: ['', BASE58, 44], hash: ['', BASE58, 88] },
};
const evmForm: NonNullable<(typeof forms)[Chain]> = { address: ['0x', HEX, 40], hash: ['0x', HEX, 64] };

const written = ([prefix, alphabet, length]: readonly [string, string, number], seed: number, number: number) =>
  prefix + noiseText(alphabet, length, seed, number);

/** Address of a wallet. Exchanges and pools have the same one for every token of a chain. */
export function walletAddress(party: number, chain: Chain, tokenSeed: number): string {
  const isShared = partyGroup(party) === EXCHANGES || partyGroup(party) === POOLS;
  return written((forms[chain] ?? evmForm).address, hash32(textHash(chain), isShared ? 0 : tokenSeed), party);
}

export const transactionHash = (chain: Chain, seed: number, number: number): string =>
  written((forms[chain] ?? evmForm).hash, hash32(seed, 1), number);

/** Label of a wallet as providers show it: its kind and the first characters of its address. */
export const walletLabel = (party: number, address: string): string =>
  `${groups[partyGroup(party)]?.label ?? 'Wallet'} [${address.slice(0, 8)}]`;
