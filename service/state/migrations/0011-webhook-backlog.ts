import { type Migration, sql } from 'kysely';

/**
 * A webhook whose attempts fail is blocked until `blocked_until_ms` (epoch ms), longer with each
 * failure since the last success. Pending deliveries are counted and claimed by webhook, not by
 * time alone.
 */
export const webhookBacklog: Migration = {
  async up(db) {
    await sql`
      alter table webhooks
        add column failures integer not null default 0,
        add column blocked_until_ms bigint not null default 0`.execute(db);
    await sql`drop index webhook_deliveries_due`.execute(db);
    await sql`
      create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_at_ms, created_at_ms)
      where status = 'pending'`.execute(db);
  },
};
