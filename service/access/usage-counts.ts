import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../state/tables.js';
import { type IdempotencyScope, keyColumns } from './idempotency-keys.js';

interface UsageCount {
  readonly orgId: string;
  readonly resource: string;
  /** A calendar month in UTC, such as `2024-01`. */
  readonly month: string;
}

/** What an amount is counted for, and until when that is remembered (epoch ms). */
interface CountedOnce {
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

/** Whether an amount was added, and the count afterwards. */
interface Added {
  readonly isWithin: boolean;
  readonly used: number;
}

/** Monthly counters of organizations. Each method is atomic. */
export class SqlUsageStore {
  constructor(private readonly db: Database) {}

  /**
   * Adds `amount` unless the sum would exceed `max` (null: no limit). A refusal adds nothing. One
   * statement, so that concurrent calls neither lose a count nor exceed the limit together.
   */
  async addUsage(count: UsageCount, amount: number, max: number | null): Promise<Added> {
    if (max !== null && amount > max) return { isWithin: false, used: await this.#read(count) };
    const row = await this.db
      .insertInto('usage_counts')
      .values({ org_id: count.orgId, resource: count.resource, month: count.month, used: amount })
      .onConflict((conflict) => {
        const update = conflict
          .columns(['org_id', 'resource', 'month'])
          .doUpdateSet((eb) => ({ used: eb('usage_counts.used', '+', amount) }));
        return max === null ? update : update.where('usage_counts.used', '<=', max - amount);
      })
      .returning('used')
      .executeTakeFirst();
    return row === undefined ? { isWithin: false, used: await this.#read(count) } : { isWithin: true, used: row.used };
  }

  /**
   * Adds like `addUsage`, but once for a key, however often it is called until `endsMs`. A refusal
   * leaves the key free. The key and the count are written together, so a crash leaves both or
   * neither.
   */
  async addUsageOnce(
    count: UsageCount,
    amount: number,
    max: number | null,
    { scope, endsMs }: CountedOnce,
  ): Promise<Added> {
    return this.db.transaction().execute(async (open) => {
      const store = new SqlUsageStore(open);
      const row = { ...keyColumns(scope), body_hash: '', lease_id: randomUUID(), answer: null, ends_at_ms: endsMs };
      const added = await open
        .insertInto('idempotency_keys')
        .values(row)
        .onConflict((conflict) => conflict.columns(['org_id', 'user_id', 'method', 'key']).doNothing())
        .returning('key')
        .executeTakeFirst();
      if (added === undefined) return { isWithin: true, used: await store.#read(count) };
      const counted = await store.addUsage(count, amount, max);
      if (!counted.isWithin) {
        await open.deleteFrom('idempotency_keys').where('lease_id', '=', row.lease_id).execute();
      }
      return counted;
    });
  }

  async #read({ orgId, resource, month }: UsageCount): Promise<number> {
    const row = await this.db
      .selectFrom('usage_counts')
      .where('org_id', '=', orgId)
      .where('resource', '=', resource)
      .where('month', '=', month)
      .select('used')
      .executeTakeFirst();
    return row?.used ?? 0;
  }

  /**
   * Adds 1 to the meter and to the counter, unless the counter has reached `max`. One statement, for
   * the same reason. Like every other writer it locks the counter's row before the meter's, so no
   * two deadlock.
   * @returns `used`, the counter afterwards
   */
  async countUnit(unit: CountedUnit, max: number | null): Promise<Added> {
    const { orgId, month, meter, counter } = unit;
    const isBelow = max === null ? sql`true` : sql`held.used < ${max}`;
    const { rows } = await sql<{ counted: number | null; held: number | null }>`
      with counter as (
        insert into usage_counts as held (org_id, resource, month, used)
        select ${orgId}::uuid, ${counter}, ${month}, 1 where ${max ?? 1}::bigint >= 1
        on conflict (org_id, resource, month) do update set used = held.used + 1 where ${isBelow}
        returning org_id, month, used
      ), meter as (
        insert into usage_counts as held (org_id, resource, month, used)
        select org_id, ${meter}, month, 1 from counter
        on conflict (org_id, resource, month) do update set used = held.used + 1
      )
      select
        (select used from counter) as counted,
        (select used from usage_counts where org_id = ${orgId} and resource = ${counter} and month = ${month}) as held
      `.execute(this.db);
    const { counted = null, held = null } = rows[0] ?? {};
    if (counted !== null) return { isWithin: true, used: counted };
    // `held` is the count when the statement began. The refusal shows that the counter has reached
    // the limit since.
    return { isWithin: false, used: Math.max(held ?? 0, max ?? 0) };
  }

  /** Undoes `countUnit`. */
  async giveBackUnit({ orgId, month, meter, counter }: CountedUnit): Promise<void> {
    await sql`
      with counter as (
        update usage_counts set used = used - 1
        where org_id = ${orgId} and resource = ${counter} and month = ${month}
        returning org_id, month
      )
      update usage_counts as held set used = held.used - 1 from counter
      where held.org_id = counter.org_id and held.resource = ${meter} and held.month = counter.month`.execute(this.db);
  }

  /** The counts of a month, by counter and meter; an absent one is 0. */
  async readMonth(orgId: string, month: string): Promise<Readonly<Record<string, number>>> {
    const rows = await this.db
      .selectFrom('usage_counts')
      .where('org_id', '=', orgId)
      .where('month', '=', month)
      .select(['resource', 'used'])
      .execute();
    return Object.fromEntries(rows.map(({ resource, used }) => [resource, used]));
  }
}
