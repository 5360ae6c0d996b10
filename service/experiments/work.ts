import { type ExpressionBuilder, sql, type Transaction } from 'kysely';
import { nextTurn, oneClaimAtATime } from '../../data/state/index.js';
import type { Database, StateSchema } from '../state/tables.js';
import { type RunCounts, tellOfExperiment, toldColumns } from './store.js';
import type { ExperimentStatus, StoredPlan } from './tables.js';

/** The runs `from` to `to` (exclusive), which a runner holds until its lease ends. */
interface RunBlock {
  readonly experimentId: string;
  readonly from: number;
  readonly to: number;
}

/** A block with everything needed to run it. */
export interface ClaimedBlock extends RunBlock {
  /**
   * Runners that began the block and did not give it back; fewer than `WHOLE_DEATHS_MAX` for a
   * block of more than one run.
   */
  readonly deaths: number;
  readonly orgId: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly totalRuns: number;
  readonly planHash: string;
  readonly plan: StoredPlan;
  /** Its runs that already have a row, from a runner that did not finish the block; ascending. */
  readonly committed: readonly { readonly from: number; readonly to: number }[];
}

interface CommittedPart extends RunCounts {
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
}

/** The runner of a block that waits to be claimed again. */
const UNCLAIMED = '';
/**
 * A block that this many processes did not survive is divided, down to the single run that kills
 * them. The other pieces are done meanwhile.
 */
const WHOLE_DEATHS_MAX = 2;
const PIECES = 16;

/** The work on experiments, shared by any number of processes. */
export class SqlExperimentWork {
  constructor(private readonly db: Database) {}

  /**
   * Claims a block. It chooses the organization with the fewest blocks in progress; of those, the
   * one whose last turn, in any experiment, is longest ago; and of its experiments the one whose
   * last turn is longest ago. A block that was given up or lost in a crash goes before new ones.
   * Null when there is nothing to do.
   *
   * @param runsMax most runs in a new block
   */
  async claim(runner: string, runsMax: number, nowMs: number, untilMs: number): Promise<ClaimedBlock | null> {
    const taken = await this.db.transaction().execute(async (db) => {
      await oneClaimAtATime(db);
      const { rows } = await sql<ClaimRow>`
        with going as (
          select experiments.id, org_id, turn, next_run, total_runs,
            (select count(*) from experiment_leases where experiment_id = experiments.id and until_ms > ${nowMs}) as held,
            (select min(run_from) from experiment_leases where experiment_id = experiments.id and until_ms <= ${nowMs})
              as left_from
          from experiments where status in ('queued', 'running')
        ), chosen as (
          select weighed.id, coalesce(left_from, weighed.next_run) as run_from,
            coalesce( -- null when its holder deletes the lease at this moment
              (select run_to from experiment_leases where experiment_id = weighed.id and run_from = left_from),
              least(weighed.next_run + ${runsMax}::integer, weighed.total_runs)) as run_to
          from (
            select *, sum(held) over (partition by org_id) as org_held,
              (select max(turn) from experiments had where had.org_id = going.org_id) as org_turn
            from going
          ) as weighed join experiments on experiments.id = weighed.id
          where (left_from is not null or weighed.next_run < weighed.total_runs) and status in ('queued', 'running')
          order by org_held, org_turn, weighed.turn, weighed.id limit 1
          for no key update of experiments -- locked before the lease, as by a deletion
        ), leased as (
          insert into experiment_leases (experiment_id, run_from, run_to, runner, until_ms)
          select id, run_from, run_to, ${runner}, ${untilMs} from chosen
          on conflict (experiment_id, run_from) do update set runner = excluded.runner, until_ms = excluded.until_ms
          returning experiment_id, run_from, run_to, deaths
        )
        update experiments set
          turn = ${nextTurn},
          next_run = greatest(experiments.next_run, leased.run_to),
          status = 'running',
          started_at_ms = coalesce(started_at_ms, ${nowMs})
        from leased where experiments.id = leased.experiment_id
        returning id, org_id, config, experiments.total_runs, plan_hash, plan, run_from, run_to, deaths`.execute(db);
      const [row] = rows;
      if (row === undefined) return null;
      return row.deaths >= WHOLE_DEATHS_MAX && row.run_to - row.run_from > 1 ? divide(db, row) : row;
    });
    if (taken === null) return null;
    const committed = await committedWithin(this.db, taken);
    const { id, org_id, config, total_runs, plan_hash, plan, run_from, run_to, deaths } = taken;
    return {
      experimentId: id,
      orgId: org_id,
      config,
      totalRuns: total_runs,
      planHash: plan_hash,
      plan,
      from: run_from,
      to: run_to,
      deaths,
      committed,
    };
  }

