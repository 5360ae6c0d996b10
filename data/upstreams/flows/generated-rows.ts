import { DAY_MS, HOUR_MS, isoTime } from '../../../engine/series/index.js';
import { smoothNoise } from '../draws.js';
import { type Chain, type Token, tokens } from '../tokens.js';
import { balanceAt, type Listing, type Movement } from './ledger.js';
import type { CategoryFlow, DexTrade, FlowLabel, HistoricalHolding, RowQuery, TokenFlow } from './port.js';
import {
  type Category,
  categories,
  EXCHANGES,
  groups,
  partyGroup,
  partyNumber,
  transactionHash,
  walletAddress,
  walletLabel,
} from './wallets.js';

/** Groups of wallets by number. */
export const groupsWhere = (isWanted: (label: string, category: Category) => boolean): readonly number[] =>
  groups.flatMap(({ label, category }, group) => (isWanted(label, category) ? [group] : []));

export const smartMoneyGroups = groupsWhere((_, category) => category === 'smart_money');

export const groupsOfLabel: Readonly<Record<FlowLabel | 'all', readonly number[]>> = {
  smart_money: smartMoneyGroups,
  exchange: [EXCHANGES],
  whale: groupsWhere((_, category) => category === 'whales'),
  public_figure: groupsWhere((_, category) => category === 'public_figures'),
  top_100_holders: groupsWhere(
    (label, category) => label === 'Fund' || category === 'whales' || category === 'exchanges',
  ),
  all: groups.map((_, group) => group),
};

/** Groups of smart money with some labels; an empty list includes all. */
export function groupsOfLabels(included: readonly string[] = [], excluded: readonly string[] = []): readonly number[] {
  return smartMoneyGroups.filter((group) => {
    const label = groups[group]?.label ?? '';
    return (included.length === 0 || included.includes(label)) && !excluded.includes(label);
  });
}

export const heldBy = (listing: Listing, wanted: readonly number[], hour: number): number =>
  wanted.reduce((sum, group) => sum + balanceAt(listing, group, hour), 0);

