import { randomUUID } from 'node:crypto';
import { afterCommit } from '../../data/state/index.js';
import type { Database } from '../state/index.js';
import {
  Seal,
  SqlWebhookOutbox,
  SqlWebhookStore,
  WebhookDispatcher,
  WebhookSender,
  Webhooks,
} from './index.js';
import type { ServiceConfig } from '../settings/config.js';

interface WebhooksEnvironment {
  readonly config: ServiceConfig;
  readonly db: Database;
  /** The server's secret. */
  readonly secret: string;
  /** The system clock, epoch ms. */
  readonly clock: () => number;
  readonly onInternalError: (error: unknown) => void;
}

export function composeWebhooks({ config, db, secret, clock, onInternalError }: WebhooksEnvironment) {
  const seal = new Seal(secret, 'webhook secrets');
  const sender = new WebhookSender({ allowsPrivate: config.BARLINE_WEBHOOK_PRIVATE_HOSTS === 'allow' });
  const outbox = new SqlWebhookOutbox(db);
  const dispatcher = new WebhookDispatcher({ outbox, sender, seal, clock, random: Math.random, onInternalError });
  const store = new SqlWebhookStore(db);
  const webhooks = new Webhooks({
    store,
    seal,
    sender,
    clock,
    newId: randomUUID,
    onQueued: () => afterCommit(() => dispatcher.wake()),
  });
  return { webhooks, dispatcher };
}
