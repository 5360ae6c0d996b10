import { type ExpressionBuilder, type Kysely, type Selectable, sql, type Transaction, type UpdateObject } from 'kysely';
import type { Database, StateSchema } from '../state/tables.js';
import { enqueueWebhookEvent, type WebhookEventType } from '../webhooks/events.js';
import type { ExperimentStatus, ExperimentTable, StoredPlan } from './tables.js';

export type ExperimentRow = Selectable<ExperimentTable>;

/** Runs of an experiment by how they ended; their sum is the number of runs with a row. */
export interface RunCounts {
  readonly ok: number;
  readonly no_trades: number;
  readonly skipped: number;
  readonly errors: number;
}

export interface ExperimentProgress extends RunCounts {
  readonly experiment: ExperimentRow;
  /** Finished runs of each series, in the order of the plan; empty before there is a plan. */
  readonly series: readonly { readonly key: string; readonly completed: number; readonly total: number }[];
}

interface ExperimentPage {
  readonly offset: number;
  readonly limit: number;
  /** Default: false. */
  readonly includeArchived?: boolean;
}

export interface ExperimentSummary
  extends Pick<ExperimentRow, 'id' | 'name' | 'status' | 'total_runs' | 'search_mode' | 'created_at_ms'> {
  readonly completed: number;
}

/** The outcome of a requested change: the new status, or the reason why the status stays. */
export type Transition =
  | { readonly status: ExperimentStatus; readonly isDone: true }
  | { readonly status: ExperimentStatus; readonly isDone: false; readonly reason: 'status' | 'cap' };

const open: readonly ExperimentStatus[] = ['draft', 'validated'];
/** These count towards the cap of an organization. */
const going: readonly ExperimentStatus[] = ['queued', 'running'];

/** Experiments as their owners see and change them. `SqlExperimentWork` runs them. */
export class SqlExperimentStore {
  constructor(private readonly db: Database) {}

