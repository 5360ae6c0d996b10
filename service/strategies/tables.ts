import { type Generated, sql } from 'kysely';
import type { Migrations } from '../../data/state/index.js';
import type { Json } from '../state/json-columns.js';

export interface StrategyTable {
  id: string;
  user_id: string;
  org_id: string;
  name: string;
  asset: string;
  status: string;
  rules: Json<object>;
  execution_config: Json<object>;
  execution_state: Json<object>;
  content_hash: string;
  session_id: string | null;
  parent_strategy_id: string | null;
  strategy_type: string | null;
  description: string | null;
  archived_at: Date | null;
  created_at: Date;
  updated_at: Date;
  last_evaluated_at: Date | null;
  evaluation_count: Generated<number>;
}

export interface StrategyTables {
  strategies: StrategyTable;
}

export const strategyMigrations: Migrations = {
  /** Users and organizations are referred to by id only, so a strategy outlives changes to either. */
  '0001-strategies': {
    async up(db) {
      await sql`
        create table strategies (
          id uuid primary key,
          user_id uuid not null,
          org_id uuid not null,
          name text not null,
          asset text not null,
          status text not null,
          rules jsonb not null,
          execution_config jsonb not null,
          execution_state jsonb not null,
          content_hash text not null,
          session_id text,
          parent_strategy_id uuid,
          strategy_type text,
          description text,
          archived_at timestamptz,
          created_at timestamptz not null,
          updated_at timestamptz not null,
          last_evaluated_at timestamptz,
          evaluation_count integer not null default 0
        )`.execute(db);
      await sql`create index strategies_of_user on strategies (user_id, created_at desc, id)`.execute(db);
    },
  },
};
