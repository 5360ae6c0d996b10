import { sql } from 'kysely';
import type { Migrations } from '../../data/state/index.js';

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
