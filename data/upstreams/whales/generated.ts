import { LRUCache } from 'lru-cache';
import { DAY_MS, HOUR_MS } from '../../../engine/series/index.js';
import {
  EXCHANGES,
  type Ledger,
  type Listing,
  type Movement,
  ownerName,
  partyGroup,
  transactionHash,
  walletAddress,
} from '../flows/index.js';
import { generated, type Sourced } from '../sourced.js';
import { type Token, tokens } from '../tokens.js';
import type { TransferParty, WhaleQuery, WhalesPort, WhaleTransfer, WhaleTransfers } from './port.js';

/** Days of transfers that are kept, of one token or of all: a day of all takes less than a MB. */
const DAYS_KEPT = 100;

/**
 * The port of large transfers without a provider: the large ones of the generated transfers from
 * which token flows are computed too, so both agree.
 */
export class GeneratedWhales implements WhalesPort {
  readonly #ledger: Ledger;
  /** The transfers of a day, newest first, by the markets that they are drawn from. */
  readonly #days = new LRUCache<string, readonly GeneratedTransfer[]>({ max: DAYS_KEPT });

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  nowMs(token: Token | null): Promise<number> {
    return this.#ledger.nowMs(token === null ? tokens : [token]);
  }

  /** The window of each token ends with the last bar of its own market. */
  async transfers({ token, usdMin, backMs }: WhaleQuery): Promise<Sourced<WhaleTransfers>> {
    const listings = await this.#ledger.listings(token === null ? tokens : [token]);
    const ends = listings.map(({ market }) => market.endHour * HOUR_MS);
    const fromMs = Math.min(...ends) - backMs;
    const transfers: GeneratedTransfer[] = [];
    for (let day = Math.ceil(Math.max(...ends) / DAY_MS) - 1; (day + 1) * DAY_MS > fromMs; day--) {
      for (const transfer of this.#day(listings, day)) {
        if (transfer.amountUsd >= usdMin && transfer.isWithin(backMs)) transfers.push(transfer);
      }
    }
    return generated({ transfers, isComplete: true }, Math.max(...ends));
  }

  #day(listings: readonly Listing[], day: number): readonly GeneratedTransfer[] {
    const key = `${day} ${listings.map(({ chain, market }) => `${chain} ${market.key}`).join()}`;
    const kept = this.#days.get(key);
    if (kept !== undefined) return kept;
    const window = { fromMs: day * DAY_MS, toMs: (day + 1) * DAY_MS };
    const all = listings.flatMap((listing) =>
      Array.from(this.#ledger.movements(listing, window), (movement) => new GeneratedTransfer(listing, movement)),
    );
    all.sort((a, b) => b.timeMs - a.timeMs);
    this.#days.set(key, all);
    return all;
  }
}

/** Writes out addresses and hashes only when they are read: most callers only add amounts up. */
class GeneratedTransfer implements WhaleTransfer {
  readonly #listing: Listing;
  readonly #movement: Movement;
  #hash: string | null = null;

  constructor(listing: Listing, movement: Movement) {
    this.#listing = listing;
    this.#movement = movement;
  }

  /** Whether it lies in the window of this length that ends with the bars of its token. */
  isWithin(backMs: number): boolean {
    return this.#movement.timeMs >= this.#listing.market.endHour * HOUR_MS - backMs;
  }

  get hash(): string {
    this.#hash ??= transactionHash(this.#listing.chain, this.#listing.seed, this.#movement.number);
    return this.#hash;
  }
  get blockchain(): string {
    return this.#listing.chain;
  }
  get symbol(): string {
    return this.#listing.token.ticker;
  }
  get amount(): number {
    return this.#movement.amount;
  }
  get amountUsd(): number {
    return this.#movement.usd;
  }
  get timeMs(): number {
    return this.#movement.timeMs;
  }
  get from(): TransferParty {
    return new GeneratedParty(this.#listing, this.#movement.from);
  }
  get to(): TransferParty {
    return new GeneratedParty(this.#listing, this.#movement.to);
  }
}

class GeneratedParty implements TransferParty {
  readonly #listing: Listing;
  readonly #party: number;

  constructor(listing: Listing, party: number) {
    this.#listing = listing;
    this.#party = party;
  }

  get address(): string {
    return walletAddress(this.#party, this.#listing.chain, this.#listing.seed);
  }
  get owner(): string | null {
    return ownerName(this.#party, this.#listing.chain);
  }
  get isExchange(): boolean {
    return partyGroup(this.#party) === EXCHANGES;
  }
}
