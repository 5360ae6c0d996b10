import type { ColumnType } from 'kysely';

type Json<T> = ColumnType<T, string, string>;
type NullableJson<T> = ColumnType<T | null, string | null, string | null>;

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

export interface ExperimentTable {
  /** `exp_` and its creation in UTC to the microsecond. */
  id: string;
  org_id: string;
  user_id: string;
  name: string;
  /** As it was sent. */
  config: Json<object>;
  search_mode: string;
  status: ExperimentStatus;
  /** This and the next three are those of the last validation that passed. */
  total_runs: number | null;
  plan_hash: string | null;
  datasets: NullableJson<readonly object[]>;
  code_version: string | null;
  /** Runs of a chunk. */
  chunk_runs: number | null;
  error: string | null;
  created_at_ms: number;
  updated_at_ms: number;
  launched_at_ms: number | null;
  started_at_ms: number | null;
  ended_at_ms: number | null;
}

/** Tables of experiments, as the migrations leave them. */
export interface ExperimentTables {
  experiments: ExperimentTable;
  experiment_chunks: {
    experiment_id: string;
    chunk: number;
    ok: number;
    no_trades: number;
    skipped: number;
    errors: number;
    committed_at_ms: number;
  };
  experiment_leases: { experiment_id: string; chunk: number; runner: string; until_ms: number };
  /** Files of rows, `run_to` exclusive. */
  experiment_parts: { experiment_id: string; run_from: number; run_to: number; bytes: number };
}
