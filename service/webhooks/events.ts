import { type Kysely, sql } from 'kysely';
import { isoTime } from '../../engine/series/index.js';
import type { StateSchema } from '../state/tables.js';

/** The events that webhooks can receive. */
export const webhookEventTypes = [
  'backtest.completed',
  'backtest.failed',
  'portfolio.completed',
  'portfolio.failed',
  'experiment.completed',
  'experiment.failed',
  'experiment.cancelled',
  'experiment.paused',
  'deployed.fill',
  'deployed.exit_reason',
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** Stands for all types, including future ones. */
export const ALL_EVENTS = '*';

export interface WebhookEvent {
  /**
   * Identifies the event for good: an event with a known id is not delivered again. At most 200
   * characters.
   */
  readonly id: string;
  readonly type: WebhookEventType;
  /** The organization whose webhooks receive it; null for every organization's. */
  readonly orgId: string | null;
  /** When it is sent, by the system clock. */
  readonly atMs: number;
  /** JSON. */
  readonly data: object;
}

/**
 * Puts an event into the outbox of every webhook that subscribes to it, up to about `WAITING_MAX`
 * for each. The caller passes the transaction that makes the event true, so that both happen or
 * neither.
 */
export async function enqueueWebhookEvent(
  db: Kysely<StateSchema>,
  { id, type, orgId, atMs, data }: WebhookEvent,
): Promise<void> {
  const ofOrg = orgId === null ? sql`true` : sql`org_id = ${orgId}`;
  // The lock keeps a webhook from being deleted between the selection and the insertion, which
  // would fail the enclosing transaction.
  await sql`
    insert into webhook_deliveries
      (webhook_id, event_id, type, body, created_at_ms, status, next_attempt_at_ms, last_error)
    select id, ${id}, ${type}, ${eventBody(id, type, atMs, data)}, ${atMs}::bigint,
      case when is_full then 'failed' else 'pending' end,
      case when is_full then null else ${atMs}::bigint end,
      case when is_full then ${`${WAITING_MAX} deliveries were waiting`} end
    from webhooks cross join lateral (
      select count(*) >= ${WAITING_MAX} as is_full from webhook_deliveries
      where webhook_id = webhooks.id and status = 'pending'
    ) as backlog
    where ${ofOrg} and (events @> ${JSON.stringify([ALL_EVENTS])}::jsonb or events @> ${JSON.stringify([type])}::jsonb)
    for key share of webhooks
    on conflict (webhook_id, event_id) do nothing`.execute(db);
}

/**
 * Pending deliveries per webhook. An event beyond them is logged as failed, so that an unreachable
 * receiver cannot fill the store.
 */
export const WAITING_MAX = 1_000;

/** The body that a receiver reads. */
export const eventBody = (id: string, type: string, atMs: number, data: object): string =>
  JSON.stringify({ id, type, created_at: isoTime(atMs), data });
