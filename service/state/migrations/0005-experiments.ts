import { type Migration, sql } from 'kysely';

/**
 * Times are epoch ms; ranges of runs exclude `run_to`. Runs below `next_run` were given out in
 * blocks. `experiment_leases` records which runner holds each unfinished block; only the holder
 * commits rows of its runs. `experiment_parts` names the files of rows that readers may see, and
 * how those runs ended. `turn` numbers all claims, here and among the backtests, so that
 * organizations take turns. Rows refer to their experiment with a constraint, so that nothing can
 * be added to an experiment that is being deleted.
 */
export const experiments: Migration = {
  async up(db) {
    await sql`create sequence turns`.execute(db);
    await sql`alter table backtests add column turn bigint`.execute(db);
    await sql`create index backtests_turns on backtests (org_id, turn desc) where turn is not null`.execute(db);
    await sql`
      create table experiments (
        id text primary key,
        org_id uuid not null,
        user_id uuid not null,
        name text not null,
        config json not null,
        revision integer not null default 0,
        search_mode text not null,
        status text not null,
        total_runs integer,
        plan_hash text,
        plan json,
        next_run integer not null default 0,
        turn bigint not null default 0,
        error text,
        parts_joined integer not null default 0,
        is_joined boolean not null default false,
        joining_until_ms bigint,
        created_at_ms bigint not null,
        updated_at_ms bigint not null,
        launched_at_ms bigint,
        started_at_ms bigint,
        ended_at_ms bigint
      )`.execute(db);
    await sql`create index experiments_of_org on experiments (org_id, created_at_ms desc, id desc)`.execute(db);
    await sql`create index experiments_turns on experiments (org_id, turn desc)`.execute(db);
    await sql`create index experiments_to_join on experiments (id) where not is_joined and launched_at_ms is not null`.execute(
      db,
    );
    await sql`
      create index experiments_to_run on experiments (org_id) where status in ('queued', 'running', 'paused')`.execute(
      db,
    );
    await sql`
      create table experiment_leases (
        experiment_id text not null references experiments on delete cascade,
        run_from integer not null,
        run_to integer not null,
        runner text not null,
        until_ms bigint not null,
        primary key (experiment_id, run_from)
      )`.execute(db);
    await sql`
      create table experiment_parts (
        experiment_id text not null references experiments on delete cascade,
        run_from integer not null,
        run_to integer not null,
        bytes bigint not null,
        ok integer not null default 0,
        no_trades integer not null default 0,
        skipped integer not null default 0,
        errors integer not null default 0,
        primary key (experiment_id, run_from)
      )`.execute(db);
  },
};
