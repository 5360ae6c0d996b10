import type { ColumnType, Generated } from 'kysely';

type Json<T> = ColumnType<T, string, string>;

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
  /** Attempts that have failed since one succeeded. */
  failures: Generated<number>;
  /** Nothing is sent before. */
  blocked_until_ms: Generated<number>;
}

export interface WebhookDeliveryTable {
  id: Generated<string>;
  webhook_id: string;
  event_id: string;
  type: string;
  /** JSON, as it is signed and sent. */
  body: string;
  status: Generated<DeliveryStatus>;
  attempts: Generated<number>;
  /** Null when it is settled. */
  next_attempt_at_ms: number | null;
  created_at_ms: number;
  last_attempt_at_ms: number | null;
  /** Of HTTP; null where nothing was answered. */
  last_status: number | null;
  last_error: string | null;
}

export interface WebhookTables {
  webhooks: WebhookTable;
  webhook_deliveries: WebhookDeliveryTable;
}
