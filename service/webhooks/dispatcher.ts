import { setMaxListeners } from 'node:events';
import type { Busy, DeliveryAttempt, DeliveryClaim, SqlWebhookOutbox } from '../../data/state/index.js';
import type { Seal } from '../seal.js';
import type { WallClock } from '../wall-clock.js';
import type { WebhookSender } from './send.js';
import { deliveryHeaders } from './signature.js';

interface DispatcherParts {
  readonly outbox: SqlWebhookOutbox;
  readonly sender: WebhookSender;
  /** Opens the secrets of webhooks. */
  readonly seal: Seal;
  readonly clock: WallClock;
  /**
   * 0 or more, below 1: spreads retries, so that receivers that come back are not met by all at
   * once.
   */
  readonly random: () => number;
  readonly onInternalError: (error: unknown) => void;
  /** How long to rest when nothing is due, in ms; `wake` ends the rest. */
  readonly idleMs?: number;
}

/** Deliveries under way at a time, each to a webhook of its own. */
export const CONCURRENCY_MAX = 16;
/** Of one organization, so that others find room whatever its receivers do. */
export const ORGANIZATION_MAX = 4;
/** Longer than an attempt can take. */
export const LEASE_MS = 30_000;
const IDLE_MS = 1_000;

const RETRY_MS_FIRST = 5_000;
/** With the wait doubling each time, the last attempt comes some 23 hours after the first. */
export const ATTEMPTS_MAX = 15;
/**
 * For a webhook whose attempts fail: what waits for it is sent so long after it is back at the
 * latest.
 */
export const BLOCK_MS_MAX = 300_000;
/** What has not been taken by then is given up. */
export const WAITING_MS_MAX = 86_400_000;
/** How far a wait may be off, as a fraction of it. */
const JITTER = 0.2;
/** How long what became of a delivery can be read. */
const LOG_MS = 30 * 86_400_000;

/** How long to wait after so many attempts that failed, in ms. */
const waitAfter = (attempts: number, random: number): number =>
  Math.round(RETRY_MS_FIRST * 2 ** (attempts - 1) * (1 + JITTER * (2 * random - 1)));

/** How long a delivery waits after so many attempts, in ms; null: it is not tried again. */
export const retryAfter = (attempts: number, random: number): number | null =>
  attempts >= ATTEMPTS_MAX ? null : waitAfter(attempts, random);

/**
 * Sends what is due in the outbox, at least once each: a delivery whose process died is sent again
 * when its lease has ended, under the same id. Any number of dispatchers share the work.
 */
export class WebhookDispatcher {
  readonly #parts: DispatcherParts;
  /** By webhook. */
  readonly #underWay = new Map<string, { readonly orgId: string; readonly delivery: Promise<void> }>();
  #stopping: AbortController | null = null;
  #loop: Promise<void> = Promise.resolve();
  /** Ends the rest at hand. */
  #rise: () => void = () => {};
  /** Something came while there was other work; then there is no rest after it. */
  #isWoken = false;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  /** Works until `stop`. */
  start(): void {
    if (this.#stopping !== null) return;
    this.#stopping = new AbortController();
    setMaxListeners(CONCURRENCY_MAX, this.#stopping.signal); // one for each delivery
    this.#loop = this.#work(this.#stopping.signal);
  }

  /** There is something new in the outbox. */
  wake(): void {
    this.#isWoken = true;
    this.#rise();
  }

  /** Breaks off what is under way, gives it back and ends. */
  async stop(): Promise<void> {
    this.#stopping?.abort(new Error('the dispatcher was stopped'));
    this.wake();
    await this.#loop;
    this.#stopping = null;
  }

  /**
   * Gives up deliveries that have waited too long, and forgets those that were settled long ago.
   */
  async trim(): Promise<void> {
    const { outbox, clock } = this.#parts;
    const nowMs = clock();
    await outbox.expire(nowMs - WAITING_MS_MAX, nowMs - LEASE_MS);
    await outbox.trim(nowMs - LOG_MS);
  }

  async #work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const hasTaken = this.#underWay.size < CONCURRENCY_MAX && (await this.#takeNext(signal));
      if (!hasTaken && !signal.aborted) await this.#rest();
    }
    await Promise.all([...this.#underWay.values()].map(({ delivery }) => delivery));
  }

  /**
   * Takes one delivery and sends it in the background; false when there is nothing to do at the
   * moment.
   */
  async #takeNext(signal: AbortSignal): Promise<boolean> {
    const { outbox, clock, onInternalError } = this.#parts;
    try {
      const claim = await outbox.claim(this.#busy(), clock(), clock() + LEASE_MS);
      if (claim === null) return false;
      const delivery = this.#deliver(claim, signal)
        .catch(onInternalError) // the store is away; the lease ends, and it is sent again
        .finally(() => {
          this.#underWay.delete(claim.webhookId);
          this.wake(); // the same webhook may have another
        });
      this.#underWay.set(claim.webhookId, { orgId: claim.orgId, delivery });
      return true;
    } catch (error) {
      onInternalError(error);
      return false;
    }
  }

  /**
   * A webhook has one delivery under way, so that a slow one holds up nobody; an organization has
   * its share.
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
      return { status: null, error: 'the secret was sealed under another secret of the server: rotate it' };
    }
    const headers = deliveryHeaders(opened, { id, type, body, nowMs: clock() });
    return sender.send({ url, headers, body }, signal);
  }

  #rest(): Promise<void> {
    return new Promise((resolve) => {
      const timeout = setTimeout(resolve, this.#isWoken ? 0 : (this.#parts.idleMs ?? IDLE_MS));
      timeout.unref();
      this.#isWoken = false;
      this.#rise = () => {
        clearTimeout(timeout);
        resolve();
      };
    });
  }
}
