export { Seal } from '../seal.js';
export { WebhookDispatcher } from './dispatcher.js';
export { webhookMethods } from './methods.js';
export { SqlWebhookOutbox } from './outbox.js';
export { WebhookSender } from './send.js';
export { SqlWebhookStore } from './store.js';
export { Webhooks } from './webhooks.js';
