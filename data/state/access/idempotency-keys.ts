import type { Database } from '../open-state.js';
import type { IdempotencyKeyTable } from '../schema.js';
import type { IdempotencyAttempt, IdempotencyClaim, IdempotencyScope, IdempotencyStore } from './port.js';

/** Idempotency keys with their leases and answers. Times are epoch ms. */
export class SqlIdempotencyStore implements IdempotencyStore {
  constructor(private readonly db: Database) {}

  async claim(
    scope: IdempotencyScope,
    { bodyHash, leaseId, nowMs, leaseEndsMs }: IdempotencyAttempt,
  ): Promise<IdempotencyClaim> {
    const taken = { body_hash: bodyHash, lease_id: leaseId, answer: null, ends_at_ms: leaseEndsMs };
    const row = await this.db
      .insertInto('idempotency_keys')
      .values({ ...rowOf(scope), ...taken })
      .onConflict((conflict) =>
        conflict
          .columns(['org_id', 'user_id', 'method', 'key'])
          .doUpdateSet(taken)
          .where('idempotency_keys.ends_at_ms', '<=', nowMs),
      )
      .returning('lease_id')
      .executeTakeFirst();
    if (row !== undefined) return { outcome: 'run' };
    const held = await this.of(scope).select(['body_hash', 'answer']).executeTakeFirst();
    // Another call has just released the key.
    if (held === undefined) return this.claim(scope, { bodyHash, leaseId, nowMs, leaseEndsMs });
    if (held.body_hash !== bodyHash) return { outcome: 'other_body' };
    return held.answer === null ? { outcome: 'in_flight' } : { outcome: 'replay', answer: held.answer };
  }

  async complete(scope: IdempotencyScope, leaseId: string, answer: Uint8Array, expiresAtMs: number): Promise<boolean> {
    const { numUpdatedRows } = await this.db
      .updateTable('idempotency_keys')
      .set({ answer, ends_at_ms: expiresAtMs })
      .where(({ and, eb }) => and([and(rowOf(scope)), eb('lease_id', '=', leaseId), eb('answer', 'is', null)]))
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async release(scope: IdempotencyScope, leaseId: string): Promise<void> {
    await this.db
      .deleteFrom('idempotency_keys')
      .where(({ and, eb }) => and([and(rowOf(scope)), eb('lease_id', '=', leaseId), eb('answer', 'is', null)]))
      .execute();
  }

  async sweep(nowMs: number): Promise<number> {
    const { numDeletedRows } = await this.db
      .deleteFrom('idempotency_keys')
      .where('ends_at_ms', '<=', nowMs)
      .executeTakeFirst();
    return Number(numDeletedRows);
  }

  private of(scope: IdempotencyScope) {
    return this.db.selectFrom('idempotency_keys').where(({ and }) => and(rowOf(scope)));
  }
}

/** The columns that a key is found by. */
export const rowOf = ({
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
