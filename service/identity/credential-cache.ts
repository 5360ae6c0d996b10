import { LRUCache } from 'lru-cache';
import type { Caller } from '../caller.js';
import type { WallClock } from '../wall-clock.js';

/**
 * What makes credentials invalid before their time: one of them is revoked, or a user's role or
 * organization changes.
 */
export type CredentialChange =
  | { readonly kind: 'credential'; readonly id: string }
  | { readonly kind: 'user'; readonly id: string };

export interface VerifiedCredential {
  readonly caller: Caller;
  readonly expiresAtMs: number;
  /** Last use that the store knows of; of keys only. */
  lastUsedAtMs: number;
}

/**
 * How long another process may believe a credential when word of its revocation got lost without a
 * trace.
 */
export const CACHE_MS_MAX = 30_000;
const CREDENTIALS_MAX = 10_000;

/** Credentials verified lately, by the hash of their text. A change takes them out at once. */
export class CredentialCache {
  readonly #entries: LRUCache<string, VerifiedCredential>;
  readonly #onCredentialRevoked: (change: CredentialChange) => Promise<void>;
  #changes = 0;
  #isDeaf = false;

  /** @param onCredentialRevoked tells the other processes, which then call `drop` */
  constructor(clock: WallClock, onCredentialRevoked: (change: CredentialChange) => Promise<void> = async () => {}) {
    this.#entries = new LRUCache({
      max: CREDENTIALS_MAX,
      ttl: CACHE_MS_MAX,
      ttlResolution: 0,
      perf: { now: clock },
    });
    this.#onCredentialRevoked = onCredentialRevoked;
  }

  get(hash: string): VerifiedCredential | undefined {
    return this.#entries.get(hash);
  }

  /** Ask for it before looking a credential up, and hand it to `put`. */
  get changes(): number {
    return this.#changes;
  }

  /**
   * Keeps a credential unless something changed since the look-up began: it may have been this one.
   */
  put(hash: string, credential: VerifiedCredential, changesBefore: number): void {
    if (this.#changes === changesBefore && !this.#isDeaf) this.#entries.set(hash, credential);
  }

  /**
   * A change made by this process; the store must know of it already. Resolves when the others have
   * been told.
   */
  async revoked(change: CredentialChange): Promise<void> {
    this.drop(change);
    await this.#onCredentialRevoked(change);
  }

  /** A change heard of from another process. */
  drop({ kind, id }: CredentialChange): void {
    this.#changes++;
    for (const [hash, { caller }] of this.#entries.entries()) {
      if ((kind === 'credential' ? caller.credentialId : caller.userId) === id) this.#entries.delete(hash);
    }
  }

  /** Forgets all of them: something changed, and nobody knows what. */
  clear(): void {
    this.#changes++;
    this.#entries.clear();
  }

  /**
   * While changes elsewhere may go unheard nothing is kept, so that each request asks the store.
   */
  setDeaf(isDeaf: boolean): void {
    this.#isDeaf = isDeaf;
    this.clear();
  }
}
