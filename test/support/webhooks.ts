import { randomUUID } from 'node:crypto';
import { Seal } from '../../service/seal.js';
import type { State } from '../../service/state/index.js';
import { Webhooks } from '../../service/webhooks/capability.js';
import { WebhookDispatcher } from '../../service/webhooks/dispatcher.js';
import { enqueueWebhookEvent, type WebhookEvent } from '../../service/webhooks/events.js';
import { SqlWebhookOutbox } from '../../service/webhooks/outbox.js';
import { WebhookSender } from '../../service/webhooks/send.js';
import { type DeliveryRow, SqlWebhookStore } from '../../service/webhooks/store.js';
import { deleteRows } from './shared-state.js';

export const T0 = Date.UTC(2024, 0, 1);

/** For a claim of any delivery that is due. */
export const nothingBusy = { webhooks: [], organizations: [] };

export const callerOf = () => ({
  userId: randomUUID(),
  orgId: randomUUID(),
  role: 'owner' as const,
  tier: 'local',
  credential: 'key' as const,
  credentialId: randomUUID(),
  scopes: [],
});

/** An organization, its outbox, and dispatchers on a clock that stands still. */
export async function setUpWebhooks({ db }: State) {
  await deleteRows(db);
  const time = { nowMs: T0 };
  const clock = () => time.nowMs;
  const seal = new Seal('the secret of the server', 'webhook secrets');
  const sender = new WebhookSender({ allowsPrivate: true });
  const store = new SqlWebhookStore(db);
  const outbox = new SqlWebhookOutbox(db);
  const webhooks = new Webhooks({ store, seal, sender, clock, newId: randomUUID, onQueued: () => {} });
  const failures: unknown[] = [];
  const dispatcher = (more: object = {}) =>
    new WebhookDispatcher({
      outbox,
      sender,
      seal,
      clock,
      random: () => 0.5,
      onInternalError: (error) => failures.push(error),
      idleMs: 5,
      ...more,
    });
  const caller = callerOf();
  const eventOf = (id: string, changes: Partial<WebhookEvent> = {}): WebhookEvent => ({
    id,
    type: 'backtest.completed',
    orgId: caller.orgId,
    atMs: time.nowMs,
    data: { text: 'ä "quoted" 日本' },
    ...changes,
  });
  const tell = (id: string, changes: Partial<WebhookEvent> = {}) => enqueueWebhookEvent(db, eventOf(id, changes));
  const log = async (): Promise<DeliveryRow[]> =>
    db.selectFrom('webhook_deliveries').selectAll().orderBy('created_at_ms').orderBy('event_id').execute();
  /** Waits until the log satisfies the condition. */
  const until = async (isSo: (rows: DeliveryRow[]) => boolean): Promise<DeliveryRow[]> => {
    for (;;) {
      const rows = await log();
      if (isSo(rows)) return rows;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { db, time, webhooks, outbox, dispatcher, caller, eventOf, tell, log, until, failures };
}

export type WebhookSetup = Awaited<ReturnType<typeof setUpWebhooks>>;