  /**
   * Makes rows of a block visible. Only its holder can do so, and only while the experiment takes
   * rows, so no run gets two rows. It locks the experiment first, as a deletion does; the opposite
   * order could deadlock.
   * @returns the status of the experiment when the rows count; null when they do not
   */
  async commit(runner: string, block: RunBlock, part: CommittedPart): Promise<ExperimentStatus | null> {
    const { rows } = await sql<{ status: ExperimentStatus }>`
      with mine as (
        select status from experiment_leases
        join experiments on experiments.id = experiment_id
        where experiment_id = ${block.experimentId} and run_from = ${block.from} and runner = ${runner}
          and status in ('queued', 'running', 'paused')
        for key share of experiments for update of experiment_leases
      ), added as (
        insert into experiment_parts (experiment_id, run_from, run_to, bytes, ok, no_trades, skipped, errors)
        select ${block.experimentId}, ${part.from}::integer, ${part.to}::integer, ${part.bytes}::bigint,
          ${part.ok}::integer, ${part.no_trades}::integer, ${part.skipped}::integer, ${part.errors}::integer
        from mine
      )
      select status from mine`.execute(this.db);
    return rows[0]?.status ?? null;
  }

  /**
   * The runner calls this before the first run of a block. If it does not give the block back
   * afterwards, it counts as killed by the block.
   */
  async begin(runner: string, block: ClaimedBlock): Promise<void> {
    await this.db
      .updateTable('experiment_leases')
      .set({ deaths: block.deaths + 1 })
      .where(isHeld(runner, block))
      .execute();
  }

  /** Gives a block back: all of its runs are done, or another runner may continue it. */
  async release(runner: string, block: ClaimedBlock, isDone: boolean): Promise<void> {
    if (isDone) await this.db.deleteFrom('experiment_leases').where(isHeld(runner, block)).execute();
    else
      await this.db
        .updateTable('experiment_leases')
        .set({ until_ms: 0, runner: UNCLAIMED, deaths: block.deaths })
        .where(isHeld(runner, block))
        .execute();
  }

