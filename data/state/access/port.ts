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
  /** Name of the process. */
  readonly holder: string;
  readonly nowMs: number;
  readonly leaseEndsMs: number;
  /** When the key is forgotten if it never gets an answer. */
  readonly endsMs: number;
  /** A lease to take although it has not ended, since its holder is dead. */
  readonly deadLeaseId?: string | undefined;
}

export type IdempotencyClaim =
  /** The caller runs. It holds the key until it completes or releases it, or its lease ends. */
  | {
      readonly outcome: 'run';
      /** What attempts with the same body that did not end have done, by the name of the step. */
      readonly steps: Readonly<Record<string, unknown>>;
    }
  | { readonly outcome: 'replay'; readonly answer: Uint8Array }
  /** Another call with the same key and body is still running. */
  | { readonly outcome: 'in_flight'; readonly leaseId: string; readonly holder: string | null }
  /** The key was used with another body. */
  | { readonly outcome: 'other_body' };

/**
 * The store of idempotency keys and their answers. Each method is atomic, and part of the unit of
 * work of its caller. Times are epoch ms.
 */
export interface IdempotencyStore {
  /**
   * Takes a free key: a new one, or one whose answer or lease ended by `nowMs`. Otherwise the
   * outcome says why not: another body first, then the answer, then the lease.
   */
  claim(scope: IdempotencyScope, attempt: IdempotencyAttempt): Promise<IdempotencyClaim>;
  /** Extends the lease. False, like all that follow, without effect if the call has lost it. */
  hold(scope: IdempotencyScope, leaseId: string, leaseEndsMs: number): Promise<boolean>;
  /** Keeps the value of a step, which must survive JSON. */
  record(scope: IdempotencyScope, leaseId: string, step: string, value: unknown): Promise<boolean>;
  /** Stores the answer until `expiresAtMs`. */
  complete(scope: IdempotencyScope, leaseId: string, answer: Uint8Array, expiresAtMs: number): Promise<boolean>;
  /** Frees the key and forgets its steps. */
  release(scope: IdempotencyScope, leaseId: string): Promise<boolean>;
  /** Frees the key for the next attempt, which gets the steps but `undone`. */
  suspend(scope: IdempotencyScope, leaseId: string, undone: string): Promise<boolean>;
  /** Deletes answers and keys that ended by `nowMs`. @returns how many */
  sweep(nowMs: number): Promise<number>;
}

export interface UsageCount {
  readonly orgId: string;
  readonly resource: string;
  /** A calendar month in UTC, such as `2024-01`. */
  readonly month: string;
}

/** What an amount is counted for, and until when that is remembered (epoch ms). */
export interface CountedOnce {
  readonly scope: IdempotencyScope;
  readonly endsMs: number;
}

/**
 * A counted call of a metered method: it counts once for its meter and once for the counter on
 * which the limit is set.
 */
export interface CountedUnit {
  readonly orgId: string;
  readonly month: string;
  readonly meter: string;
  readonly counter: string;
}

/** The store of monthly counters. Each method is atomic. */
export interface UsageStore {
  /**
   * Adds `amount` unless the sum would exceed `max`. A refusal adds nothing.
   * @param max null: no limit
   * @returns `used`, the count afterwards
   */
  addUsage(
    count: UsageCount,
    amount: number,
    max: number | null,
  ): Promise<{ readonly isWithin: boolean; readonly used: number }>;
  /**
   * Adds like `addUsage`, but once for a key, however often it is called until `endsMs`. A refusal
   * leaves the key free.
   */
  addUsageOnce(
    count: UsageCount,
    amount: number,
    max: number | null,
    once: CountedOnce,
  ): Promise<{ readonly isWithin: boolean; readonly used: number }>;
  /**
   * Adds 1 to the meter and to the counter, unless the counter has reached `max`.
   * @returns `used`, the counter afterwards
   */
  countUnit(unit: CountedUnit, max: number | null): Promise<{ readonly isWithin: boolean; readonly used: number }>;
  /** Undoes `countUnit`. */
  giveBackUnit(unit: CountedUnit): Promise<void>;
  /** The counts of a month, by counter and meter; an absent one is 0. */
  readMonth(orgId: string, month: string): Promise<Readonly<Record<string, number>>>;
}
