import { sql } from 'kysely';
import type { Database } from '../state/tables.js';

/** A delivery that a dispatcher holds until its lease ends. */
export interface DeliveryClaim {
  /** Id of the delivery; the same for every attempt. */
  readonly id: string;
  readonly webhookId: string;
  readonly orgId: string;
  /** Failed attempts of the webhook since the last success. */
  readonly failures: number;
  /** Number of this attempt, from 1. */
  readonly attempt: number;
  readonly type: string;
  readonly body: string;
  readonly url: string;
  /** Sealed. */
  readonly secret: Uint8Array;
}

/** The result of an attempt. */
export interface DeliveryAttempt {
  /** HTTP status; null without an answer. */
  readonly status: number | null;
  /** Null when the receiver accepted it. */
  readonly error: string | null;
}

/** Webhooks and organizations that get no further delivery, since enough are in progress here. */
export interface Busy {
  readonly webhooks: readonly string[];
  readonly organizations: readonly string[];
}

/** When to continue after a failed attempt, by the system clock. */
interface Retry {
  /** Null: give up the delivery. */
  readonly deliveryMs: number | null;
  /** For everything that waits for the webhook. */
  readonly webhookMs: number;
}

/**
 * Deliveries in progress. Any number of dispatchers may share them; while its lease lasts, one
 * dispatcher holds a delivery.
 */
export class SqlWebhookOutbox {
  constructor(private readonly db: Database) {}

  /**
   * Takes the delivery that has been due longest, of a webhook that is not blocked, and counts the
   * attempt. From `leaseEndsMs` on, others may take it. It looks at one delivery per webhook, since
   * a blocked webhook may have many.
   */
  async claim(busy: Busy, nowMs: number, leaseEndsMs: number): Promise<DeliveryClaim | null> {
    const isFree = (column: string, taken: readonly string[]) =>
      taken.length === 0 ? sql`true` : sql`${sql.ref(column)} not in (${sql.join(taken)})`;
    const { rows } = await sql<DeliveryClaim>`
      update webhook_deliveries as held set
        attempts = held.attempts + 1, last_attempt_at_ms = ${nowMs}, next_attempt_at_ms = ${leaseEndsMs}
      from webhooks
      where webhooks.id = held.webhook_id and held.id = (
        select due.id from webhooks as receiver
        cross join lateral (
          select id from webhook_deliveries
          where webhook_id = receiver.id and status = 'pending' and next_attempt_at_ms <= ${nowMs}
          order by next_attempt_at_ms, created_at_ms, id limit 1
        ) as first
        join webhook_deliveries as due on due.id = first.id
        where receiver.blocked_until_ms <= ${nowMs} and ${isFree('receiver.id', busy.webhooks)}
          and ${isFree('receiver.org_id', busy.organizations)}
          and due.status = 'pending' and due.next_attempt_at_ms <= ${nowMs} -- rechecked under the lock
        order by due.next_attempt_at_ms, due.created_at_ms, due.id
        limit 1 for update of due skip locked
      )
      returning held.id, held.webhook_id as "webhookId", held.attempts as attempt, held.type, held.body,
        webhooks.org_id as "orgId", webhooks.failures, webhooks.url, webhooks.secret`.execute(this.db);
    return rows[0] ?? null;
  }

  /**
   * Settles an attempt, unless another dispatcher has taken the delivery since. An accepted
   * delivery is done; a refused one is due again or given up. The webhook is then unblocked or
   * blocked.
   */
  async settle(claim: DeliveryClaim, { status, error }: DeliveryAttempt, retry: Retry): Promise<void> {
    const isTaken = error === null;
    const { numUpdatedRows } = await this.held(claim)
      .set({
        status: isTaken ? 'delivered' : retry.deliveryMs === null ? 'failed' : 'pending',
        next_attempt_at_ms: isTaken ? null : retry.deliveryMs,
        last_status: status,
        last_error: error,
      })
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return;
    // A separate statement: with both rows in one, it and a deletion of the webhook could deadlock.
    const webhook = this.db.updateTable('webhooks').where('id', '=', claim.webhookId);
    if (isTaken) await webhook.set({ failures: 0, blocked_until_ms: 0 }).where('failures', '>', 0).execute();
    else await webhook.set((eb) => ({ failures: eb('failures', '+', 1), blocked_until_ms: retry.webhookMs })).execute();
  }

  /** Gives a delivery back without counting the attempt. */
  async release(claim: DeliveryClaim, nowMs: number): Promise<void> {
    await this.held(claim)
      .set((eb) => ({ attempts: eb('attempts', '-', 1), next_attempt_at_ms: nowMs }))
      .execute();
  }

  /**
   * Gives up deliveries that have waited since before `beforeMs`, unless a dispatcher took them
   * after `takenAfterMs` and may still be busy.
   */
  async expire(beforeMs: number, takenAfterMs: number): Promise<void> {
    await this.db
      .updateTable('webhook_deliveries')
      .set((eb) => ({
        status: 'failed',
        next_attempt_at_ms: null,
        last_error: eb.fn.coalesce('last_error', eb.val('no attempt was made within a day')),
      }))
      .where('status', '=', 'pending')
      .where('created_at_ms', '<', beforeMs)
      .where((eb) => eb(eb.fn.coalesce('last_attempt_at_ms', eb.lit(0)), '<=', takenAfterMs))
      .execute();
  }

  /** Deletes settled deliveries older than `beforeMs`. */
  async trim(beforeMs: number): Promise<void> {
    await this.db
      .deleteFrom('webhook_deliveries')
      .where('status', '<>', 'pending')
      .where('created_at_ms', '<', beforeMs)
      .execute();
  }

  private held({ id, attempt }: DeliveryClaim) {
    return this.db
      .updateTable('webhook_deliveries')
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .where('attempts', '=', attempt);
  }
}
