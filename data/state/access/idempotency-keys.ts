import { type Expression, type ExpressionBuilder, type SqlBool, sql, type UpdateObject } from 'kysely';
import type { Database } from '../open-state.js';
import type { IdempotencyKeyTable, StateSchema } from '../schema.js';
import type { IdempotencyAttempt, IdempotencyClaim, IdempotencyScope, IdempotencyStore } from './port.js';

type Change = UpdateObject<StateSchema, 'idempotency_keys'>;

/** Idempotency keys with their leases, steps and answers. Times are epoch ms. */
export class SqlIdempotencyStore implements IdempotencyStore {
  constructor(private readonly db: Database) {}

  async claim(scope: IdempotencyScope, attempt: IdempotencyAttempt): Promise<IdempotencyClaim> {
    const { bodyHash, leaseId, holder, nowMs, leaseEndsMs, endsMs, deadLeaseId = null } = attempt;
    const lease = { lease_id: leaseId, lease_holder: holder, lease_until_ms: leaseEndsMs };
    const taken = { body_hash: bodyHash, ...lease, answer: null, ends_at_ms: endsMs };
    const row = await this.db
      .insertInto('idempotency_keys')
      .values({ ...rowOf(scope), ...taken })
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
    const found = this.db.selectFrom('idempotency_keys').where(({ and }) => and(rowOf(scope)));
    const held = await found.select(['body_hash', 'answer', 'lease_id', 'lease_holder']).executeTakeFirst();
    // Another call has just released the key.
    if (held === undefined) return this.claim(scope, attempt);
    if (held.body_hash !== bodyHash) return { outcome: 'other_body' };
    return held.answer === null
      ? { outcome: 'in_flight', leaseId: held.lease_id, holder: held.lease_holder }
      : { outcome: 'replay', answer: held.answer };
  }

  hold(scope: IdempotencyScope, leaseId: string, leaseEndsMs: number): Promise<boolean> {
    return this.#change(scope, leaseId, { lease_until_ms: leaseEndsMs });
  }

  record(scope: IdempotencyScope, leaseId: string, step: string, value: unknown): Promise<boolean> {
    const entry = JSON.stringify({ [step]: value ?? null });
    return this.#change(scope, leaseId, { steps: sql<string>`steps || ${entry}::jsonb` });
  }

  complete(scope: IdempotencyScope, leaseId: string, answer: Uint8Array, expiresAtMs: number): Promise<boolean> {
    return this.#change(scope, leaseId, { answer, ends_at_ms: expiresAtMs });
  }

  async release(scope: IdempotencyScope, leaseId: string): Promise<boolean> {
    const { numDeletedRows } = await this.db
      .deleteFrom('idempotency_keys')
      .where(isHeld(scope, leaseId))
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  suspend(scope: IdempotencyScope, leaseId: string, undone: string): Promise<boolean> {
    return this.#change(scope, leaseId, { lease_until_ms: 0, steps: sql<string>`steps - ${undone}::text` });
  }

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
    and([and(rowOf(scope)), eb('lease_id', '=', leaseId), eb('answer', 'is', null)]);

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
