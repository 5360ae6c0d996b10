import { HOUR_MS } from '../../../engine/series/index.js';
import {
  addressOf,
  EXCHANGES,
  groupOf,
  type Ledger,
  type Listing,
  type Movement,
  ownerOf,
  transactionHash,
} from '../flows/index.js';
import { generated, type Sourced } from '../sourced.js';
import { type Token, tokens } from '../tokens.js';
import type { TransferParty, WhaleQuery, WhalesPort, WhaleTransfer, WhaleTransfers } from './port.js';

/**
 * The port of large transfers without a provider: the large ones of the generated transfers from
 * which token flows are computed too, so both agree.
 */
export class HeldWhales implements WhalesPort {
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  nowMs(token: Token | null): Promise<number> {
    return this.#ledger.nowMs(token === null ? tokens : [token]);
  }

  /** The window of each token ends with the last bar of its own market. */
  async transfers({ token, usdMin, backMs }: WhaleQuery): Promise<Sourced<WhaleTransfers>> {
    const listings = await this.#ledger.listings(token === null ? tokens : [token]);
    const large: { readonly listing: Listing; readonly movement: Movement }[] = [];
    for (const listing of listings) {
      const toMs = listing.market.endHour * HOUR_MS;
      for (const movement of this.#ledger.movements(listing, { fromMs: toMs - backMs, toMs })) {
        if (movement.usd >= usdMin) large.push({ listing, movement });
      }
    }
    large.sort((a, b) => b.movement.timeMs - a.movement.timeMs);
    const transfers = large.map(({ listing, movement }) => new GeneratedTransfer(listing, movement));
    return generated({ transfers, isComplete: true });
  }
}

/** Writes out addresses and hashes only when they are read: most callers only add amounts up. */
class GeneratedTransfer implements WhaleTransfer {
  readonly #listing: Listing;
  readonly #movement: Movement;

  constructor(listing: Listing, movement: Movement) {
    this.#listing = listing;
    this.#movement = movement;
  }

  get hash(): string {
    return transactionHash(this.#listing.chain, this.#listing.seed, this.#movement.number);
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
    return addressOf(this.#party, this.#listing.chain, this.#listing.seed);
  }
  get owner(): string | null {
    return ownerOf(this.#party, this.#listing.chain);
  }
  get isExchange(): boolean {
    return groupOf(this.#party) === EXCHANGES;
  }
}
