import { randomBytes, randomUUID } from 'node:crypto';
import { afterCommit, isUuid } from '../../data/state/index.js';
import { quote } from '../../engine/errors.js';
import { isoTime } from '../../engine/series/index.js';
import { ApiError, notFound, requireFields } from '../api-error.js';
import type { Caller } from '../caller.js';
import type { Capability, Foundation } from '../capability.js';
import { clampPage } from '../read-fields.js';
import { Seal } from '../seal.js';
import type { WallClock } from '../wall-clock.js';
import { WebhookDispatcher } from './dispatcher.js';
import { ALL_EVENTS, webhookEventTypes } from './events.js';
import { SqlWebhookOutbox } from './outbox.js';
import { WebhookSender } from './send.js';
import { type DeliveryRow, SqlWebhookStore, type WebhookRow } from './store.js';
import { type DeliveryStatus, deliveryStatuses } from './tables.js';

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
    reads: ['Webhooks.List', 'Webhooks.Get'],
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

/** Most webhooks of an organization. */
const WEBHOOKS_MAX = 20;
/**
 * A test is refused when this many deliveries wait for the webhook; far fewer than the events that
 * may wait.
 */
export const WAITING_MAX_FOR_TEST = 100;
const WAITING_RETRY_S = 60;
const URL_CHARS_MAX = 2_000;
const DESCRIPTION_CHARS_MAX = 200;
const LIMIT_DEFAULT = 50;
const SECRET_BYTES = 32;

interface WebhooksParts {
  readonly store: SqlWebhookStore;
  readonly seal: Seal;
  readonly sender: Pick<WebhookSender, 'mayReach'>;
  readonly clock: WallClock;
  /** Returns a new UUID. */
  readonly newId: () => string;
  /** Called when a delivery was put into the outbox. */
  readonly onQueued: () => void;
}

interface WebhookRequest {
  readonly url?: string;
  /** Empty or absent means all. */
  readonly events?: readonly string[];
  readonly description?: string;
}

interface DeliveriesRequest {
  readonly id: string;
  readonly status?: string;
  readonly limit?: number;
  readonly offset?: number;
}

/** The webhooks of an organization. Other organizations' webhooks appear not to exist. */
export class Webhooks {
  readonly #parts: WebhooksParts;

  constructor(parts: WebhooksParts) {
    this.#parts = parts;
  }

  /**
   * Shows the secret that signs deliveries, here and never again.
   * @throws ApiError MISSING_FIELD, VALIDATION_ERROR, or CONFLICT if there are already
   *   `WEBHOOKS_MAX`
   */
  async create({ orgId, userId }: Caller, request: WebhookRequest) {
    requireFields(request, ['url']);
    const { store, seal, clock, newId } = this.#parts;
    const secret = newSecret();
    const webhook: WebhookRow = {
      id: newId(),
      org_id: orgId,
      user_id: userId,
      url: this.#readUrl(request.url ?? ''),
      description: readDescription(request.description),
      events: readEvents(request.events ?? []),
      secret: seal.seal(secret),
      created_at_ms: clock(),
    };
    if (await store.add(webhook, WEBHOOKS_MAX)) return { secret, webhook: shown(webhook) };
    throw new ApiError(
      'CONFLICT',
      `an organization may have at most ${WEBHOOKS_MAX} webhooks and already has that many`,
    );
  }

  async list({ orgId }: Caller) {
    const rows = await this.#parts.store.list(orgId);
    return { webhooks: rows.map(shown), total: rows.length };
  }

