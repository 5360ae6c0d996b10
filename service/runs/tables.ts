import { sql } from 'kysely';
import type { Migrations } from '../../data/state/index.js';
import type { Json } from '../state/json-columns.js';

/** What a user says about a run of any kind. */
interface RunMarkTable {
  run_id: string;
  tags: Json<readonly string[]>;
  note: string;
}

export interface RunTables {
  run_marks: RunMarkTable;
}

export const runMigrations: Migrations = {
  /** A run without a row has no tags and no note. Experiments can be archived as other runs can. */
  '0026-run-marks': {
    async up(db) {
      await sql`
        create table run_marks (
          run_id text primary key,
          tags jsonb not null,
          note text not null
        )`.execute(db);
      await sql`alter table experiments add column archived_at_ms bigint`.execute(db);
    },
  },
};