  /** Extends a runner's lease of a block; false where the runner no longer holds it. */
  async renew(runner: string, block: RunBlock, untilMs: number): Promise<boolean> {
    const leases = this.db.updateTable('experiment_leases').set({ until_ms: untilMs });
    const { numUpdatedRows } = await leases.where(isHeld(runner, block)).executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  /**
   * Ends all leases, whose holders are gone. For the only process of an embedded store, when it
   * starts.
   */
  async releaseAll(): Promise<void> {
    await this.db.updateTable('experiment_leases').set({ until_ms: 0, runner: UNCLAIMED }).execute();
  }

  /**
   * Ends the experiments whose runs all have a row; an experiment fails if every run ended in an
   * error. A runner calls this after it gave back a finished block, and when it finds nothing to
   * claim, in case another runner died before its own call.
   */
  async finish(nowMs: number): Promise<readonly { readonly id: string; readonly status: ExperimentStatus }[]> {
    return this.db.transaction().execute(async (db) => {
      const { rows } = await sql<ToldRow>`
        update experiments set
          status = case when counted.errors = total_runs then 'failed' else 'completed' end,
          error = case when counted.errors = total_runs then 'every run ended in an error' end,
          ended_at_ms = ${nowMs}, updated_at_ms = ${nowMs}
        from (
          select experiments.id as ended_id, sum(parts.errors) as errors from experiments
          join experiment_parts parts on parts.experiment_id = experiments.id
          where status in ('queued', 'running', 'paused') and next_run = total_runs
            and not exists (select 1 from experiment_leases leases where leases.experiment_id = experiments.id)
          group by experiments.id
        ) as counted
        where id = ended_id and status in ('queued', 'running', 'paused')
        returning ${sql.join(toldColumns.map((column) => sql.ref(column)))}`.execute(db);
      for (const row of rows) await tellOfExperiment(db, row, nowMs);
      return rows.map(({ id, status }) => ({ id, status }));
    });
  }

  /** Ends an experiment that cannot be run. */
  async fail(id: string, error: string, nowMs: number): Promise<void> {
    await this.db.transaction().execute(async (db) => {
      const row = await db
        .updateTable('experiments')
        .where('id', '=', id)
        .where('status', 'in', ['queued', 'running'])
        .set({ status: 'failed', error, ended_at_ms: nowMs, updated_at_ms: nowMs })
        .returning(toldColumns)
        .executeTakeFirst();
      if (row !== undefined) await tellOfExperiment(db, row, nowMs);
    });
  }

  /**
   * The number of blocks that could be claimed now, and of experiments that only have to be ended,
   * up to `max`.
   */
  async claimable(runsOfBlock: number, nowMs: number, max: number): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select least(${max}::bigint, coalesce(sum(
        case when status = 'paused' then 0 else ceil((total_runs - next_run)::numeric / ${runsOfBlock}::integer) + ended end +
        case when next_run = total_runs and leases = 0 then 1 else 0 end
      ), 0))::integer as count
      from experiments cross join lateral (
        select count(*) as leases, count(*) filter (where until_ms <= ${nowMs}) as ended
        from experiment_leases where experiment_id = experiments.id
      ) as held
      where status in ('queued', 'running', 'paused')`.execute(this.db);
    // biome-ignore lint/style/noNonNullAssertion: a count without grouping gives one row
    return rows[0]!.count;
  }
}

type ToldRow = Parameters<typeof tellOfExperiment>[1];

const isHeld =
  (runner: string, { experimentId, from }: RunBlock) =>
  (eb: ExpressionBuilder<StateSchema, 'experiment_leases'>) =>
    eb.and({ experiment_id: experimentId, run_from: from, runner });

/**
 * Reduces a newly claimed block to its first piece and leaves the others to be claimed. A piece of
 * a single run starts with no deaths, since none is known to be its own.
 */
async function divide(db: Transaction<StateSchema>, block: ClaimRow): Promise<ClaimRow> {
  const { id, run_from, run_to } = block;
  const runs = Math.ceil((run_to - run_from) / PIECES);
  const deaths = runs === 1 ? 0 : WHOLE_DEATHS_MAX - 1;
  await sql`
    insert into experiment_leases (experiment_id, run_from, run_to, runner, until_ms, deaths)
    select ${id}, piece, least(piece + ${runs}::integer, ${run_to}::integer), ${UNCLAIMED}, 0, ${deaths}::integer
    from generate_series(${run_from + runs}::integer, ${run_to - 1}::integer, ${runs}::integer) as piece`.execute(db);
  await sql`
    update experiment_leases set run_to = ${run_from + runs}, deaths = ${deaths}
    where experiment_id = ${id} and run_from = ${run_from}`.execute(db);
  return { ...block, run_to: run_from + runs, deaths };
}

/** The parts of a block that an earlier holder committed. */
const committedWithin = (db: Database, block: ClaimRow): Promise<ClaimedBlock['committed']> =>
  db
    .selectFrom('experiment_parts')
    .where('experiment_id', '=', block.id)
    .where('run_to', '>', block.run_from)
    .where('run_from', '<', block.run_to)
    .select(['run_from as from', 'run_to as to'])
    .orderBy('run_from')
    .execute();

interface ClaimRow {
  readonly id: string;
  readonly org_id: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly total_runs: number;
  readonly plan_hash: string;
  readonly plan: StoredPlan;
  readonly run_from: number;
  readonly run_to: number;
  readonly deaths: number;
}
