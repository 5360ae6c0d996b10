import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Database } from '../state/tables.js';
import type { StrategyStatus, StrategyTable } from './tables.js';

export type StrategyRow = Selectable<StrategyTable>;

interface StrategyFilter {
  readonly includeArchived: boolean;
  /** Any of these; by default any status. */
  readonly statuses?: readonly StrategyStatus[];
  /** Part of the name or the asset, in any case. */
  readonly search?: string | undefined;
  readonly skip: number;
  readonly limit: number;
}

/** Stored strategies. Every method sees only the strategies of the given user. */
export class StrategyStore {
  constructor(private readonly db: Database) {}

  async insert(strategy: Insertable<StrategyTable>): Promise<void> {
    await this.db.insertInto('strategies').values(strategy).execute();
  }

  /** Includes archived strategies, since they can be restored. */
  async count(userId: string): Promise<number> {
    return readCount(await this.ofUser(userId).select(this.db.fn.countAll<number>().as('count')).executeTakeFirst());
  }

  /**
   * For each strategy, archived ones included, the names of the signals in its rules, as written.
   */
  async ruleNames(userId: string): Promise<readonly (readonly string[])[]> {
    const names = sql<
      readonly string[]
    >`jsonb_path_query_array(rules, '$.entry[*].name') || jsonb_path_query_array(rules, '$.exit[*].name')`;
    const rows = await this.ofUser(userId).select(names.as('names')).execute();
    return rows.map((row) => row.names);
  }

  /** Newest first, with the columns that lists show. */
  async list(userId: string, filter: StrategyFilter) {
    const rows = await this.page(userId, filter).select(listedColumns).execute();
    return { rows, total: await this.countAll(rows, userId, filter) };
  }

  /** Newest first, with all columns. */
  async listWhole(userId: string, filter: StrategyFilter) {
    const rows = await this.page(userId, filter).selectAll().execute();
    return { rows, total: await this.countAll(rows, userId, filter) };
  }

  async find(userId: string, id: string): Promise<StrategyRow | undefined> {
    return this.ofUser(userId).where('id', '=', id).selectAll().executeTakeFirst();
  }

  /** Locks a strategy and lets `change` compute its new values from the stored ones. */
  async update(
    userId: string,
    id: string,
    change: (stored: StrategyRow) => Updateable<StrategyTable>,
  ): Promise<StrategyRow | undefined> {
    return this.db.transaction().execute(async (transaction) => {
      const stored = await transaction
        .selectFrom('strategies')
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .selectAll()
        .forUpdate()
        .executeTakeFirst();
      if (stored === undefined) return undefined;
      const changed = change(stored);
      if (Object.keys(changed).length === 0) return stored;
      return transaction
        .updateTable('strategies')
        .set(changed)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
    });
  }

  /** @returns whether it existed */
  async delete(userId: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await this.db
      .deleteFrom('strategies')
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  private ofUser(userId: string) {
    return this.db.selectFrom('strategies').where('user_id', '=', userId);
  }

  private matching(userId: string, { includeArchived, statuses, search }: StrategyFilter) {
    let matching = this.ofUser(userId);
    if (!includeArchived) matching = matching.where('archived_at', 'is', null);
    if (statuses !== undefined) matching = matching.where('status', 'in', statuses);
    if (search === undefined) return matching;
    const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
    return matching.where(({ eb, or }) => or([eb('name', 'ilike', pattern), eb('asset', 'ilike', pattern)]));
  }

  /** Each row includes the total, so that a page takes one statement. */
  private page(userId: string, filter: StrategyFilter) {
    return this.matching(userId, filter)
      .select(({ fn }) => fn.countAll<number>().over().as('total'))
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .offset(filter.skip)
      .limit(filter.limit);
  }

  private async countAll(rows: readonly { total: number | string }[], userId: string, filter: StrategyFilter) {
    const [first] = rows;
    if (first !== undefined) return Number(first.total);
    if (filter.skip === 0) return 0;
    const count = this.matching(userId, filter).select(this.db.fn.countAll<number>().as('count'));
    return readCount(await count.executeTakeFirst());
  }
}

const listedColumns = [
  'id',
  'name',
  'asset',
  'status',
  'created_at',
  'strategy_type',
  'description',
  'archived_at',
] as const;

/** A server returns counts as text, the embedded store as a number. */
const readCount = (row: { count: number | string } | undefined): number => Number(row?.count ?? 0);
