import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Owner } from '../execution/stored.js';
import type { Database, StateSchema } from '../state/tables.js';
import { enqueueWebhookEvent } from '../webhooks/events.js';
import {
  claimNext,
  endEvent,
  endRow,
  isClaimable,
  planColumns,
  planRow,
  readEnds,
  readPlan,
  readState,
  stateColumns,
  toldColumns,
} from './rows.js';
import {
  type AwaitedEnd,
  type BacktestClaim,
  type BacktestContent,
  type BacktestEnd,
  type BacktestPlan,
  type BacktestRecord,
  type HistoryFilter,
  type RunContent,
  UnreadableRun,
} from './stored.js';

/** Of the trades of a run. */
interface TradePage {
  /** Null for all that follow. */
  readonly limit: number | null;
  readonly offset: number;
}

/** The largest number that the column `index` holds. */
const TRADES_MAX = 2 ** 31 - 1;

type Condition = (eb: ExpressionBuilder<StateSchema, 'backtests'>) => Expression<SqlBool>;

/**
 * Backtests in the state's tables. Each method only reads, or is one statement or transaction. A
 * run changes only by its end and its archive mark, and a completed run is never deleted. A user
 * reads and marks only their own runs; an id of another user counts as unknown.
 */
export class SqlBacktestStore<Content extends RunContent = BacktestContent> {
  /** @param isPortfolio the kind of runs that are read, claimed and added: of portfolios, or of one strategy */
  constructor(
    private readonly db: Database,
    private readonly isPortfolio = false,
  ) {}

  /** Adds a run that has already ended. */
  async addEnded(plan: BacktestPlan<Content>, end: BacktestEnd<Content>): Promise<void> {
    await this.db
      .with('run', (db) =>
        db
          .insertInto('backtests')
          .values({ ...this.row(plan), ...endRow(end) })
          .returning('id'),
      )
      .insertInto('backtest_trades')
      .columns(['backtest_id', 'index', 'trade'])
      .expression(tradesOfRun(end))
      .execute();
  }

  /** Adds runs for runners to take: all of them or none. */
  async addQueued(...plans: readonly BacktestPlan<Content>[]): Promise<void> {
    const rows = plans.map((plan) => ({ ...this.row(plan), status: 'queued' as const }));
    const unknown = this.db.insertInto('backtests').values(rows);
    await unknown.onConflict((conflict) => conflict.column('id').doNothing()).execute();
  }

  private row(plan: BacktestPlan<Content>) {
    return { ...planRow(plan), is_portfolio: this.isPortfolio };
  }

  get(userId: string, id: string): Promise<BacktestRecord<Content> | null> {
    return this.find(id, (eb) => eb('user_id', '=', userId));
  }

  /**
   * The user's own run, or one shared in their organization; null for a run of another
   * organization.
   */
  getShared({ userId, orgId }: Owner, id: string): Promise<BacktestRecord<Content> | null> {
    return this.find(id, (eb) =>
      eb.and([eb('org_id', '=', orgId), eb.or([eb('is_shared', '=', true), eb('user_id', '=', userId)])]),
    );
  }

  private async find(id: string, isVisible: Condition): Promise<BacktestRecord<Content> | null> {
    const row = await this.db
      .selectFrom('backtests')
      .where('id', '=', id)
      .where('is_portfolio', '=', this.isPortfolio)
      .where(isVisible)
      .select([...planColumns, ...stateColumns, 'request', 'evidence'])
      .executeTakeFirst();
    if (row === undefined) return null;
    const { metrics, evidence } = row;
    const state = { ...readPlan<Content>(row), request: row.request as Content['request'], ...readState(row) };
    // A second statement is safe: trades are written with the outcome and never change.
    const outcome =
      metrics === null || evidence === null ? null : { ...evidence, metrics, trades: await this.trades(id) };
    return { ...state, outcome };
  }

