import { LRUCache } from 'lru-cache';
import { HOUR_MS } from '../../../engine/series/index.js';
import { hash32, smoothNoise, textHash, uniform } from '../draws.js';
import { type HourlyMarket, type HourlyMarkets, marketSize } from '../hourly-market.js';
import type { HeldSpan } from '../sourced.js';
import { type Chain, type Token, tokenChains } from '../tokens.js';
import { EXCHANGES, groups, hasPools, OTHERS, POOLS, partyGroup, partyNumber, walletCount } from './wallets.js';

/** A token on one chain, and its market. */
export interface Listing {
  readonly token: Token;
  readonly chain: Chain;
  readonly market: HourlyMarket;
  /** Tokens on this chain. */
  readonly supply: number;
  /** Share of the token's supply. */
  readonly share: number;
  readonly seed: number;
  /** How strongly balances change: more in smaller markets. */
  readonly swing: number;
  /** By group, the balance after its move that was asked for last. Neighbouring hours share it. */
  readonly moves: readonly { hour: number; balance: number }[];
}

/** One transfer from a wallet to another. */
export interface Movement {
  /** The same number never names two movements of a listing. */
  readonly number: number;
  readonly timeMs: number;
  /** In tokens. */
  readonly amount: number;
  readonly usd: number;
  /** Wallets as `partyNumber` numbers them. */
  readonly from: number;
  readonly to: number;
}

/** Weights of the chains of a token, the main one first; they are scaled to a sum of 1. */
const chainWeights = [1, 0.12, 0.06, 0.04, 0.03];
/** The same for a coin with its own chain; other chains hold only its wrapped form. */
const ownChainWeights = [1, 0.008, 0.001, 0.003];

/** In USD. Markets below it swing more. */
const LARGE_MARKET_USD = 1e11;
const SWING_MAX = 6;

const DAY_HOURS = 24;
/** A day of one listing has about a hundred movements. */
const DAYS_KEPT = 4_000;
const MOMENTUM_HOURS = 72;
/** Balances wander off by so many times their noise, over about so many hours. */
const WANDER = 20;
const WANDER_HOURS = 1_000;
/** Amounts below it are not worth a transfer. */
const DUST_USD = 1;
const MOVEMENTS_PER_HOUR_MAX = 256;

/**
 * The generated books of every token: what each group of wallets holds at the end of each hour, and
 * the transfers that lead from one hour to the next. Balances and transfers agree to the token, so
 * every figure computed from either agrees with all others. Both follow from a seed, the hour and
 * the price of the token alone, so they are the same in every window that a caller asks for.
 */
export class Ledger {
  readonly #markets: HourlyMarkets;
  readonly #days = new LRUCache<string, readonly Movement[]>({ max: DAYS_KEPT });

  constructor(markets: HourlyMarkets) {
    this.#markets = markets;
  }

  markets(tokens: readonly Token[]): Promise<HourlyMarket[]> {
    return this.#markets.of(tokens);
  }

  /** What counts as now, epoch ms: the latest of the tokens' markets. */
  async nowMs(tokens: readonly Token[]): Promise<number> {
    return HOUR_MS * Math.max(...(await this.markets(tokens)).map(({ endHour }) => endHour));
  }

  /** From the first hour of the tokens' markets to the end of the last. */
  async span(tokens: readonly Token[]): Promise<HeldSpan> {
    const markets = await this.markets(tokens);
    return {
      firstMs: HOUR_MS * Math.min(...markets.map(({ firstHour }) => firstHour)),
      lastMs: HOUR_MS * Math.max(...markets.map(({ endHour }) => endHour)),
    };
  }

  /** One listing per token and chain that has it; all chains by default. */
  async listings(tokens: readonly Token[], chains?: readonly Chain[]): Promise<Listing[]> {
    const markets = await this.markets(tokens);
    return tokens.flatMap((token, i) => {
      const on = tokenChains(token).filter((chain) => chains === undefined || chains.includes(chain));
      // biome-ignore lint/style/noNonNullAssertion: one market for each token
      return on.map((chain) => makeListing(token, chain, markets[i]!));
    });
  }

  /** Transfers in a window, the oldest first; none after the market's now. */
  *movements(listing: Listing, { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }) {
    const { firstHour, endHour } = listing.market;
    const from = Math.max(fromMs, firstHour * HOUR_MS);
    const to = Math.min(toMs, endHour * HOUR_MS);
    const dayMs = DAY_HOURS * HOUR_MS;
    for (let day = Math.floor(from / dayMs); day * dayMs < to; day++) {
      for (const movement of this.#day(listing, day)) {
        if (movement.timeMs >= from && movement.timeMs < to) yield movement;
      }
    }
  }

  #day(listing: Listing, day: number): readonly Movement[] {
    const { token, chain, market } = listing;
    const key = `${token.ticker} ${chain} ${day} ${market.key}`;
    const kept = this.#days.get(key);
    if (kept !== undefined) return kept;
    const movements: Movement[] = [];
    const first = Math.max(day * DAY_HOURS, market.firstHour + 1);
    const end = Math.min((day + 1) * DAY_HOURS, market.endHour);
    for (let hour = first; hour < end; hour++) movements.push(...movementsOfHour(listing, hour));
    this.#days.set(key, movements);
    return movements;
  }
}

function makeListing(token: Token, chain: Chain, market: HourlyMarket): Listing {
  const on = tokenChains(token);
  const weights = (token.contracts[on[0] as Chain] === null ? ownChainWeights : chainWeights).slice(0, on.length);
  const share = (weights[on.indexOf(chain)] ?? 0) / weights.reduce((sum, weight) => sum + weight, 0);
  const { supply, priceUsd } = marketSize(token);
  const swing = Math.min(SWING_MAX, Math.max(1, (LARGE_MARKET_USD / (supply * priceUsd * share)) ** 0.25));
  return {
    token,
    chain,
    market,
    supply: supply * share,
    share,
    seed: textHash(`${token.ticker} ${chain}`),
    swing,
    moves: groups.map(() => ({ hour: Number.NaN, balance: 0 })),
  };
}

