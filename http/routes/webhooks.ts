import type { Route } from '../route.js';
import { id, jsonObject, numberInQuery, textInQuery, time, z } from '../zod.js';

const tag = 'Webhooks';

const webhook = z
  .object({
    id: id(),
    url: z.string(),
    description: z.string().nullable(),
    events: z.array(z.string()).openapi({ description: 'types of events; * is all' }),
    created_at: time(),
    created_by: id().openapi({ description: 'user; the webhook goes when they are no longer a member' }),
  })
  .openapi('Webhook');

const delivery = z
  .object({
    id: id(),
    event_id: z.string(),
    type: z.string(),
    payload: jsonObject('id, type, created_at, data: what is posted'),
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.int(),
    created_at: time(),
    last_attempt_at: time().nullable(),
    last_status: z.int().nullable(),
    last_error: z.string().nullable(),
    next_attempt_at: time().nullable(),
  })
  .openapi('WebhookDelivery');

const success = z.literal(true);
const secret = z.string().openapi({ description: 'signs deliveries; shown here and never again' });

export const webhookRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/webhooks',
    rpc: 'Webhooks.Create',
    summary: 'Have events posted to a URL',
    tag,
    body: z
      .object({
        url: z.string().openapi({ description: 'http or https, a public host, at most 2,000 characters' }),
        events: z.array(z.string()).openapi({ description: 'types of events; default all' }),
        description: z.string(),
      })
      .partial(),
    required: ['url'],
    status: 201,
    response: z.object({ success, secret, webhook }),
  },
  {
    method: 'get',
    path: '/webhooks',
    rpc: 'Webhooks.List',
    summary: 'List the webhooks of the organization, newest first',
    tag,
    response: z.object({ success, webhooks: z.array(webhook), total: z.int() }),
  },
  {
    method: 'get',
    path: '/webhooks/{id}',
    rpc: 'Webhooks.Get',
    summary: 'Read a webhook',
    tag,
    response: z.object({ success, webhook }),
  },
  {
    method: 'delete',
    path: '/webhooks/{id}',
    rpc: 'Webhooks.Delete',
    summary: 'Delete a webhook, and drop what it was still to be sent',
    tag,
    response: z.object({ success, message: z.string() }),
  },
  {
    method: 'post',
    path: '/webhooks/{id}/rotate',
    rpc: 'Webhooks.Rotate',
    summary: 'Give a webhook a new secret',
    tag,
    response: z.object({ success, secret }),
  },
  {
    method: 'post',
    path: '/webhooks/{id}/test',
    rpc: 'Webhooks.Test',
    summary: 'Send a webhook an event of type webhook.test',
    tag,
    status: 202,
    response: z.object({ success, delivery }),
  },
  {
    method: 'get',
    path: '/webhooks/{id}/deliveries',
    rpc: 'Webhooks.ListDeliveries',
    summary: 'What a webhook was sent and how that went, newest first',
    tag,
    query: z
      .object({
        status: textInQuery('pending, delivered or failed; default all'),
        limit: numberInQuery('rows, 1..1000, default 50'),
        offset: numberInQuery('rows to leave out, default 0'),
      })
      .partial(),
    response: z.object({
      success,
      deliveries: z.array(delivery),
      total: z.int(),
      limit: z.int(),
      offset: z.int(),
    }),
  },
];
