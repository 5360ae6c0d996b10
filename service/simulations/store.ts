import type { Insertable } from 'kysely';
import type { BarStore } from '../../data/bars/index.js';
import { isoTime } from '../../engine/series/index.js';
import type { BacktestDeps } from '../backtests/index.js';
import type { Caller } from '../caller.js';
import type { Owner } from '../execution/stored.js';
import { wholeNumber } from '../signals/records.js';
import type { Database } from '../state/tables.js';
import type { SimulationTable } from './tables.js';

/** What the use cases of simulations need. */
export interface SimulationDeps {
  /** Provides bars, threads, the synchronous slot, the clock and ids. */
  readonly backtests: BacktestDeps;
  readonly bars: Pick<BarStore, 'list'>;
  readonly store: Pick<SimulationStore, 'add' | 'list' | 'keepDataset' | 'findDataset'>;
}

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

const LIMIT = 50;
const LIMIT_MAX = 1_000;

/** Adds a simulation to the caller's history under a new id, which it returns. */
export async function remember(
  caller: Caller,
  line: Omit<SimulationRow, 'id' | 'created_at_ms' | 'status'>,
  { store, backtests }: SimulationDeps,
): Promise<string> {
  const id = backtests.newId();
  const status = line.error === null ? 'completed' : 'failed';
  await store.add(caller, { ...line, id, status, created_at_ms: backtests.nowMs() });
  return id;
}

/** The caller's simulations, newest first; the store keeps only the latest. */
export async function listSimulations(
  caller: Caller,
  request: { readonly limit?: unknown; readonly offset?: unknown },
  { store }: SimulationDeps,
) {
  const limit = Math.min(Math.max(wholeNumber('limit', request.limit, LIMIT), 1), LIMIT_MAX);
  const offset = Math.max(wholeNumber('offset', request.offset, 0), 0);
  const { rows, total } = await store.list(caller, limit, offset);
  const results = rows.map(({ id, created_at_ms, ...row }) => ({
    simulation_id: id,
    created_at: isoTime(created_at_ms),
    ...row,
  }));
  return { total, limit, offset, results };
}
