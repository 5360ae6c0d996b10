import type { Insertable } from 'kysely';
import type { Owner } from '../execution/stored.js';
import type { Database } from '../state/tables.js';
import type { SimulationTable } from './tables.js';

/** A line in the history of simulations. */
export type SimulationRow = Omit<Insertable<SimulationTable>, 'place' | 'org_id' | 'user_id' | 'metrics'> & {
  readonly metrics: object | null;
};

/** Lines kept for a user in an organization. */
export const HISTORY_MAX = 200;
/**
 * Synthetic datasets kept for an organization; a deleted one can be generated again, with the same
 * bars.
 */
export const DATASETS_MAX = 1_000;

const columns = [
  'id',
  'kind',
  'status',
  'strategy_name',
  'asset',
  'timeframe',
  'dataset_file',
  'trade_count',
  'metrics',
  'error',
  'created_at_ms',
] as const;

/**
 * Histories of simulations, and the synthetic datasets of organizations. Each method only reads or
 * is one statement.
 */
export class SimulationStore {
  constructor(private readonly db: Database) {}

  /** Adds a line and deletes the oldest beyond `HISTORY_MAX`. */
  async add({ userId, orgId }: Owner, { metrics, ...row }: SimulationRow): Promise<void> {
    await this.db
      .with('added', (db) =>
        db.insertInto('simulations').values({
          ...row,
          user_id: userId,
          org_id: orgId,
          metrics: metrics === null ? null : JSON.stringify(metrics),
        }),
      )
      .deleteFrom('simulations')
      .where(
        'place',
        'in',
        ({ selectFrom }) =>
          selectFrom('simulations')
            .where('user_id', '=', userId)
            .where('org_id', '=', orgId)
            .select('place')
            .orderBy('place', 'desc')
            .offset(HISTORY_MAX - 1), // the statement does not see the line it adds
      )
      .execute();
  }

  /** Newest first. */
  async list({ userId, orgId }: Owner, limit: number, offset: number) {
    const own = this.db.selectFrom('simulations').where('user_id', '=', userId).where('org_id', '=', orgId);
    const [rows, total] = await Promise.all([
      own.select(columns).orderBy('place', 'desc').limit(limit).offset(offset).execute(),
      own.select(this.db.fn.countAll<number>().as('count')).executeTakeFirst(),
    ]);
    return { rows, total: Number(total?.count ?? 0) };
  }

  /**
   * Stores the parameters of a dataset under its file name and deletes the oldest beyond
   * `DATASETS_MAX`.
   */
  async keepDataset(orgId: string, file: string, model: object, nowMs: number): Promise<void> {
    await this.db
      .with('kept', (db) =>
        db
          .insertInto('synthetic_datasets')
          .values({ org_id: orgId, file, model: JSON.stringify(model), created_at_ms: nowMs })
          .onConflict((conflict) => conflict.columns(['org_id', 'file']).doUpdateSet({ created_at_ms: nowMs })),
      )
      .deleteFrom('synthetic_datasets')
      .where('org_id', '=', orgId)
      .where('file', 'in', ({ selectFrom }) =>
        selectFrom('synthetic_datasets')
          .where('org_id', '=', orgId)
          .where('file', '!=', file)
          .select('file')
          .orderBy('created_at_ms', 'desc')
          .orderBy('file')
          .offset(DATASETS_MAX - 1),
      )
      .execute();
  }

  /** The parameters of a dataset; null when the organization has none of that name. */
  async findDataset(orgId: string, file: string): Promise<object | null> {
    const row = await this.db
      .selectFrom('synthetic_datasets')
      .where('org_id', '=', orgId)
      .where('file', '=', file)
      .select('model')
      .executeTakeFirst();
    return row?.model ?? null;
  }
}