  /** Adds an experiment; false, without effect, when the id is taken. */
  async add(
    row: Pick<ExperimentRow, 'id' | 'org_id' | 'user_id' | 'name' | 'search_mode' | 'config' | 'created_at_ms'>,
  ): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.db
      .insertInto('experiments')
      .values({ ...row, config: JSON.stringify(row.config), status: 'draft', updated_at_ms: row.created_at_ms })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }

  async find(orgId: string, id: string): Promise<ExperimentRow | null> {
    const row = await of(this.db, orgId, id).selectAll().executeTakeFirst();
    return row ?? null;
  }

  /** A page of experiments, newest first. */
  async list(
    orgId: string,
    { offset, limit, includeArchived = false }: ExperimentPage,
  ): Promise<readonly ExperimentSummary[]> {
    return this.db
      .selectFrom('experiments')
      .where('org_id', '=', orgId)
      .where((eb) => (includeArchived ? eb.lit(true) : eb('archived_at_ms', 'is', null)))
      .select(['id', 'name', 'status', 'total_runs', 'search_mode', 'created_at_ms'])
      .select((eb) => completedRuns(eb).$asScalar().as('completed'))
      .orderBy('created_at_ms', 'desc')
      .orderBy('id', 'desc')
      .offset(offset)
      .limit(limit)
      .execute();
  }

  async progress(orgId: string, id: string): Promise<ExperimentProgress | null> {
    const experiment = await this.find(orgId, id);
    if (experiment === null) return null;
    const series = experiment.plan?.series ?? [];
    const { rows } = await sql<RunCounts & { completed: number[] | null }>`
      select coalesce(sum(ok), 0)::integer as ok, coalesce(sum(no_trades), 0)::integer as no_trades,
        coalesce(sum(skipped), 0)::integer as skipped, coalesce(sum(errors), 0)::integer as errors,
        (select json_agg(done order by place) from (
          select place, coalesce(sum(greatest(0,
              least(run_to, (series->>'to')::integer) - greatest(run_from, (series->>'from')::integer)
            )) filter (where run_to is not null), 0) as done -- least and greatest ignore nulls
          from json_array_elements(${JSON.stringify(series)}::json) with ordinality as listed(series, place)
          left join experiment_parts part on part.experiment_id = ${id}
          group by place
        ) as counted) as completed
      from experiment_parts where experiment_id = ${id}`.execute(this.db);
    // biome-ignore lint/style/noNonNullAssertion: an aggregate without grouping gives one row
    const { completed, ...counts } = rows[0]!;
    return {
      ...counts,
      experiment,
      series: series.map(({ key, from, to }, place) => ({ key, total: to - from, completed: completed?.[place] ?? 0 })),
    };
  }

  /**
   * Replaces the configuration of an experiment that was not launched. It becomes a draft again.
   */
  replace(
    orgId: string,
    id: string,
    row: Pick<ExperimentRow, 'name' | 'search_mode' | 'config'>,
    nowMs: number,
  ): Promise<Transition | null> {
    const values = {
      ...row,
      config: JSON.stringify(row.config),
      revision: sql<number>`revision + 1`,
      status: 'draft' as const,
      total_runs: null,
      plan_hash: null,
      plan: null,
    };
    return this.change(orgId, id, open, values, nowMs);
  }

  /**
   * Records a validation, unless the configuration was replaced or launched meanwhile.
   * @param found null: the configuration is invalid
   */
  async setValidated(
    { id, revision }: Pick<ExperimentRow, 'id' | 'revision'>,
    found: { readonly totalRuns: number; readonly planHash: string; readonly plan: StoredPlan } | null,
    nowMs: number,
  ): Promise<void> {
    await this.db
      .updateTable('experiments')
      .where('id', '=', id)
      .where('revision', '=', revision)
      .where('status', 'in', open)
      .set({
        status: found === null ? 'draft' : 'validated',
        total_runs: found?.totalRuns ?? null,
        plan_hash: found?.planHash ?? null,
        plan: found === null ? null : JSON.stringify(found.plan),
        updated_at_ms: nowMs,
      })
      .execute();
  }

  /**
   * Starts a validated experiment or resumes a paused one, if fewer than `cap` of the organization
   * are queued or running. Launches of one organization take turns, so that two concurrent ones
   * cannot exceed the cap.
   */
  launch(orgId: string, id: string, cap: number | null, nowMs: number): Promise<Transition | null> {
    return this.db.transaction().execute(async (db) => {
      await db.selectFrom('organizations').where('id', '=', orgId).select('id').forUpdate().execute();
      const row = await of(db, orgId, id).select('status').forUpdate().executeTakeFirst();
      if (row === undefined) return null;
      if (row.status !== 'validated' && row.status !== 'paused') {
        return { status: row.status, isDone: false, reason: 'status' };
      }
      const { count } = await db
        .selectFrom('experiments')
        .where('org_id', '=', orgId)
        .where('status', 'in', going)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      if (cap !== null && count >= cap) return { status: row.status, isDone: false, reason: 'cap' };
      await db
        .updateTable('experiments')
        .where('id', '=', id)
        .set({
          status: 'queued',
          launched_at_ms: sql<number>`coalesce(launched_at_ms, ${nowMs})`,
          updated_at_ms: nowMs,
        })
        .execute();
      return { status: 'queued', isDone: true };
    });
  }

  /** Stops new runs from starting; runs in progress still get their rows. */
  pause(orgId: string, id: string, nowMs: number): Promise<Transition | null> {
    return this.change(orgId, id, going, { status: 'paused' }, nowMs);
  }

  /** Stops it for good. */
  cancel(orgId: string, id: string, nowMs: number): Promise<Transition | null> {
    const ended = { status: 'cancelled' as const, ended_at_ms: nowMs };
    return this.change(orgId, id, [...going, 'paused'], ended, nowMs);
  }

  /**
   * Deletes an experiment with its rows; their files remain for a later cleanup. False for an
   * unknown id.
   */
  async remove(orgId: string, id: string): Promise<boolean> {
    const { numDeletedRows } = await this.db
      .deleteFrom('experiments')
      .where('id', '=', id)
      .where('org_id', '=', orgId)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  private async change(
    orgId: string,
    id: string,
    from: readonly ExperimentStatus[],
    values: UpdateObject<StateSchema, 'experiments'>,
    nowMs: number,
  ): Promise<Transition | null> {
    const changed = await this.db.transaction().execute(async (db) => {
      const row = await db
        .updateTable('experiments')
        .where('id', '=', id)
        .where('org_id', '=', orgId)
        .where('status', 'in', from)
        .set({ ...values, updated_at_ms: nowMs })
        .returning(toldColumns)
        .executeTakeFirst();
      if (row !== undefined) await tellOfExperiment(db, row, nowMs);
      return row;
    });
    if (changed !== undefined) return { status: changed.status, isDone: true };
    const row = await of(this.db, orgId, id).select('status').executeTakeFirst();
    return row === undefined ? null : { status: row.status, isDone: false, reason: 'status' };
  }
}

const of = (db: Database | Transaction<StateSchema>, orgId: string, id: string) =>
  db.selectFrom('experiments').where('id', '=', id).where('org_id', '=', orgId);

/** Counted from the rows, since a stored number could drift from them. */
const completedRuns = (eb: ExpressionBuilder<StateSchema, 'experiments'>) =>
  eb
    .selectFrom('experiment_parts')
    .whereRef('experiment_parts.experiment_id', '=', 'experiments.id')
    .select(sql<number>`coalesce(sum(run_to - run_from), 0)::integer`.as('completed'));

type Told = Pick<
  Selectable<ExperimentTable>,
  'id' | 'org_id' | 'name' | 'status' | 'total_runs' | 'error' | 'revision'
>;

/** The columns that an event needs. */
export const toldColumns = ['id', 'org_id', 'name', 'status', 'total_runs', 'error', 'revision'] as const;

const typeOf: Readonly<Partial<Record<Told['status'], WebhookEventType>>> = {
  completed: 'experiment.completed',
  failed: 'experiment.failed',
  cancelled: 'experiment.cancelled',
  paused: 'experiment.paused',
};

/** Tells webhooks the current status of an experiment, in the transaction that set the status. */
export async function tellOfExperiment(db: Kysely<StateSchema>, row: Told, nowMs: number): Promise<void> {
  const type = typeOf[row.status];
  if (type === undefined) return;
  const { id, org_id: orgId, name, status, total_runs, error } = row;
  // An experiment can be paused many times but ends once.
  const eventId = status === 'paused' ? `${id}:paused:${nowMs}` : `${id}:${status}`;
  const data = { experiment_id: id, name, status, total_runs, error };
  await enqueueWebhookEvent(db, { id: eventId, type, orgId, atMs: nowMs, data });
}