  /** Newest first, then by id; `total` counts all runs that match the filter. */
  async history(userId: string, filter: HistoryFilter) {
    const matching = this.db
      .selectFrom('backtests')
      .where('user_id', '=', userId)
      .where('is_portfolio', '=', this.isPortfolio)
      .where((eb) => eb.and(conditions(eb, filter)));
    const [rows, total] = await Promise.all([
      matching
        .select([...planColumns, ...stateColumns])
        .orderBy('created_at_ms', 'desc')
        .orderBy('id')
        .offset(filter.offset)
        .limit(filter.limit)
        .execute(),
      matching.select(this.db.fn.countAll<number>().as('count')).executeTakeFirst(),
    ]);
    return {
      rows: rows.map((row) => ({
        ...readPlan<Content>(row),
        ...readState(row),
        metrics: row.metrics as Content['metrics'] | null,
      })),
      total: Number(total?.count ?? 0),
    };
  }

  /**
   * Sets or clears the archive mark; a mark that is already set keeps its time. Null for an unknown
   * id.
   */
  async setArchived(userId: string, id: string, archivedAtMs: number | null) {
    const row = await this.db
      .updateTable('backtests')
      .set(({ fn, ref, val }) => ({
        archived_at_ms: archivedAtMs === null ? null : fn.coalesce(ref('archived_at_ms'), val(archivedAtMs)),
      }))
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where('is_portfolio', '=', this.isPortfolio)
      .returning('archived_at_ms')
      .executeTakeFirst();
    return row === undefined ? null : { archivedAtMs: row.archived_at_ms };
  }

  /**
   * Takes a run for `runner` until `untilMs`: a queued one, or a running one whose lease has ended.
   * It chooses the organization whose last turn is longest ago, then its awaited runs before the
   * others, then the oldest, then the first by id. It never gives a run to two runners at once.
   *
   * @throws UnreadableRun when the input of the run it took cannot be read; the caller then ends
   *   the run
   */
  async claim(runner: string, nowMs: number, untilMs: number): Promise<BacktestClaim<Content> | null> {
    const row = await claimNext(this.db, this.isPortfolio, runner, nowMs, untilMs);
    if (row === undefined) return null;
    const { id, request, attempts } = row;
    if (typeof request !== 'object' || request === null) throw new UnreadableRun(id, 'its request is not an object');
    return { plan: { ...readPlan<Content>(row), request: request as Content['request'] }, attempt: attempts };
  }

