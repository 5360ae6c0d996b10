import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../caller.js';
import type { Database } from '../state/tables.js';

export const runKinds = ['backtest', 'portfolio', 'experiment'] as const;
export type RunKind = (typeof runKinds)[number];

interface RunFilter {
  readonly kinds: readonly RunKind[];
  readonly tag?: string | undefined;
  /** Normalised. */
  readonly asset?: string | undefined;
  readonly strategy?: string | undefined;
  readonly text?: string | undefined;
  readonly createdFromMs?: number | undefined;
  readonly createdToMs?: number | undefined;
  readonly includeArchived: boolean;
  readonly limit: number;
  readonly offset: number;
}

interface RunMarks {
  readonly tags: readonly string[];
  readonly note: string;
  readonly isArchived: boolean;
}

interface RunRow {
  readonly kind: RunKind;
  readonly id: string;
  readonly name: string;
  /** Separated by commas; null for a draft of an experiment. */
  readonly assets: string | null;
  readonly interval: string | null;
  readonly start_ms: number | null;
  readonly end_ms: number | null;
  readonly status: string;
  readonly created_at_ms: number;
  readonly archived_at_ms: number | null;
  readonly metrics: Readonly<Record<string, number | null>> | null;
  readonly runs: number | null;
  readonly tags: readonly string[];
  readonly note: string;
}

interface Reader extends Pick<Caller, 'orgId' | 'userId'> {
  /** Without it, a run of a stored strategy shows the id of the strategy in place of its name. */
  readonly readsStrategies: boolean;
}

/** The runs of all kinds that a caller may read, as one list. */
export class SqlRuns {
  constructor(private readonly db: Database) {}

  /** Newest first, then by id; `total` counts all runs that match. */
  async list(reader: Reader, { limit, offset, ...filter }: RunFilter) {
    const found = sql`from (${readable(reader)}) as run left join run_marks on run_id = id where ${matches(filter)}`;
    const [{ rows }, counted] = await Promise.all([
      sql<RunRow>`select ${columns} ${found} order by created_at_ms desc, id limit ${limit} offset ${offset}`.execute(
        this.db,
      ),
      sql<{ total: number }>`select count(*)::integer as total ${found}`.execute(this.db),
    ]);
    return { rows, total: counted.rows[0]?.total ?? 0 };
  }

  async find(reader: Reader, id: string): Promise<RunRow | undefined> {
    const { rows } = await sql<RunRow>`
      select ${columns} from (${readable(reader)}) as run left join run_marks on run_id = id
      where id = ${id}`.execute(this.db);
    return rows[0];
  }

  /** Replaces the marks of a run; a run that is archived already keeps its time. */
  async mark({ kind, id }: Pick<RunRow, 'kind' | 'id'>, marks: RunMarks, nowMs: number): Promise<void> {
    const archived = sql<
      number | null
    >`${marks.isArchived ? sql`coalesce(archived_at_ms, ${nowMs}::bigint)` : sql`null`}`;
    const row = { tags: JSON.stringify(marks.tags), note: marks.note };
    await this.db.transaction().execute(async (open) => {
      await open
        .insertInto('run_marks')
        .values({ run_id: id, ...row })
        .onConflict((conflict) => conflict.column('run_id').doUpdateSet(row))
        .execute();
      await open
        .updateTable(kind === 'experiment' ? 'experiments' : 'backtests')
        .set({ archived_at_ms: archived })
        .where('id', '=', id)
        .execute();
    });
  }
}

const columns = sql`run.*, coalesce(tags, '[]'::jsonb) as tags, coalesce(note, '') as note`;

/** Backtests that the batch engine ran are shared in their organization, as experiments are. */
const readable = ({ orgId, userId, readsStrategies }: Reader): RawBuilder<unknown> => sql`
  select case when is_portfolio then 'portfolio' else 'backtest' end as kind, id::text as id,
    strategy_id::text as strategy_id,
    case when ${readsStrategies}::boolean then strategy_name else coalesce(strategy_id::text, strategy_name) end as name,
    case when is_portfolio then asset else base_asset end as assets, interval, start_ms, end_ms, status,
    created_at_ms, archived_at_ms, metrics, null::integer as runs
  from backtests where org_id = ${orgId} and (user_id = ${userId} or is_shared)
  union all
  select 'experiment', id, null, name, (
      select string_agg(distinct regexp_replace(one->>'key', '_[^_]*$', ''), ',')
      from json_array_elements(plan->'series') as one
    ), null, null, null, status, created_at_ms, archived_at_ms, null, total_runs
  from experiments where org_id = ${orgId}`;

function matches(filter: Omit<RunFilter, 'limit' | 'offset'>): RawBuilder<unknown> {
  const { kinds, tag, asset, strategy, text, createdFromMs, createdToMs, includeArchived } = filter;
  const conditions = [
    sql`kind in (${sql.join([...kinds])})`,
    ...(tag === undefined ? [] : [sql`tags @> ${JSON.stringify([tag])}::jsonb`]),
    ...(asset === undefined ? [] : [sql`${asset} = any(string_to_array(assets, ','))`]),
    ...(strategy === undefined ? [] : [sql`(strategy_id = ${strategy} or name = ${strategy})`]),
    ...(text === undefined ? [] : [sql`position(lower(${text}) in lower(concat(name, ' ', note))) > 0`]),
    ...(createdFromMs === undefined ? [] : [sql`created_at_ms >= ${createdFromMs}`]),
    ...(createdToMs === undefined ? [] : [sql`created_at_ms < ${createdToMs}`]),
    ...(includeArchived ? [] : [sql`archived_at_ms is null`]),
  ];
  return sql.join(conditions, sql` and `);
}
