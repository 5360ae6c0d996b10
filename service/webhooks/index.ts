export { Seal } from '../seal.js';
export { WebhookDispatcher } from './dispatcher.js';
export { webhookMethods } from './methods.js';
export { WebhookSender } from './send.js';
export { Webhooks } from './webhooks.js';
