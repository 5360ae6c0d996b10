import type { Webhooks } from '../../service/webhooks/index.js';
import type { Handlers } from '../calls.js';

type Request<Method extends keyof Webhooks> = Parameters<Webhooks[Method]>[1];
type Id = { readonly id: string };

export const webhookHandlers = (webhooks: Webhooks): Handlers => ({
  'Webhooks.Create': (request: Request<'create'>, { caller }) => webhooks.create(caller, request),
  'Webhooks.List': (_: object, { caller }) => webhooks.list(caller),
  'Webhooks.Get': ({ id }: Id, { caller }) => webhooks.get(caller, id),
  'Webhooks.Delete': ({ id }: Id, { caller }) => webhooks.delete(caller, id),
  'Webhooks.Rotate': ({ id }: Id, { caller }) => webhooks.rotate(caller, id),
  'Webhooks.Test': ({ id }: Id, { caller }) => webhooks.test(caller, id),
  'Webhooks.ListDeliveries': (request: Request<'deliveries'>, { caller }) => webhooks.deliveries(caller, request),
});
