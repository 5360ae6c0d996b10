import { type Expression, type ExpressionBuilder, type SqlBool, sql, type UpdateObject } from 'kysely';
import type { Database, StateSchema } from '../state/tables.js';
import type { IdempotencyKeyTable } from './tables.js';

/** A key counts for one user of one organization and one method. */
export interface IdempotencyScope {
  readonly orgId: string;
  readonly userId: string;
  readonly method: string;
  readonly key: string;
}

/** Times are epoch ms. */
interface IdempotencyAttempt {
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

type Change = UpdateObject<StateSchema, 'idempotency_keys'>;

/**
 * Idempotency keys with their leases, steps and answers. Each method is atomic, and part of the unit
 * of work of its caller. Times are epoch ms.
 */
export class SqlIdempotencyStore {
  constructor(private readonly db: Database) {}

  /**
   * Takes a free key: a new one, or one whose answer or lease ended by `nowMs`. Otherwise the
   * outcome says why not: another body first, then the answer, then the lease.
   */
  async claim(scope: IdempotencyScope, attempt: IdempotencyAttempt): Promise<IdempotencyClaim> {
    const { bodyHash, leaseId, holder, nowMs, leaseEndsMs, endsMs, deadLeaseId = null } = attempt;
    const lease = { lease_id: leaseId, lease_holder: holder, lease_until_ms: leaseEndsMs };
    const taken = { body_hash: bodyHash, ...lease, answer: null, ends_at_ms: endsMs };
    const row = await this.db
      .insertInto('idempotency_keys')
      .values({ ...keyColumns(scope), ...taken })
      .onConflict((conflict) =>
        conflict
          .columns(['org_id', 'user_id', 'method', 'key'])
          .doUpdateSet({
            ...taken,
            // What another request has done, or one that has ended, is not done of this one.
            steps: sql<string>`case when idempotency_keys.answer is null
              and idempotency_keys.body_hash = excluded.body_hash then idempotency_keys.steps else '{}' end`,
          })
          .where(({ and, or, eb }) =>
            or([
              eb('idempotency_keys.ends_at_ms', '<=', nowMs),
              and([
                eb('idempotency_keys.answer', 'is', null),
                or([
                  eb('idempotency_keys.lease_until_ms', '<=', nowMs),
                  eb('idempotency_keys.lease_id', '=', deadLeaseId),
                ]),
              ]),
            ]),
          ),
      )
      .returning('steps')
      .executeTakeFirst();
    if (row !== undefined) return { outcome: 'run', steps: row.steps };
    const found = this.db.selectFrom('idempotency_keys').where(({ and }) => and(keyColumns(scope)));
    const held = await found.select(['body_hash', 'answer', 'lease_id', 'lease_holder']).executeTakeFirst();
    // Another call has just released the key.
    if (held === undefined) return this.claim(scope, attempt);
    if (held.body_hash !== bodyHash) return { outcome: 'other_body' };
    return held.answer === null
      ? { outcome: 'in_flight', leaseId: held.lease_id, holder: held.lease_holder }
      : { outcome: 'replay', answer: held.answer };
  }

  /** Extends the lease. False, like all that follow, without effect if the call has lost it. */
  hold(scope: IdempotencyScope, leaseId: string, leaseEndsMs: number): Promise<boolean> {
    return this.#change(scope, leaseId, { lease_until_ms: leaseEndsMs });
  }

  /** Keeps the value of a step, which must survive JSON. */
  record(scope: IdempotencyScope, leaseId: string, step: string, value: unknown): Promise<boolean> {
    const entry = JSON.stringify({ [step]: value ?? null });
    return this.#change(scope, leaseId, { steps: sql<string>`steps || ${entry}::jsonb` });
  }

  /** Stores the answer until `expiresAtMs`. */
  complete(scope: IdempotencyScope, leaseId: string, answer: Uint8Array, expiresAtMs: number): Promise<boolean> {
    return this.#change(scope, leaseId, { answer, ends_at_ms: expiresAtMs });
  }

  /** Frees the key and forgets its steps. */
  async release(scope: IdempotencyScope, leaseId: string): Promise<boolean> {
    const { numDeletedRows } = await this.db
      .deleteFrom('idempotency_keys')
      .where(isHeld(scope, leaseId))
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  /** Frees the key for the next attempt, which gets the steps but `undone`. */
  suspend(scope: IdempotencyScope, leaseId: string, undone: string): Promise<boolean> {
    return this.#change(scope, leaseId, { lease_until_ms: 0, steps: sql<string>`steps - ${undone}::text` });
  }

  /** Deletes answers and keys that ended by `nowMs`. @returns how many */
  async sweep(nowMs: number): Promise<number> {
    const { numDeletedRows } = await this.db
      .deleteFrom('idempotency_keys')
      .where('ends_at_ms', '<=', nowMs)
      .executeTakeFirst();
    return Number(numDeletedRows);
  }

  async #change(scope: IdempotencyScope, leaseId: string, change: Change): Promise<boolean> {
    const { numUpdatedRows } = await this.db
      .updateTable('idempotency_keys')
      .set(change)
      .where(isHeld(scope, leaseId))
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }
}

const isHeld =
  (scope: IdempotencyScope, leaseId: string) =>
  ({ and, eb }: ExpressionBuilder<StateSchema, 'idempotency_keys'>): Expression<SqlBool> =>
    and([and(keyColumns(scope)), eb('lease_id', '=', leaseId), eb('answer', 'is', null)]);

/** The columns that a key is found by. */
export const keyColumns = ({
  orgId,
  userId,
  method,
  key,
}: IdempotencyScope): Pick<IdempotencyKeyTable, 'org_id' | 'user_id' | 'method' | 'key'> => ({
  org_id: orgId,
  user_id: userId,
  method,
  key,
});
