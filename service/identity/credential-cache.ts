import { LRUCache } from 'lru-cache';
import type { Caller } from '../caller.js';
import type { WallClock } from '../wall-clock.js';

/** What makes credentials invalid before their time: one of them is revoked, or a user's role or organization changes. */
export type CredentialChange =
  | { readonly kind: 'credential'; readonly id: string }
  | { readonly kind: 'user'; readonly id: string };

export interface VerifiedCredential {
  readonly caller: Caller;
  readonly expiresAtMs: number;
  /** Last use that the store knows of; of keys only. */
  lastUsedAtMs: number;
}

/** How long another process may believe a credential when word of its revocation got lost. */
export const CACHE_MS_MAX = 30_000;
const CREDENTIALS_MAX = 10_000;

/** Credentials verified lately, by the hash of their text. A change takes them out at once. */
export class CredentialCache {
  readonly #entries: LRUCache<string, VerifiedCredential>;
  readonly #onCredentialRevoked: (change: CredentialChange) => void;
  #changes = 0;

  /** @param onCredentialRevoked tells the other processes, which then call `drop` */
  constructor(clock: WallClock, onCredentialRevoked: (change: CredentialChange) => void = () => {}) {
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

  /** Keeps a credential unless something changed since the look-up began: it may have been this one. */
  put(hash: string, credential: VerifiedCredential, changesBefore: number): void {
    if (this.#changes === changesBefore) this.#entries.set(hash, credential);
  }

  /** A change made by this process; the store must know of it already. */
  revoked(change: CredentialChange): void {
    this.drop(change);
    this.#onCredentialRevoked(change);
  }

  /** A change heard of from another process. */
  drop({ kind, id }: CredentialChange): void {
    this.#changes++;
    for (const [hash, { caller }] of this.#entries.entries()) {
      if ((kind === 'credential' ? caller.credentialId : caller.userId) === id) this.#entries.delete(hash);
    }
  }
}
