import { sql } from 'kysely';
import type { Database } from './open-state.js';

/** A delivery that a dispatcher has taken, until its lease ends. */
export interface DeliveryClaim {
  /** Of the delivery; the same for every attempt. */
  readonly id: string;
  readonly webhookId: string;
  /** This one included. */
  readonly attempt: number;
  readonly type: string;
  readonly body: string;
  readonly url: string;
  /** Sealed. */
  readonly secret: Uint8Array;
}

/** What an attempt came to. */
export interface DeliveryAttempt {
  /** Of HTTP; null where nothing was answered. */
  readonly status: number | null;
  /** Null where it was taken. */
  readonly error: string | null;
}

/** Deliveries under way. Any number of dispatchers may share them; an attempt is at one at a time, as long as its lease lasts. */
export class SqlWebhookOutbox {
  constructor(private readonly db: Database) {}

  /**
   * Takes the delivery that is due longest and counts the attempt. From `leaseEndsMs` on others may take it.
   * @param busy webhooks that have a delivery under way here and are not given another, so that a slow one holds up nobody
   */
  async claim(busy: readonly string[], nowMs: number, leaseEndsMs: number): Promise<DeliveryClaim | null> {
    const isFree = busy.length === 0 ? sql`true` : sql`webhook_id not in (${sql.join(busy)})`;
    const { rows } = await sql<DeliveryClaim>`
      update webhook_deliveries as held set
        attempts = held.attempts + 1, last_attempt_at_ms = ${nowMs}, next_attempt_at_ms = ${leaseEndsMs}
      from webhooks
      where webhooks.id = held.webhook_id and held.id = (
        select id from webhook_deliveries
        where status = 'pending' and next_attempt_at_ms <= ${nowMs} and ${isFree}
        order by next_attempt_at_ms, created_at_ms, id
        limit 1 for update skip locked
      )
      returning held.id, held.webhook_id as "webhookId", held.attempts as attempt, held.type, held.body,
        webhooks.url, webhooks.secret`.execute(this.db);
    return rows[0] ?? null;
  }

  /**
   * Settles an attempt, if nobody has taken the delivery since: done when it was taken, due again at `retryAtMs` when not, given
   * up where that is null.
   */
  async settle(claim: DeliveryClaim, { status, error }: DeliveryAttempt, retryAtMs: number | null): Promise<void> {
    await this.held(claim)
      .set({
        status: error === null ? 'delivered' : retryAtMs === null ? 'failed' : 'pending',
        next_attempt_at_ms: error === null ? null : retryAtMs,
        last_status: status,
        last_error: error,
      })
      .execute();
  }

  /** Gives a delivery back as if the attempt had not been made. */
  async release(claim: DeliveryClaim, nowMs: number): Promise<void> {
    await this.held(claim)
      .set((eb) => ({ attempts: eb('attempts', '-', 1), next_attempt_at_ms: nowMs }))
      .execute();
  }

  /** Forgets what was settled and is older than `beforeMs`. */
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
