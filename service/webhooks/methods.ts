import type { UseCasesOf } from '../use-cases.js';
import type { Webhooks } from './webhooks.js';

export const webhookMethods = (webhooks: Webhooks): UseCasesOf<'Webhooks'> => ({
  'Webhooks.Create': (request, { caller }) => webhooks.create(caller, request),
  'Webhooks.List': (_, { caller }) => webhooks.list(caller),
  'Webhooks.Get': ({ id }, { caller }) => webhooks.get(caller, id),
  'Webhooks.Delete': ({ id }, { caller }) => webhooks.delete(caller, id),
  'Webhooks.Rotate': ({ id }, { caller }) => webhooks.rotate(caller, id),
  'Webhooks.Test': ({ id }, { caller }) => webhooks.test(caller, id),
  'Webhooks.ListDeliveries': (request, { caller }) => webhooks.deliveries(caller, request),
});
