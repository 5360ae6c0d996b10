import type { Generated } from 'kysely';
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