  async get(caller: Caller, id: string) {
    return { webhook: shown(await this.#find(caller, id)) };
  }

  /** Deletes a webhook and drops its pending deliveries. */
  async delete({ orgId }: Caller, id: string) {
    const isGone = isUuid(id) && (await this.#parts.store.delete(orgId, id));
    if (!isGone) throw notFound('webhook', id);
    return { message: 'Webhook deleted' };
  }

  /** Sets a new secret, which signs every later attempt. */
  async rotate({ orgId }: Caller, id: string) {
    const { store, seal } = this.#parts;
    const secret = newSecret();
    const isSet = isUuid(id) && (await store.setSecret(orgId, id, seal.seal(secret)));
    if (!isSet) throw notFound('webhook', id);
    return { secret };
  }

  /**
   * Sends a `webhook.test` event to this webhook, regardless of its event types, and ends its pause
   * after failures.
   * @throws ApiError RATE_LIMITED if `WAITING_MAX_FOR_TEST` deliveries are waiting for it
   */
  async test(caller: Caller, id: string) {
    const { store, clock, newId, onQueued } = this.#parts;
    await this.#find(caller, id);
    const event = { id: `webhook.test:${newId()}`, type: 'webhook.test', atMs: clock(), data: { webhook_id: id } };
    const row = await store.enqueue(caller.orgId, id, event, WAITING_MAX_FOR_TEST);
    if (row === null) {
      throw new ApiError(
        'RATE_LIMITED',
        `${WAITING_MAX_FOR_TEST} deliveries already wait for this webhook, too many to add a test`,
        {
          retry_after: WAITING_RETRY_S,
        },
      );
    }
    onQueued();
    return { delivery: shownDelivery(row) };
  }

  async deliveries(caller: Caller, request: DeliveriesRequest) {
    const status = readStatus(request.status);
    const page = clampPage(request.offset, request.limit, LIMIT_DEFAULT);
    const webhook = await this.#find(caller, request.id);
    const { rows, total } = await this.#parts.store.deliveries(webhook.id, { status, ...page });
    return { deliveries: rows.map(shownDelivery), total, ...page };
  }

  async #find({ orgId }: Caller, id: string): Promise<WebhookRow> {
    const row = isUuid(id) ? await this.#parts.store.find(orgId, id) : null;
    if (row === null) throw notFound('webhook', id);
    return row;
  }

  #readUrl(text: string): string {
    if (text.length > URL_CHARS_MAX)
      throw invalid('url', `must have at most ${URL_CHARS_MAX} characters, had ${text.length}`);
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || !['http:', 'https:'].includes(url.protocol)) {
      throw invalid('url', `must be an http or https URL, was ${quote(text)}`);
    }
    if (url.username !== '' || url.password !== '') throw invalid('url', 'must not contain a user name or password');
    if (!this.#parts.sender.mayReach(url)) throw invalid('url', `must name a public host, was ${quote(url.hostname)}`);
    return text;
  }
}

const invalid = (field: string, problem: string) => new ApiError('VALIDATION_ERROR', `${field} ${problem}`, { field });

const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`;

function readDescription(text: string | undefined): string | null {
  if (text === undefined || text.length <= DESCRIPTION_CHARS_MAX) return text ?? null;
  throw invalid('description', `must have at most ${DESCRIPTION_CHARS_MAX} characters, had ${text.length}`);
}

function readEvents(types: readonly string[]): readonly string[] {
  const known: readonly string[] = [...webhookEventTypes, ALL_EVENTS];
  const unknown = types.find((type) => !known.includes(type));
  if (unknown !== undefined) throw invalid('events', `must be among ${known.join(', ')}, was ${quote(unknown)}`);
  return types.length === 0 || types.includes(ALL_EVENTS) ? [ALL_EVENTS] : [...new Set(types)];
}

function readStatus(status: string | undefined): DeliveryStatus | null {
  const known = deliveryStatuses.find((each) => each === status);
  if (status === undefined || known !== undefined) return known ?? null;
  throw invalid('status', `must be one of ${deliveryStatuses.join(', ')}, was ${quote(status)}`);
}

const shown = ({ id, url, description, events, created_at_ms, user_id }: WebhookRow) => ({
  id,
  url,
  description,
  events,
  created_at: isoTime(created_at_ms),
  created_by: user_id,
});

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

const shownDelivery = (row: DeliveryRow) => ({
  id: row.id,
  event_id: row.event_id,
  type: row.type,
  payload: JSON.parse(row.body) as object,
  status: row.status,
  attempts: row.attempts,
  created_at: isoTime(row.created_at_ms),
  last_attempt_at: timeOrNull(row.last_attempt_at_ms),
  last_status: row.last_status,
  last_error: row.last_error,
  next_attempt_at: timeOrNull(row.next_attempt_at_ms),
});
