import { randomUUID } from 'node:crypto';
import { afterCommit } from '../../data/state/index.js';
import type { Capability, Foundation } from '../capability.js';
import { Seal } from '../seal.js';
import { WebhookDispatcher } from './dispatcher.js';
import { SqlWebhookOutbox } from './outbox.js';
import { WebhookSender } from './send.js';
import { SqlWebhookStore } from './store.js';
import { Webhooks } from './webhooks.js';

export function openWebhooks(foundation: Foundation): Capability<'Webhooks'> {
  const { config, state, secret, clock, random, onInternalError } = foundation;
  const seal = new Seal(secret, 'webhook secrets');
  const sender = new WebhookSender({ allowsPrivate: config.BARLINE_WEBHOOK_PRIVATE_HOSTS === 'allow' });
  const outbox = new SqlWebhookOutbox(state.db);
  const dispatcher = new WebhookDispatcher({ outbox, sender, seal, clock, random, onInternalError });
  const store = new SqlWebhookStore(state.db);
  const onQueued = (): void => afterCommit(() => dispatcher.wake());
  const webhooks = new Webhooks({ store, seal, sender, clock, newId: randomUUID, onQueued });
  return {
    loops: [dispatcher],
    upkeep: () => dispatcher.trim(),
    methods: {
      'Webhooks.Create': (request, { caller }) => webhooks.create(caller, request),
      'Webhooks.List': (_, { caller }) => webhooks.list(caller),
      'Webhooks.Get': ({ id }, { caller }) => webhooks.get(caller, id),
      'Webhooks.Delete': ({ id }, { caller }) => webhooks.delete(caller, id),
      'Webhooks.Rotate': ({ id }, { caller }) => webhooks.rotate(caller, id),
      'Webhooks.Test': ({ id }, { caller }) => webhooks.test(caller, id),
      'Webhooks.ListDeliveries': (request, { caller }) => webhooks.deliveries(caller, request),
    },
  };
}
