import type { Database } from './open-state.js';

interface UsageCount {
  readonly orgId: string;
  readonly resource: string;
  /** A calendar month in UTC, such as `2024-01`. */
  readonly month: string;
}

/** Monthly counters of organizations. */
export class SqlUsageStore {
  constructor(private readonly db: Database) {}

  /** Adds in one statement, so that calls at the same time can neither lose a count nor pass the limit together. */
  async addUsage(count: UsageCount, amount: number, max: number | null): Promise<{ isWithin: boolean; used: number }> {
    if (max !== null && amount > max) return { isWithin: false, used: await this.readUsage(count) };
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
    return row === undefined
      ? { isWithin: false, used: await this.readUsage(count) }
      : { isWithin: true, used: row.used };
  }

  async readUsage({ orgId, resource, month }: UsageCount): Promise<number> {
    const row = await this.db
      .selectFrom('usage_counts')
      .where('org_id', '=', orgId)
      .where('resource', '=', resource)
      .where('month', '=', month)
      .select('used')
      .executeTakeFirst();
    return row?.used ?? 0;
  }
}
