import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Database } from './open-state.js';
import type { StrategyTable } from './schema.js';

export type StrategyRow = Selectable<StrategyTable>;

export interface StrategyFilter {
  readonly includeArchived: boolean;
  readonly skip: number;
  readonly limit: number;
}

/** Stored strategies. Every method is about those of one user; another's do not exist for it. */
export class StrategyStore {
  constructor(private readonly db: Database) {}

  async insert(strategy: Insertable<StrategyTable>): Promise<void> {
    await this.db.insertInto('strategies').values(strategy).execute();
  }

  /** Archived ones count too: they can come back. */
  async count(userId: string): Promise<number> {
    return countOf(await this.ofUser(userId).select(this.db.fn.countAll<number>().as('count')).executeTakeFirst());
  }

  /** Of each strategy the names of the signals in its rules, as they were written; archived ones are among them. */
  async ruleNames(userId: string): Promise<readonly (readonly string[])[]> {
    const names = sql<
      readonly string[]
    >`jsonb_path_query_array(rules, '$.entry[*].name') || jsonb_path_query_array(rules, '$.exit[*].name')`;
    const rows = await this.ofUser(userId).select(names.as('names')).execute();
    return rows.map((row) => row.names);
  }

  /** Newest first. */
  async list(userId: string, { includeArchived, skip, limit }: StrategyFilter) {
    const matching = includeArchived ? this.ofUser(userId) : this.ofUser(userId).where('archived_at', 'is', null);
    const [rows, total] = await Promise.all([
      matching
        .select(['id', 'name', 'asset', 'status', 'created_at', 'strategy_type', 'description', 'archived_at'])
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .offset(skip)
        .limit(limit)
        .execute(),
      matching.select(this.db.fn.countAll<number>().as('count')).executeTakeFirst(),
    ]);
    return { rows, total: countOf(total) };
  }

  async find(userId: string, id: string): Promise<StrategyRow | undefined> {
    return this.ofUser(userId).where('id', '=', id).selectAll().executeTakeFirst();
  }

  /** Lets `change` look at the stored strategy and say what becomes of it, while nobody else can change it. */
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

  /** @returns whether there was one */
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
}

/** A server answers counts as text, the embedded store as a number. */
const countOf = (row: { count: number | string } | undefined): number => Number(row?.count ?? 0);
