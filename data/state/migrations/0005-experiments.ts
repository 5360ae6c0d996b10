import { type Migration, sql } from 'kysely';

/**
 * Times are epoch ms. An experiment is run in chunks of equal length, the last one shorter: `experiment_chunks` says which are
 * done, and a chunk is done once; `experiment_leases` says who is at which. `experiment_parts` names the files of rows that
 * readers may see, by the runs they hold: one a chunk at first, fewer when they were joined. Child rows refer to their
 * experiment with a constraint, so that nothing can be added to one that is being deleted.
 */
export const experiments: Migration = {
  async up(db) {
    await sql`
      create table experiments (
        id text primary key,
        org_id uuid not null,
        user_id uuid not null,
        name text not null,
        config json not null,
        search_mode text not null,
        status text not null,
        total_runs integer,
        plan_hash text,
        datasets json,
        code_version text,
        chunk_runs integer,
        error text,
        created_at_ms bigint not null,
        updated_at_ms bigint not null,
        launched_at_ms bigint,
        started_at_ms bigint,
        ended_at_ms bigint
      )`.execute(db);
    await sql`create index experiments_of_org on experiments (org_id, created_at_ms desc, id desc)`.execute(db);
    await sql`create index experiments_to_run on experiments (org_id) where status in ('queued', 'running')`.execute(
      db,
    );
    await sql`
      create table experiment_chunks (
        experiment_id text not null references experiments on delete cascade,
        chunk integer not null,
        ok integer not null,
        no_trades integer not null,
        skipped integer not null,
        errors integer not null,
        committed_at_ms bigint not null,
        primary key (experiment_id, chunk)
      )`.execute(db);
    await sql`
      create table experiment_leases (
        experiment_id text not null references experiments on delete cascade,
        chunk integer not null,
        runner text not null,
        until_ms bigint not null,
        primary key (experiment_id, chunk)
      )`.execute(db);
    await sql`
      create table experiment_parts (
        experiment_id text not null references experiments on delete cascade,
        run_from integer not null,
        run_to integer not null,
        bytes bigint not null,
        primary key (experiment_id, run_from)
      )`.execute(db);
  },
};
