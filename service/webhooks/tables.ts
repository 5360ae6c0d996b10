import { type Generated, sql } from 'kysely';
import type { Migrations } from '../../data/state/index.js';
import type { Json } from '../state/json-columns.js';

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export interface WebhookTable {
  id: string;
  org_id: string;
  user_id: string;
  url: string;
  description: string | null;
  /** Types, or `*` for all. */
  events: Json<readonly string[]>;
  /** Sealed. */
  secret: Uint8Array;
  created_at_ms: number;
  /** Failed attempts since the last success. */
  failures: Generated<number>;
  /** Nothing is sent before this time. */
  blocked_until_ms: Generated<number>;
}

export interface WebhookDeliveryTable {
  id: Generated<string>;
  webhook_id: string;
  event_id: string;
  type: string;
  /** JSON, as signed and sent. */
  body: string;
  status: Generated<DeliveryStatus>;
  attempts: Generated<number>;
  /** Null once settled. */
  next_attempt_at_ms: number | null;
  created_at_ms: number;
  last_attempt_at_ms: number | null;
  /** HTTP status; null without an answer. */
  last_status: number | null;
  last_error: string | null;
}

export interface WebhookTables {
  webhooks: WebhookTable;
  webhook_deliveries: WebhookDeliveryTable;
}

export const webhookMigrations: Migrations = {
  /**
   * Times are epoch ms. A delivery is one event on its way to one webhook, due at
   * `next_attempt_at_ms`. A dispatcher that takes it moves that time to the end of a lease and counts
   * the attempt. It may settle the delivery until another dispatcher counts an attempt.
   */
  '0008-webhooks': {
    async up(db) {
      await sql`
        create table webhooks (
          id uuid primary key,
          org_id uuid not null,
          user_id uuid not null,
          url text not null,
          description text,
          events jsonb not null,
          secret bytea not null,
          created_at_ms bigint not null
        )`.execute(db);
      await sql`create index webhooks_of_org on webhooks (org_id, created_at_ms desc, id)`.execute(db);
      await sql`
        create table webhook_deliveries (
          id uuid primary key default gen_random_uuid(),
          webhook_id uuid not null references webhooks on delete cascade,
          event_id text not null,
          type text not null,
          body text not null,
          status text not null default 'pending',
          attempts integer not null default 0,
          next_attempt_at_ms bigint,
          created_at_ms bigint not null,
          last_attempt_at_ms bigint,
          last_status integer,
          last_error text,
          unique (webhook_id, event_id)
        )`.execute(db);
      await sql`
        create index webhook_deliveries_due on webhook_deliveries (next_attempt_at_ms, created_at_ms)
        where status = 'pending'`.execute(db);
      await sql`
        create index webhook_deliveries_of_webhook on webhook_deliveries (webhook_id, created_at_ms desc, id)`.execute(
        db,
      );
      await sql`
        create index webhook_deliveries_settled on webhook_deliveries (created_at_ms)
        where status <> 'pending'`.execute(db);
    },
  },
  /**
   * A webhook whose attempts fail is blocked until `blocked_until_ms` (epoch ms), longer with each
   * failure since the last success. Pending deliveries are counted and claimed by webhook, not by
   * time alone.
   */
  '0011-webhook-backlog': {
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
  },
};
