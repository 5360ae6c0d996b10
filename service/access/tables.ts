import { type JSONColumnType, sql } from 'kysely';
import type { Migrations } from '../../data/state/index.js';

interface UsageCountTable {
  org_id: string;
  resource: string;
  month: string;
  used: number;
}

export interface IdempotencyKeyTable {
  org_id: string;
  user_id: string;
  method: string;
  key: string;
  body_hash: string;
  lease_id: string;
  /** Name of the process that holds the key; null where an earlier version took it. */
  lease_holder: string | null;
  /** Null where an earlier version took the key, whose lease ends with the row. */
  lease_until_ms: number | null;
  /** Values of the steps of the call that were committed before its end, by name. */
  steps: JSONColumnType<Record<string, unknown>, string | undefined, string>;
  answer: Uint8Array | null;
  ends_at_ms: number;
}

export interface AccessTables {
  usage_counts: UsageCountTable;
  idempotency_keys: IdempotencyKeyTable;
}

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
