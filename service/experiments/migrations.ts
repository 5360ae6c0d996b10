import { sql } from 'kysely';
import type { Migrations } from '../../data/state/index.js';

export const experimentMigrations: Migrations = {
  /**
   * Times are epoch ms; ranges of runs exclude `run_to`. Runs below `next_run` were given out in
   * blocks. `experiment_leases` records which runner holds each unfinished block; only the holder
   * commits rows of its runs. `experiment_parts` names the files of rows that readers may see, and
   * how those runs ended. `turn` numbers all claims, here and among the backtests, so that
   * organizations take turns. Rows refer to their experiment with a constraint, so that nothing can
   * be added to an experiment that is being deleted.
   */
  '0005-experiments': {
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
  },
  /**
   * How many runners began a block and did not give it back, so that a run that kills every process
   * is not retried for ever.
   */
  '0010-block-deaths': {
    async up(db) {
      await sql`alter table experiment_leases add column deaths integer not null default 0`.execute(db);
    },
  },
  /** Identities of the configurations that an organization ever tried on an asset. */
  '0015-tries': {
    async up(db) {
      await sql`
        create table tries (
          org_id uuid not null,
          asset text not null,
          hash char(16) not null,
          primary key (org_id, asset, hash)
        )`.execute(db);
    },
  },
  /** What judged sweeps were worth on an asset, by which later ones are judged. */
  '0021-tried-sweeps': {
    async up(db) {
      await sql`
        create table tried_sweeps (
          org_id text not null,
          asset text not null,
          sweep text not null,
          plan text not null,
          tries integer not null,
          unrelated double precision not null,
          primary key (org_id, asset, sweep)
        )`.execute(db);
    },
  },
  /** Days of an asset that no run of an organization may touch until they are opened, once. */
  '0022-held-out-days': {
    async up(db) {
      await sql`
        create table held_out_days (
          org_id text not null,
          asset text not null,
          from_date text not null,
          to_date text not null,
          days integer not null,
          declared_at text not null,
          opened_at text,
          opened_for text,
          metrics text,
          primary key (org_id, asset, from_date, to_date)
        )`.execute(db);
    },
  },
};