/**
 * What a group holds at the end of an hour, in tokens. The balance changes only in the hours in
 * which the group moves.
 */
export function balanceAt(listing: Listing, group: number, hour: number): number {
  // biome-ignore lint/style/noNonNullAssertion: one for each group
  const move = listing.moves[group]!;
  const movedHour = lastMove(listing, group, hour);
  if (move.hour !== movedHour) {
    move.hour = movedHour;
    move.balance = balanceAfterMove(listing, group, movedHour);
  }
  return move.balance;
}

/** The last hour up to `hour` in which the group moved tokens. */
function lastMove({ seed }: Listing, group: number, hour: number): number {
  // biome-ignore lint/style/noNonNullAssertion: a number of a group
  const { everyHours } = groups[group]!;
  const turn = Math.floor(hour / everyHours);
  const moveOf = (each: number): number => each * everyHours + (hash32(seed, group, each) % everyHours);
  return moveOf(turn) <= hour ? moveOf(turn) : moveOf(turn - 1);
}

function balanceAfterMove({ market, supply, seed, swing }: Listing, group: number, hour: number): number {
  // biome-ignore lint/style/noNonNullAssertion: a number of a group
  const { supplyShare, momentum, noise } = groups[group]!;
  const at = Math.max(hour, market.firstHour);
  const before = Math.max(at - MOMENTUM_HOURS, market.firstHour);
  const trend = Math.log(market.closeAt(at) / market.closeAt(before));
  const random = WANDER * smoothNoise(hash32(seed, group, 7), at / WANDER_HOURS) + 2 * uniform(seed, group, at) - 1;
  return supply * supplyShare * Math.exp(noise * swing * random + momentum * trend);
}

/** The transfers of one hour. They change the balance of every group by what `balanceAt` says. */
function movementsOfHour(listing: Listing, hour: number): Movement[] {
  const draft = new HourDraft(listing, hour);
  for (let group = 0; group < EXCHANGES; group++) {
    if (lastMove(listing, group, hour) === hour) draft.move(group, draft.change(group));
  }
  draft.move(EXCHANGES, draft.change(EXCHANGES) - draft.netIntoExchanges);
  return draft.movements.sort((a, b) => a.timeMs - b.timeMs || a.number - b.number);
}

class HourDraft {
  readonly movements: Movement[] = [];
  /** What other groups have sent to exchanges, less what they took, in tokens. */
  netIntoExchanges = 0;
  readonly #listing: Listing;
  readonly #hour: number;
  readonly #openPrice: number;
  readonly #closePrice: number;
  readonly #seed: number;
  #draws = 0;

  constructor(listing: Listing, hour: number) {
    this.#listing = listing;
    this.#hour = hour;
    this.#openPrice = listing.market.closeAt(hour - 1);
    this.#closePrice = listing.market.closeAt(hour);
    this.#seed = hash32(listing.seed, hour);
  }

  change(group: number): number {
    const before = balanceAt(this.#listing, group, this.#hour - 1);
    return balanceAt(this.#listing, group, this.#hour) - before;
  }

  /** Moves `net` tokens into a group, or out of it, and some in and out again. */
  move(group: number, net: number): void {
    const { market, share, swing } = this.#listing;
    // biome-ignore lint/style/noNonNullAssertion: a number of a group
    const { churn } = groups[group]!;
    const churned =
      this.#draw() < 0.5
        ? (market.volumeUsdAt(this.#hour) / this.#closePrice) * share * churn * swing * this.#draw() ** 2
        : 0;
    this.#send(group, Math.max(net, 0) + churned, true);
    this.#send(group, Math.max(-net, 0) + churned, false);
  }

  #send(group: number, amount: number, isInto: boolean): void {
    if (amount * this.#closePrice < DUST_USD) return;
    const part = this.#draw() < 0.3 ? 0.2 + 0.6 * this.#draw() : 1;
    this.#transfer(group, amount * part, isInto);
    if (part < 1) this.#transfer(group, amount * (1 - part), isInto);
  }

  #transfer(group: number, amount: number, isInto: boolean): void {
    const other = this.#counterparty(group);
    if (group !== EXCHANGES && partyGroup(other) === EXCHANGES) this.netIntoExchanges += isInto ? -amount : amount;
    const own = partyNumber(group, this.#wallet(group));
    const into = this.#draw();
    const price = this.#openPrice + (this.#closePrice - this.#openPrice) * into;
    this.movements.push({
      number: this.#hour * MOVEMENTS_PER_HOUR_MAX + this.movements.length,
      timeMs: Math.floor((this.#hour + into) * 3_600) * 1_000,
      amount,
      usd: amount * price,
      from: isInto ? other : own,
      to: isInto ? own : other,
    });
  }

  #counterparty(group: number): number {
    const at = this.#draw();
    if (group !== EXCHANGES && at < 0.5) return partyNumber(EXCHANGES, this.#wallet(EXCHANGES));
    if (group !== EXCHANGES && at < 0.9 && hasPools(this.#listing.chain)) return partyNumber(POOLS, 0);
    return partyNumber(OTHERS, this.#wallet(OTHERS));
  }

  /** The first wallets of a group move more often. */
  #wallet(group: number): number {
    return Math.floor(walletCount(group) * this.#draw() ** 1.5);
  }

  #draw(): number {
    this.#draws += 1;
    return uniform(this.#seed, this.#draws);
  }
}
