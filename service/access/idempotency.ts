import { randomUUID } from 'node:crypto';
import { sha256 } from '../../data/hashes/index.js';
import type { IdempotencyScope, IdempotencyStore } from '../../data/state/index.js';
import { canonicalJson } from '../../engine/index.js';
import { ApiError } from '../api-error.js';
import type { Caller } from '../caller.js';
import { Seal } from '../seal.js';
import type { WallClock } from '../wall-clock.js';

/** How long an answer is kept for replay. */
export const REPLAY_MS = 86_400_000;

/**
 * How long a call holds its key without an answer. It is longer than any call may take; it frees
 * the key of a process that died in the middle of a call.
 */
export const LEASE_MS = 120_000;

const KEY_CHARS_MAX = 255;

export interface IdempotentCall<Answer> {
  readonly caller: Pick<Caller, 'orgId' | 'userId'>;
  readonly method: string;
  /** As the client sent it, 1..255 visible ASCII characters; if undefined, the call simply runs. */
  readonly key: string | undefined;
  /** The request as the use case gets it: two calls with one key must agree on all of it. */
  readonly request: unknown;
  /** The answer must survive JSON. */
  run(): Promise<Answer>;
}

export interface Idempotent<Answer> {
  readonly answer: Answer;
  readonly isReplay: boolean;
}

/**
 * Makes a call take effect once, however often it is sent. Only successes are kept: a failed call
 * may be sent again under the same key. Answers are encrypted, as they may hold secrets that are
 * shown once, such as a new API key.
 */
export class Idempotency {
  readonly #store: IdempotencyStore;
  readonly #clock: WallClock;
  readonly #seal: Seal;

  /** @param secret of the server, the same on all hosts of a deployment */
  constructor(store: IdempotencyStore, secret: string, clock: WallClock) {
    this.#store = store;
    this.#clock = clock;
    this.#seal = new Seal(secret, 'idempotency answers');
  }

  /**
   * @throws ApiError VALIDATION_ERROR for a key used with another body, CONFLICT with `retry_after`
   *   (seconds) while a call with the same key runs, and any error of `run`
   */
  async run<Answer>({ caller, method, key, request, run }: IdempotentCall<Answer>): Promise<Idempotent<Answer>> {
    if (key === undefined) return { answer: await run(), isReplay: false };
    const scope = { orgId: caller.orgId, userId: caller.userId, method, key: readKey(key) };
    const leaseId = randomUUID();
    const nowMs = this.#clock();
    const bodyHash = hashOf(request);
    const claim = await this.#store.claim(scope, { bodyHash, leaseId, nowMs, leaseEndsMs: nowMs + LEASE_MS });
    if (claim.outcome === 'replay')
      return { answer: JSON.parse(this.#seal.open(claim.answer)) as Answer, isReplay: true };
    if (claim.outcome === 'other_body') {
      throw new ApiError('VALIDATION_ERROR', 'Idempotency-Key was used with another request body', {
        field: 'Idempotency-Key',
      });
    }
    if (claim.outcome === 'in_flight') {
      throw new ApiError('CONFLICT', 'A request with this Idempotency-Key is still in progress', { retry_after: 1 });
    }
    return { answer: await this.#runHeld(scope, leaseId, run), isReplay: false };
  }

  async #runHeld<Answer>(scope: IdempotencyScope, leaseId: string, run: () => Promise<Answer>): Promise<Answer> {
    let answer: Answer;
    try {
      answer = await run();
    } catch (error) {
      // The lease expires anyway; the cause matters more.
      await this.#store.release(scope, leaseId).catch(() => {});
      throw error;
    }
    const sealed = this.#seal.seal(JSON.stringify(answer));
    await this.#store.complete(scope, leaseId, sealed, this.#clock() + REPLAY_MS);
    return answer;
  }
}

function readKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key) && key.length <= KEY_CHARS_MAX) return key;
  throw new ApiError('VALIDATION_ERROR', `Idempotency-Key must have 1..${KEY_CHARS_MAX} visible ASCII characters`, {
    field: 'Idempotency-Key',
  });
}

/** Hashes the canonical text, so that the order of keys does not matter. */
function hashOf(request: unknown): string {
  try {
    return sha256(canonicalJson(request ?? null));
  } catch (error) {
    if (error instanceof RangeError) throw new ApiError('VALIDATION_ERROR', 'Request body is nested too deeply');
    throw error;
  }
}
