import { type Generated, sql } from 'kysely';
import type { Migrations } from '../../data/state/index.js';
import type { Json, NullableJson } from '../state/json-columns.js';

export interface SimulationTable {
  place: Generated<number>;
  id: string;
  org_id: string;
  user_id: string;
  kind: 'run' | 'generate';
  status: 'completed' | 'failed';
  strategy_name: string | null;
  asset: string | null;
  timeframe: string | null;
  dataset_file: string | null;
  trade_count: number | null;
  metrics: NullableJson<object>;
  error: string | null;
  created_at_ms: number;
}

/** Tables of simulations, as the migrations leave them. */
export interface SimulationTables {
  simulations: SimulationTable;
  synthetic_datasets: { org_id: string; file: string; model: Json<object>; created_at_ms: number };
}

export const simulationMigrations: Migrations = {
  /**
   * Backtests submitted to the batch engine are shared in their organization. A simulation leaves
   * only its line in the user's history; `place` orders the lines. A synthetic dataset is stored as
   * its parameters, from which every process that shares the store can generate its bars. Times are
   * epoch ms.
   */
  '0006-simulations': {
    async up(db) {
      await sql`alter table backtests add column is_shared boolean not null default false`.execute(db);
      await sql`
        create table simulations (
          place bigint generated always as identity primary key,
          id uuid not null,
          org_id uuid not null,
          user_id uuid not null,
          kind text not null,
          status text not null,
          strategy_name text,
          asset text,
          timeframe text,
          dataset_file text,
          trade_count integer,
          metrics json,
          error text,
          created_at_ms bigint not null
        )`.execute(db);
      await sql`create index simulations_of_user on simulations (user_id, org_id, place desc)`.execute(db);
      await sql`
        create table synthetic_datasets (
          org_id uuid not null,
          file text not null,
          model json not null,
          created_at_ms bigint not null,
          primary key (org_id, file)
        )`.execute(db);
    },
  },
};