  /** Extends a lease; false when the runner no longer holds the run. */
  async renew(runner: string, id: string, untilMs: number): Promise<boolean> {
    const { numUpdatedRows } = await this.held(runner, id).set({ lease_until_ms: untilMs }).executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /**
   * Returns a run to the queue without counting the attempt. No effect when the runner no longer
   * holds it.
   */
  async release(runner: string, id: string): Promise<void> {
    await this.held(runner, id)
      .set((eb) => ({
        status: 'queued' as const,
        lease_runner: null,
        lease_until_ms: null,
        attempts: eb('attempts', '-', 1),
      }))
      .execute();
  }

  /** The number of queued runs: of the organization and of all. */
  async countQueued(orgId: string) {
    return this.db
      .selectFrom('backtests')
      .where('status', '=', 'queued')
      .select(({ fn }) => [
        fn.countAll<number>().as('ofAll'),
        fn.countAll<number>().filterWhere('org_id', '=', orgId).as('ofOrganization'),
      ])
      .executeTakeFirstOrThrow();
  }

  /** The number of runs that could be claimed now, up to `max`. */
  async claimable(nowMs: number, max: number): Promise<number> {
    const { count } = await this.db
      .selectFrom((eb) => eb.selectFrom('backtests').select('id').where(isClaimable(nowMs)).limit(max).as('waiting'))
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  }

  /**
   * Returns every running run to the queue. Only for a caller that knows that no other process
   * exists.
   */
  async releaseAll(): Promise<void> {
    await this.db
      .updateTable('backtests')
      .set({ status: 'queued', lease_runner: null, lease_until_ms: null })
      .where('status', '=', 'running')
      .execute();
  }

  /** Ends a run; false, without effect, when the runner no longer holds it. */
  end(runner: string, id: string, end: BacktestEnd<Content>): Promise<boolean> {
    return this.finish(id, end, (eb) => eb.and({ status: 'running', lease_runner: runner }));
  }

  /**
   * Ends a run of a user that is queued or running in any process; false, without effect, for any
   * other run, and for one that a call waits for.
   */
  cancel(userId: string, id: string, end: BacktestEnd<Content>): Promise<boolean> {
    const isOpen: Condition = (eb) => eb('status', 'in', ['queued', 'running']);
    return this.finish(id, end, (eb) =>
      eb.and([isOpen(eb), eb.and({ user_id: userId, is_awaited: false, is_portfolio: this.isPortfolio })]),
    );
  }

  private async finish(id: string, end: BacktestEnd<Content>, isMine: Condition): Promise<boolean> {
    return this.db.transaction().execute(async (open) => {
      const row = await open
        .with('run', (db) =>
          db
            .updateTable('backtests')
            .set({ ...endRow(end), lease_runner: null, lease_until_ms: null })
            .where('id', '=', id)
            .where(isMine)
            .returning([...toldColumns, 'is_awaited']),
        )
        .with('kept', (db) =>
          db.insertInto('backtest_trades').columns(['backtest_id', 'index', 'trade']).expression(tradesOfRun(end)),
        )
        .selectFrom('run')
        .selectAll()
        .executeTakeFirst();
      if (row?.is_awaited === false) await enqueueWebhookEvent(open, endEvent(row, end));
      return row !== undefined;
    });
  }

  /** Deletes those runs that a claim could take now. @returns their ids */
  async withdraw(ids: readonly string[], nowMs: number): Promise<readonly string[]> {
    const rows = await this.db
      .deleteFrom('backtests')
      .where('id', 'in', ids)
      .where(isClaimable(nowMs))
      .returning('id')
      .execute();
    return rows.map(({ id }) => id);
  }

  readEnds(ids: readonly string[]): Promise<readonly AwaitedEnd<Content>[]> {
    return readEnds(this.db, ids);
  }

  async deleteFailed(ids: readonly string[]): Promise<void> {
    await this.db.deleteFrom('backtests').where('id', 'in', ids).where('status', '=', 'failed').execute();
  }

  private held(runner: string, id: string) {
    return this.db
      .updateTable('backtests')
      .where('id', '=', id)
      .where('status', '=', 'running')
      .where('lease_runner', '=', runner);
  }

  /** A page of the trades of the user's own run, and how many it has; null as `get`. */
  async tradePage(userId: string, id: string, { limit, offset }: TradePage) {
    const run = await this.db
      .selectFrom('backtests')
      .where('id', '=', id)
      .where('is_portfolio', '=', this.isPortfolio)
      .where('user_id', '=', userId)
      .select(({ selectFrom, fn }) =>
        selectFrom('backtest_trades')
          .whereRef('backtest_id', '=', 'backtests.id')
          .select(fn.countAll<number>().as('count'))
          .as('count'),
      )
      .executeTakeFirst();
    if (run === undefined) return null;
    const total = Number(run.count);
    const from = Math.min(offset, total);
    return { total, trades: await this.trades(id, from, Math.min(from + (limit ?? total), total)) };
  }

  private async trades(id: string, from = 0, to = TRADES_MAX): Promise<readonly Content['trade'][]> {
    const rows = await this.db
      .selectFrom('backtest_trades')
      .where('backtest_id', '=', id)
      .where('index', '>=', from)
      .where('index', '<', to)
      .select('trade')
      .orderBy('index')
      .execute();
    return rows.map(({ trade }) => trade);
  }
}

/**
 * The trades as rows for the enclosing statement's `run`: one parameter for any number of trades.
 */
function tradesOfRun(end: BacktestEnd<RunContent>) {
  const trades = JSON.stringify('outcome' in end ? end.outcome.trades : []);
  return sql`
    select run.id, (item.ordinality - 1)::integer, item.value
    from run cross join json_array_elements(${trades}::json) with ordinality as item`;
}

function conditions(eb: ExpressionBuilder<StateSchema, 'backtests'>, filter: HistoryFilter) {
  const { statuses, baseAsset, sessionId, createdFromMs, createdToMs, includeArchived } = filter;
  return [
    ...(statuses === undefined ? [] : [eb('status', 'in', statuses)]),
    ...(baseAsset === undefined ? [] : [eb('base_asset', '=', baseAsset)]),
    ...(sessionId === undefined ? [] : [eb('session_id', '=', sessionId)]),
    ...(createdFromMs === undefined ? [] : [eb('created_at_ms', '>=', createdFromMs)]),
    ...(createdToMs === undefined ? [] : [eb('created_at_ms', '<', createdToMs)]),
    ...(includeArchived ? [] : [eb('archived_at_ms', 'is', null)]),
  ];
}
