export { Seal } from '../seal.js';
export { WebhookDispatcher } from './dispatcher.js';
export { WebhookSender } from './send.js';
export { Webhooks } from './webhooks.js';
