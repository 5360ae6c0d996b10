import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from './tables.js';

/** Work that the state holds, by its status. */
export interface WorkCounts {
  /** Backtests that have not ended. */
  readonly backtests: Readonly<Record<'queued' | 'running', number>>;
  readonly experiments: Readonly<Record<string, number>>;
  /** Runs of launched experiments that have not ended: without a row yet, and with one. */
  readonly sweepRuns: Readonly<Record<'open' | 'done', number>>;
  readonly deliveries: number;
  /** Work that a process holds now. */
  readonly leases: Readonly<Record<'backtests' | 'sweeps', number>>;
}

/** Counts unfinished work in one statement. It reads only partial indexes and small tables. */
export async function countWork(db: Database, nowMs: number): Promise<WorkCounts> {
  const { rows } = await sql<{ kind: string; name: string; count: number }>`
    select 'backtests' as kind, status as name, count(*)::integer as count
      from backtests where status in ('queued', 'running') group by status
    union all
    select 'leases', 'backtests', count(*)::integer
      from backtests where status in ('queued', 'running') and status = 'running' and lease_until_ms > ${nowMs}
    union all
    select 'leases', 'sweeps', count(*)::integer from experiment_leases where until_ms > ${nowMs}
    union all
    select 'experiments', status, count(*)::integer from experiments group by status
    union all
    select 'sweepRuns', 'done', coalesce(sum(run_to - run_from), 0)::integer from experiment_parts
      where experiment_id in (select id from experiments where status in ('queued', 'running', 'paused'))
    union all
    select 'sweepRuns', 'all', coalesce(sum(total_runs), 0)::integer
      from experiments where status in ('queued', 'running', 'paused')
    union all
    select 'deliveries', 'pending', count(*)::integer from webhook_deliveries where status = 'pending'
  `.execute(db);
  const of = (kind: string): Readonly<Record<string, number>> =>
    Object.fromEntries(rows.filter((row) => row.kind === kind).map(({ name, count }) => [name, count]));
  const { all = 0, done = 0 } = of('sweepRuns');
  return {
    backtests: { queued: 0, running: 0, ...of('backtests') },
    experiments: of('experiments'),
    sweepRuns: { open: Math.max(0, all - done), done },
    deliveries: of('deliveries').pending ?? 0,
    leases: { backtests: 0, sweeps: 0, ...of('leases') },
  };
}

const SECRET_BYTES = 48;

/**
 * A secret of the deployment by name, generated on first use. Processes that ask concurrently get
 * the same secret.
 * @returns base64url text of 384 random bits
 */
export async function serverSecret(db: Database, name: string): Promise<string> {
  const value = randomBytes(SECRET_BYTES).toString('base64url');
  await db
    .insertInto('server_secrets')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db.selectFrom('server_secrets').where('name', '=', name).select('value').executeTakeFirstOrThrow();
  return row.value;
}