/** Wallets of the groups that hold the token. Some hold none for a while. */
export function holdersCount({ seed }: Listing, wanted: readonly number[], hour: number): number {
  const counts = wanted.map((group) => {
    const share = 0.7 + 0.25 * smoothNoise(seed + group, hour / 200);
    return Math.max(1, Math.round((groups[group]?.wallets ?? 0) * share));
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** At the end of the day, or at now while the day lasts; null for a day without data. */
export function holdingOfDay(listing: Listing, wanted: readonly number[], day: number): HistoricalHolding | null {
  const { token, chain, market } = listing;
  const hour = Math.min((day + 1) * 24, market.endHour) - 1;
  if (hour < day * 24 || hour <= market.firstHour) return null;
  return {
    date: isoTime(day * DAY_MS).slice(0, 10),
    chain,
    token_address: tokenContract(listing),
    token_symbol: token.ticker,
    token_sectors: token.sectors,
    smart_money_labels: wanted.map((group) => groups[group]?.label ?? ''),
    value_usd: heldBy(listing, wanted, hour) * market.closeAt(hour),
    holders_count: holdersCount(listing, wanted, hour),
  };
}

const tokenContract = ({ token, chain }: Listing): string => token.contracts[chain] ?? '';

/** Trades are against USDC where the chain has it, otherwise against USDT. */
function quoteToken(chain: Chain): Token | undefined {
  return ['USDC', 'USDT']
    .map((ticker) => tokens.find((token) => token.ticker === ticker && chain in token.contracts))
    .find((token) => token !== undefined);
}

export function dexTrade(
  listing: Listing,
  { number, timeMs, amount, usd }: Movement,
  trader: number,
  isBuy: boolean,
): DexTrade {
  const { token, chain, seed } = listing;
  const own = { address: tokenContract(listing), symbol: token.ticker, amount };
  const quote = quoteToken(chain);
  const other = { address: quote?.contracts[chain] ?? '', symbol: quote?.ticker ?? 'USD', amount: usd };
  const [bought, sold] = isBuy ? [own, other] : [other, own];
  const address = walletAddress(trader, chain, seed);
  return {
    chain,
    block_timestamp: isoTime(timeMs),
    transaction_hash: transactionHash(chain, seed, number),
    trader_address: address,
    trader_address_label: walletLabel(trader, address),
    action: isBuy ? 'BUY' : 'SELL',
    token_bought_address: bought.address,
    token_bought_symbol: bought.symbol,
    token_bought_amount: bought.amount,
    token_sold_address: sold.address,
    token_sold_symbol: sold.symbol,
    token_sold_amount: sold.amount,
    value_usd: usd,
  };
}

export function flowRow(
  listing: Listing,
  wanted: readonly number[],
  hour: number,
  movements: readonly Movement[],
): TokenFlow {
  const price = listing.market.closeAt(hour);
  const amount = heldBy(listing, wanted, hour);
  const flows = Object.fromEntries(
    categories.map((category) => [category, { inflow_usd: 0, outflow_usd: 0, net_usd: 0 }]),
  ) as Record<Category, { -readonly [K in keyof CategoryFlow]: number }>;
  let inflows = 0;
  let outflows = 0;
  for (const { from, to, usd } of movements) {
    if (wanted.includes(partyGroup(to))) inflows += 1;
    if (wanted.includes(partyGroup(from))) outflows += 1;
    const into = groups[partyGroup(to)]?.category;
    if (into !== undefined) {
      flows[into].inflow_usd += usd;
      flows[into].net_usd += usd;
    }
    const outOf = groups[partyGroup(from)]?.category;
    if (outOf !== undefined) {
      flows[outOf].outflow_usd += usd;
      flows[outOf].net_usd -= usd;
    }
  }
  return {
    date: isoTime(hour * HOUR_MS),
    price_usd: price,
    token_amount: amount,
    value_usd: amount * price,
    holders_count: holdersCount(listing, wanted, hour),
    total_inflows_count: inflows,
    total_outflows_count: outflows,
    ...flows,
  };
}

/** How a group shares its balance: the n-th wallet holds 1/n of what the first one holds. */
const walletShares: readonly (readonly number[])[] = groups.map(({ wallets }) => {
  const weights = Array.from({ length: wallets }, (_, i) => 1 / (i + 1));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
});

export const walletBalances = (
  listing: Listing,
  hour: number,
): { readonly party: number; readonly balance: number }[] =>
  walletShares.flatMap((shares, group) => {
    const balance = balanceAt(listing, group, hour);
    return shares.map((share, i) => ({ party: partyNumber(group, i), balance: balance * share }));
  });

/**
 * What the largest wallets hold together, in tokens. The wallets of a group are in order, so the
 * groups are merged.
 */
export function largestHeld(listing: Listing, hour: number, count: number): number {
  const balances = groups.map((_, group) => balanceAt(listing, group, hour));
  const taken = groups.map(() => 0);
  let sum = 0;
  for (let i = 0; i < count; i++) {
    let best = 0;
    let from = 0;
    for (let group = 0; group < groups.length; group++) {
      // biome-ignore-start lint/style/noNonNullAssertion: one for each group
      const next = balances[group]! * (walletShares[group]![taken[group]!] ?? 0);
      // biome-ignore-end lint/style/noNonNullAssertion: one for each group
      if (next > best) [best, from] = [next, group];
    }
    // biome-ignore lint/style/noNonNullAssertion: one for each group
    taken[from]! += 1;
    sum += best;
  }
  return sum;
}

/** Newest first; of one second, by the hash of the transaction, so that pages are stable. */
export const newestFirst = <R extends { readonly block_timestamp: string; readonly transaction_hash: string }>(
  rows: R[],
) =>
  rows.sort((a, b) =>
    a.block_timestamp === b.block_timestamp
      ? a.transaction_hash < b.transaction_hash
        ? -1
        : 1
      : a.block_timestamp < b.block_timestamp
        ? 1
        : -1,
  );

export const isLabelled = (row: { readonly trader_address_label: string }, label: string): boolean =>
  row.trader_address_label.startsWith(`${label} [`);

/** Filters by the label of a wallet. An empty list means all. */
export function labelRules<R>(hasLabel: (row: R, label: string) => boolean): Readonly<Record<string, FilterRule<R>>> {
  const hasAny = (row: R, value: unknown) => (value as readonly string[]).some((label) => hasLabel(row, label));
  return {
    include_smart_money_labels: (row, value) => (value as readonly string[]).length === 0 || hasAny(row, value),
    exclude_smart_money_labels: (row, value) => !hasAny(row, value),
  };
}

export const tradeRules: Readonly<Record<string, FilterRule<DexTrade>>> = {
  ...labelRules<DexTrade>(isLabelled),
  side: (row, value) => row.action === String(value).toUpperCase(),
  min_amount_usd: (row, value) => isWithin(row.value_usd, { min: value }),
};

type Row = object;
type Cells = Readonly<Record<string, unknown>>;

/** Decides for one filter, by its value, which rows stay. */
type FilterRule<R> = (row: R, value: unknown) => boolean;

/**
 * The rows of one page. A filter that is neither a rule nor a field of the rows changes nothing. A
 * field filters by a value, by a list of values, or by `{min, max}`, both inclusive. Rows that an
 * order leaves equal keep their places.
 */
export function selectRows<R extends Row>(
  rows: readonly R[],
  { filters, orderBy, page, perPage }: RowQuery,
  rules: Readonly<Record<string, FilterRule<R>>> = {},
): R[] {
  let chosen = [...rows];
  for (const [name, value] of Object.entries(filters)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    chosen = chosen.filter((row) => (rule === undefined ? fieldMatches(row, name, value) : rule(row, value)));
  }
  for (const { field, direction } of [...orderBy].reverse()) {
    const sign = direction === 'ASC' ? 1 : -1;
    chosen.sort((a, b) => sign * compared((a as Cells)[field], (b as Cells)[field]));
  }
  return chosen.slice((page - 1) * perPage, page * perPage);
}

function fieldMatches(row: Row, name: string, value: unknown): boolean {
  if (!Object.hasOwn(row, name) || value === null) return true;
  const cell = (row as Cells)[name];
  if (typeof cell === 'number') return isWithin(cell, value);
  const cells = Array.isArray(cell) ? cell : [cell];
  const wanted = Array.isArray(value) ? value : [value];
  return wanted.length === 0 || cells.some((each) => wanted.some((other) => isSame(each, other)));
}

const isSame = (a: unknown, b: unknown): boolean =>
  typeof a === 'string' && typeof b === 'string' ? a.toLowerCase() === b.toLowerCase() : a === b;

/** Whether a number is a value, or lies within `{min, max}`, where either end may be absent. */
function isWithin(cell: number, value: unknown): boolean {
  if (typeof value === 'number') return cell === value;
  if (typeof value !== 'object' || value === null) return true;
  const { min, max } = value as Cells;
  return !(typeof min === 'number' && cell < min) && !(typeof max === 'number' && cell > max);
}

function compared(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  return 0;
}
