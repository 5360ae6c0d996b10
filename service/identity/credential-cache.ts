import { LRUCache } from 'lru-cache';
import { afterCommit } from '../../data/state/index.js';
import type { Caller } from '../caller.js';
import type { State } from '../state/tables.js';
import type { WallClock } from '../wall-clock.js';

/**
 * A change that invalidates credentials before they expire: one of them is revoked, a user's role
 * or organization changes, or the tier of an organization.
 */
export type CredentialChange =
  | { readonly kind: 'credential'; readonly id: string }
  | { readonly kind: 'user'; readonly id: string }
  | { readonly kind: 'organization'; readonly id: string };

/** The field of a caller that a change names, by its kind. */
const changed = { credential: 'credentialId', user: 'userId', organization: 'orgId' } as const satisfies Readonly<
  Record<CredentialChange['kind'], keyof Caller>
>;

/** Whether this version knows a kind of change; another version may have sent it. */
const isKindOfChange = (kind: string): kind is CredentialChange['kind'] => Object.hasOwn(changed, kind);

export interface VerifiedCredential {
  readonly caller: Caller;
  readonly expiresAtMs: number;
  /** Last use that the store knows of; only for keys. */
  lastUsedAtMs: number;
}

/**
 * Longest time that another process may trust a revoked credential if the notice of its revocation
 * was lost.
 */
export const CACHE_MS_MAX = 30_000;
const CREDENTIALS_MAX = 10_000;

/** Recently verified credentials, by the hash of their text. A change removes them at once. */
export class CredentialCache {
  readonly #entries: LRUCache<string, VerifiedCredential>;
  readonly #onCredentialRevoked: (change: CredentialChange) => Promise<void>;
  #changes = 0;
  #hits = 0;
  #misses = 0;
  #isDeaf = false;

  /** @param onCredentialRevoked notifies the other processes, which then call `drop` */
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
    const found = this.#entries.get(hash);
    if (found === undefined) this.#misses++;
    else this.#hits++;
    return found;
  }

  /** Its use since the start of the process; entries are counted, not weighed. */
  use() {
    return { entries: this.#entries.size, bytes: null, hits: this.#hits, misses: this.#misses };
  }

  /** Read it before a look-up and pass it to `put`. */
  get changes(): number {
    return this.#changes;
  }

  /**
   * Keeps a credential unless any change arrived during the look-up, since it may concern this one.
   */
  put(hash: string, credential: VerifiedCredential, changesBefore: number): void {
    if (this.#changes === changesBefore && !this.#isDeaf) this.#entries.set(hash, credential);
  }

  /**
   * Applies a change made by this process, which must already be stored, though perhaps not yet
   * committed. Resolves when the other processes were notified, or will be with the commit.
   */
  async revoked(change: CredentialChange): Promise<void> {
    afterCommit(() => this.drop(change));
    await this.#onCredentialRevoked(change);
  }

  /** Applies a change made by another process. */
  drop({ kind, id }: CredentialChange): void {
    this.#changes++;
    const field = changed[kind];
    for (const [hash, { caller }] of this.#entries.entries()) {
      if (caller[field] === id) this.#entries.delete(hash);
    }
  }

  /** Drops all credentials, when something unknown has changed. */
  clear(): void {
    this.#changes++;
    this.#entries.clear();
  }

  /**
   * While changes elsewhere may go unnoticed, the cache keeps nothing, so every request asks the
   * store.
   */
  setDeaf(isDeaf: boolean): void {
    this.#isDeaf = isDeaf;
    this.clear();
  }
}

const CHANNEL = 'barline_credentials';

/**
 * A credential cache that tells the other processes on the state what this one revokes, and drops
 * what they revoke.
 */
export async function sharedCredentialCache(state: State, clock: () => number): Promise<CredentialCache> {
  const cache = new CredentialCache(clock, (change) => state.notify(CHANNEL, JSON.stringify(change)));
  await state.listen(CHANNEL, {
    onNotice: (text) => {
      const change = readChange(text);
      if (change === null) cache.clear();
      else cache.drop(change);
    },
    onDeaf: () => cache.setDeaf(true),
    onHearing: () => cache.setDeaf(false),
  });
  return cache;
}

/** Null for a notice that this version does not understand. */
function readChange(text: string): CredentialChange | null {
  try {
    const { kind, id } = JSON.parse(text) as CredentialChange;
    return isKindOfChange(kind) && typeof id === 'string' ? { kind, id } : null;
  } catch {
    return null;
  }
}
