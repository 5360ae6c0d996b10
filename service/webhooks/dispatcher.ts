import { setMaxListeners } from 'node:events';
import type { Seal } from '../seal.js';
import type { WallClock } from '../wall-clock.js';
import { WorkLoop } from '../work/work-loop.js';
import type { Busy, DeliveryAttempt, DeliveryClaim, SqlWebhookOutbox } from './outbox.js';
import { deliveryHeaders, type WebhookSender } from './send.js';

interface DispatcherParts {
  readonly outbox: SqlWebhookOutbox;
  readonly sender: WebhookSender;
  /** Decrypts the secrets of webhooks. */
  readonly seal: Seal;
  readonly clock: WallClock;
  /**
   * From 0 to below 1: spreads retries, so that a receiver that comes back does not get them all at
   * once.
   */
  readonly random: () => number;
  readonly onInternalError: (error: unknown) => void;
  /** Rest when nothing is due, in ms; `wake` ends it. */
  readonly idleMs?: number;
}

/** Most deliveries under way at a time, each to a different webhook. */
export const CONCURRENCY_MAX = 16;
/** Most of them for one organization, so that its slow receivers leave room for others. */
export const ORGANIZATION_MAX = 4;
/** Longer than any attempt. */
export const LEASE_MS = 30_000;
const IDLE_MS = 1_000;

const RETRY_MS_FIRST = 5_000;
/** The wait doubles each time, so the last attempt comes some 23 hours after the first. */
export const ATTEMPTS_MAX = 15;
/**
 * Longest pause of a webhook whose attempts fail: its waiting deliveries are sent at most this long
 * after it recovers.
 */
export const BLOCK_MS_MAX = 300_000;
/** A delivery that has waited this long is given up. */
export const WAITING_MS_MAX = 86_400_000;
/** Random spread of a wait, as a fraction of it. */
const JITTER = 0.2;
/** How long the outcome of a delivery can be read. */
const LOG_MS = 30 * 86_400_000;

/** Wait after this number of failed attempts, in ms. */
const waitAfter = (attempts: number, random: number): number =>
  Math.round(RETRY_MS_FIRST * 2 ** (attempts - 1) * (1 + JITTER * (2 * random - 1)));

/** Wait of a delivery after this number of attempts, in ms; null if it is not tried again. */
export const retryAfter = (attempts: number, random: number): number | null =>
  attempts >= ATTEMPTS_MAX ? null : waitAfter(attempts, random);

/**
 * Sends due deliveries of the outbox at least once each. If a process dies, its delivery is sent
 * again under the same id when its lease expires. Any number of dispatchers share the work.
 */
export class WebhookDispatcher extends WorkLoop {
  readonly #parts: DispatcherParts;
  /** By webhook id. */
  readonly #underWay = new Map<string, { readonly orgId: string; readonly delivery: Promise<void> }>();

  constructor(parts: DispatcherParts) {
    super({ restMs: parts.idleMs ?? IDLE_MS, onInternalError: parts.onInternalError });
    this.#parts = parts;
  }

  /** Aborts the deliveries under way, returns them to the outbox and ends. */
  override async stop(): Promise<void> {
    await super.stop();
    await Promise.all([...this.#underWay.values()].map(({ delivery }) => delivery));
  }

  /** Gives up deliveries that have waited too long, and deletes old settled ones. */
  async trim(): Promise<void> {
    const { outbox, clock } = this.#parts;
    const nowMs = clock();
    await outbox.expire(nowMs - WAITING_MS_MAX, nowMs - LEASE_MS);
    await outbox.trim(nowMs - LOG_MS);
  }

  /** Takes one delivery and sends it in the background; false if nothing can be sent now. */
  protected async takeNext(signal: AbortSignal): Promise<boolean> {
    if (this.#underWay.size >= CONCURRENCY_MAX) return false;
    const { outbox, clock, onInternalError } = this.#parts;
    const claim = await outbox.claim(this.#busy(), clock(), clock() + LEASE_MS);
    if (claim === null) return false;
    setMaxListeners(CONCURRENCY_MAX, signal); // one listener per delivery
    const delivery = this.#deliver(claim, signal)
      // The store is unavailable; after its lease the delivery is sent again.
      .catch(onInternalError)
      .finally(() => {
        this.#underWay.delete(claim.webhookId);
        this.wake(); // the same webhook may have another delivery
      });
    this.#underWay.set(claim.webhookId, { orgId: claim.orgId, delivery });
    return true;
  }

  /**
   * Skips webhooks with a delivery under way, so that a slow one does not delay others, and
   * organizations that use their full share.
   */
  #busy(): Busy {
    const orgIds = [...this.#underWay.values()].map(({ orgId }) => orgId);
    const isFull = (orgId: string) => orgIds.filter((each) => each === orgId).length >= ORGANIZATION_MAX;
    return { webhooks: [...this.#underWay.keys()], organizations: [...new Set(orgIds)].filter(isFull) };
  }

  async #deliver(claim: DeliveryClaim, signal: AbortSignal): Promise<void> {
    const { outbox, clock, random } = this.#parts;
    let attempt: DeliveryAttempt;
    try {
      attempt = await this.#attempt(claim, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      await outbox.release(claim, clock());
      return;
    }
    const [nowMs, chance] = [clock(), random()];
    const waitMs = retryAfter(claim.attempt, chance);
    await outbox.settle(claim, attempt, {
      deliveryMs: waitMs === null ? null : nowMs + waitMs,
      webhookMs: nowMs + Math.min(waitAfter(claim.failures + 1, chance), BLOCK_MS_MAX),
    });
  }

  async #attempt({ id, type, body, url, secret }: DeliveryClaim, signal: AbortSignal): Promise<DeliveryAttempt> {
    const { sender, seal, clock } = this.#parts;
    let opened: string;
    try {
      opened = seal.open(secret);
    } catch {
      return { status: null, error: 'the secret was encrypted with another secret of the server: rotate it' };
    }
    const headers = deliveryHeaders(opened, { id, type, body, nowMs: clock() });
    return sender.send({ url, headers, body }, signal);
  }
}
