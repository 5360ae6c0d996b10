import type { Generated } from 'kysely';
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
