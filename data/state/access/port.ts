/** A key counts for one user of one organization and one method. */
export interface IdempotencyScope {
  readonly orgId: string;
  readonly userId: string;
  readonly method: string;
  readonly key: string;
}

/** Times are epoch ms. */
export interface IdempotencyAttempt {
  readonly bodyHash: string;
  readonly leaseId: string;
  readonly nowMs: number;
  readonly leaseEndsMs: number;
}

export type IdempotencyClaim =
  /** The caller runs, and holds the key until it completes, releases it or the lease ends. */
  | { readonly outcome: 'run' }
  | { readonly outcome: 'replay'; readonly answer: Uint8Array }
  /** A twin holds the key. */
  | { readonly outcome: 'in_flight' }
  /** The key was used with another body. */
  | { readonly outcome: 'other_body' };

/**
 * Where keys and answers live. Each method is one step that happens wholly or not at all. Times are
 * epoch ms.
 */
export interface IdempotencyStore {
  /**
   * Takes a key that is free: a new one, or one whose answer or lease ended by `nowMs`. Otherwise
   * says what is in the way: another body first, then the answer, then the lease.
   */
  claim(scope: IdempotencyScope, attempt: IdempotencyAttempt): Promise<IdempotencyClaim>;
  /**
   * Keeps the answer until `expiresAtMs`, if the lease is still the one of this call; false if it
   * is not.
   */
  complete(scope: IdempotencyScope, leaseId: string, answer: Uint8Array, expiresAtMs: number): Promise<boolean>;
  /** Frees the key, if the lease is still the one of this call. */
  release(scope: IdempotencyScope, leaseId: string): Promise<void>;
  /** Forgets answers and leases that ended by `nowMs`; says how many. */
  sweep(nowMs: number): Promise<number>;
}

export interface UsageCount {
  readonly orgId: string;
  readonly resource: string;
  /** A calendar month in UTC, such as `2024-01`. */
  readonly month: string;
}

/**
 * A call of a metered method, as it was counted: once for its meter and once for the counter that
 * this draws from.
 */
export interface CountedUnit {
  readonly orgId: string;
  readonly month: string;
  readonly meter: string;
  readonly counter: string;
}

/** Where the monthly counters live. Each method is one step that happens wholly or not at all. */
export interface UsageStore {
  /**
   * Adds `amount` unless the sum would exceed `max`, and says what is used then; a refusal adds
   * nothing.
   * @param max null: no limit
   */
  addUsage(
    count: UsageCount,
    amount: number,
    max: number | null,
  ): Promise<{ readonly isWithin: boolean; readonly used: number }>;
  /**
   * Adds 1 to the counter, unless it has reached `max`, and to the meter; says what the counter
   * stands at then.
   */
  countUnit(unit: CountedUnit, max: number | null): Promise<{ readonly isWithin: boolean; readonly used: number }>;
  /** Takes a counted unit back. */
  giveBackUnit(unit: CountedUnit): Promise<void>;
  /** What was counted in a month, by counter and meter; one that is absent stands at 0. */
  readMonth(orgId: string, month: string): Promise<Readonly<Record<string, number>>>;
}
