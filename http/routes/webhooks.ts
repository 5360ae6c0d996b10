import type { Route } from '../route.js';
import { id, jsonObject, numberInQuery, textInQuery, time, z } from '../zod.js';

const tag = 'Webhooks';

const webhook = z
  .object({
    id: id(),
    url: z.string(),
    description: z.string().nullable(),
    events: z.array(z.string()).openapi({ description: 'event types; * means all' }),
    created_at: time(),
    created_by: id().openapi({
      description: 'id of the user; the webhook is deleted when that user leaves the organization',
    }),
  })
  .openapi('Webhook');

const delivery = z
  .object({
    id: id(),
    event_id: z.string(),
    type: z.string(),
    payload: z
      .looseObject({ id: z.string(), type: z.string(), created_at: time(), data: jsonObject('depends on the type') })
      .openapi({ description: 'the body of the POST' }),
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
const secret = z.string().openapi({ description: 'signs deliveries; shown only in this reply' });

export const webhookRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/webhooks',
    rpc: 'Webhooks.Create',
    summary: 'Create a webhook: events are posted to a URL',
    tag,
    body: z
      .object({
        url: z.string().openapi({ description: 'http or https, a public host, at most 2,000 characters' }),
        events: z.array(z.string()).openapi({ description: 'event types; default all' }),
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
    summary: 'Delete a webhook and its pending deliveries',
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
    summary: 'Send an event of type webhook.test to a webhook',
    tag,
    status: 202,
    response: z.object({ success, delivery }),
  },
  {
    method: 'get',
    path: '/webhooks/{id}/deliveries',
    rpc: 'Webhooks.ListDeliveries',
    summary: 'List the deliveries of a webhook and their outcomes, newest first',
    tag,
    query: z
      .object({
        status: textInQuery('pending, delivered or failed; default all', { enum: ['pending', 'delivered', 'failed'] }),
        limit: numberInQuery('rows, 1..1000, default 50', { type: 'integer', minimum: 1, maximum: 1000, default: 50 }),
        offset: numberInQuery('rows to skip, default 0', { type: 'integer', minimum: 0, default: 0 }),
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
