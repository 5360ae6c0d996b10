import { type Generated, sql } from 'kysely';
import type { Migrations } from '../../data/state/index.js';
import type { Json, NullableJson } from '../state/json-columns.js';

export const experimentStatuses = [
  'draft',
  'validated',
  'queued',
  'running',
  'paused',
  'completed',
  'failed',
  'cancelled',
] as const;
export type ExperimentStatus = (typeof experimentStatuses)[number];

/** The findings of a validation. A process that runs the plan later must find the same. */
export interface StoredPlan {
  readonly engineVersion: string;
  /** In the order of the configuration. */
  readonly datasets: readonly object[];
  /** The run range of each series, in the order of the plan. */
  readonly series: readonly PlannedSeries[];
}

interface PlannedSeries {
  /** `BTC_1h` */
  readonly key: string;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

export interface ExperimentTable {
  /** `exp_` and its creation time in UTC to the microsecond. */
  id: string;
  org_id: string;
  user_id: string;
  name: string;
  /** As the client sent it. */
  config: Json<Readonly<Record<string, unknown>>>;
  /** Counts the replacements of the configuration. */
  revision: Generated<number>;
  search_mode: string;
  status: ExperimentStatus;
  /** This and the next two come from the last validation that passed. */
  total_runs: number | null;
  plan_hash: string | null;
  plan: NullableJson<StoredPlan>;
  next_run: Generated<number>;
  turn: Generated<number>;
  error: string | null;
  /** Number of files when the rows were last joined. */
  parts_joined: Generated<number>;
  /** The files will not be joined again. */
  is_joined: Generated<boolean>;
  joining_until_ms: number | null;
  created_at_ms: number;
  updated_at_ms: number;
  launched_at_ms: number | null;
  /** Lists leave out an archived experiment. */
  archived_at_ms: Generated<number | null>;
  started_at_ms: number | null;
  ended_at_ms: number | null;
}

interface ExperimentLeaseTable {
  experiment_id: string;
  run_from: number;
  run_to: number;
  runner: string;
  until_ms: number;
  /** Runners that began the block and did not give it back, including its current holder. */
  deaths: Generated<number>;
}

/** A file of rows. */
interface ExperimentPartTable {
  experiment_id: string;
  run_from: number;
  run_to: number;
  bytes: number;
  ok: Generated<number>;
  no_trades: Generated<number>;
  skipped: Generated<number>;
  errors: Generated<number>;
}

/** What an organization ever tried. */
interface TryTable {
  org_id: string;
  asset: string;
  /** See `RunIdentity`. */
  hash: string;
}

/** What a judged sweep of an organization was worth, see `TriedSweep`. */
interface TriedSweepTable {
  org_id: string;
  asset: string;
  sweep: string;
  plan: string;
  tries: number;
  unrelated: number;
}

/** Days that an organization holds out, see `HeldOut`. */
export interface HeldOutTable {
  org_id: string;
  asset: string;
  from_date: string;
  to_date: string;
  days: number;
  declared_at: string;
  opened_at: string | null;
  /** Identity of the run for which they were opened. */
  opened_for: string | null;
  /** JSON of its metrics. */
  metrics: string | null;
}

/** Tables of experiments, as the migrations leave them. */
export interface ExperimentTables {
  experiments: ExperimentTable;
  experiment_leases: ExperimentLeaseTable;
  experiment_parts: ExperimentPartTable;
  tries: TryTable;
  tried_sweeps: TriedSweepTable;
  held_out_days: HeldOutTable;
}

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
