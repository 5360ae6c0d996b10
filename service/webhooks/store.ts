import type { Selectable } from 'kysely';
import type { Database } from '../state/tables.js';
import { eventBody } from './events.js';
import type { DeliveryStatus, WebhookDeliveryTable, WebhookTable } from './tables.js';

export type WebhookRow = Omit<Selectable<WebhookTable>, 'failures' | 'blocked_until_ms'>;
export type DeliveryRow = Selectable<WebhookDeliveryTable>;

interface DeliveryFilter {
  readonly status: DeliveryStatus | null;
  readonly limit: number;
  readonly offset: number;
}

/**
 * Webhooks and the log of their deliveries. Methods that take an organization read and change only
 * its webhooks.
 */
export class SqlWebhookStore {
  constructor(private readonly db: Database) {}

  /** Adds a webhook unless its organization already has `max`. @returns whether it did */
  async add(webhook: WebhookRow, max: number): Promise<boolean> {
    return this.db.transaction().execute(async (open) => {
      // A second call waits here and counts after the first is done.
      await open.selectFrom('organizations').where('id', '=', webhook.org_id).select('id').forUpdate().execute();
      const { count } = await open
        .selectFrom('webhooks')
        .where('org_id', '=', webhook.org_id)
        .select(open.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      if (Number(count) >= max) return false;
      await open
        .insertInto('webhooks')
        .values({ ...webhook, events: JSON.stringify(webhook.events) })
        .execute();
      return true;
    });
  }

  /** Newest first. */
  async list(orgId: string): Promise<readonly WebhookRow[]> {
    return this.db
      .selectFrom('webhooks')
      .where('org_id', '=', orgId)
      .selectAll()
      .orderBy('created_at_ms', 'desc')
      .orderBy('id')
      .execute();
  }

  async find(orgId: string, id: string): Promise<WebhookRow | null> {
    const query = this.db.selectFrom('webhooks').where('org_id', '=', orgId).where('id', '=', id).selectAll();
    return (await query.executeTakeFirst()) ?? null;
  }

  /** Deletes a webhook and its deliveries; false when there is none. */
  async delete(orgId: string, id: string): Promise<boolean> {
    const query = this.db.deleteFrom('webhooks').where('org_id', '=', orgId).where('id', '=', id);
    return (await query.executeTakeFirst()).numDeletedRows > 0n;
  }

  async setSecret(orgId: string, id: string, secret: Uint8Array): Promise<boolean> {
    const query = this.db.updateTable('webhooks').set({ secret }).where('org_id', '=', orgId).where('id', '=', id);
    return (await query.executeTakeFirst()).numUpdatedRows > 0n;
  }

  /**
   * Puts an event into the outbox of this webhook alone, also one of a type that it does not
   * subscribe to, and unblocks it so that the attempt is made at once.
   * @returns null when there is no such webhook, or when `max` deliveries wait for it
   */
  async enqueue(
    orgId: string,
    webhookId: string,
    event: { readonly id: string; readonly type: string; readonly atMs: number; readonly data: object },
    max: number,
  ): Promise<DeliveryRow | null> {
    const { id, type, atMs, data } = event;
    const body = eventBody(id, type, atMs, data);
    const row = await this.db
      .insertInto('webhook_deliveries')
      .columns(['webhook_id', 'event_id', 'type', 'body', 'next_attempt_at_ms', 'created_at_ms'])
      .expression((eb) =>
        eb
          .selectFrom('webhooks')
          .where('org_id', '=', orgId)
          .where('id', '=', webhookId)
          .where(({ selectFrom, fn, eb }) => {
            const waiting = selectFrom('webhook_deliveries').where('webhook_id', '=', webhookId);
            return eb(waiting.where('status', '=', 'pending').select(fn.countAll().as('count')), '<', max);
          })
          .select(({ val, cast }) => [
            'id',
            val(id).as('event_id'),
            val(type).as('type'),
            val(body).as('body'),
            cast<number>(val(atMs), 'bigint').as('next_attempt_at_ms'),
            cast<number>(val(atMs), 'bigint').as('created_at_ms'),
          ])
          .forKeyShare(),
      )
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) return null;
    await this.db.updateTable('webhooks').set({ blocked_until_ms: 0 }).where('id', '=', webhookId).execute();
    return row;
  }

  /** Newest first, then by id; `total` counts all deliveries that match the filter. */
  async deliveries(webhookId: string, { status, limit, offset }: DeliveryFilter) {
    const all = this.db.selectFrom('webhook_deliveries').where('webhook_id', '=', webhookId);
    const matching = status === null ? all : all.where('status', '=', status);
    const [rows, { count }] = await Promise.all([
      matching.selectAll().orderBy('created_at_ms', 'desc').orderBy('id').offset(offset).limit(limit).execute(),
      matching.select(this.db.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    ]);
    return { rows, total: Number(count) };
  }
}
