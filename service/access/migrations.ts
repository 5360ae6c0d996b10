import { sql } from 'kysely';
import type { Migrations } from '../../data/state/index.js';

export const accessMigrations: Migrations = {
  /**
   * An idempotency key names its holder, so that others can tell whether that still runs, and keeps
   * what a call has done so far. A key that an earlier version holds stays held until its row ends.
   */
  '0019-call-steps': {
    async up(db) {
      await sql`
        alter table idempotency_keys
          add column lease_holder text,
          add column lease_until_ms bigint,
          add column steps jsonb not null default '{}'`.execute(db);
    },
  },
};
