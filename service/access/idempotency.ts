import { randomUUID } from 'node:crypto';
import { sha256 } from '../../data/hashes/index.js';
import { apart, holdsTransaction, inUnitOfWork } from '../../data/state/index.js';
import { canonicalJson } from '../../engine/canonical-json.js';
import { ApiError, asApiError } from '../api-error.js';
import type { Caller } from '../caller.js';
import { Seal } from '../seal.js';
import type { WallClock } from '../wall-clock.js';
import { whileHeld } from '../work/lease.js';
import type { IdempotencyClaim, IdempotencyScope, SqlIdempotencyStore } from './idempotency-keys.js';
import { type CallUnit, UNIT_STEP } from './limits.js';

/** How long an answer is kept for replay. */
export const REPLAY_MS = 86_400_000;

/**
 * How long a call holds its key without a sign of life. It frees the key of a process of another
 * host that died in the middle of a call; one of this host is seen to be dead at once.
 */
export const LEASE_MS = 10_000;

const KEY_CHARS_MAX = 255;

export interface IdempotentCall<Answer> {
  /** A key with scopes gets no answer that was given to other scopes, as it may show more. */
  readonly caller: Pick<Caller, 'orgId' | 'userId'> & Partial<Pick<Caller, 'scopes'>>;
  readonly method: string;
  /** As the client sent it, 1..255 visible ASCII characters; if undefined, the call simply runs. */
  readonly key: string | undefined;
  /** The request as the use case gets it: two calls with one key must agree on all of it. */
  readonly request: unknown;
  /** The answer must survive JSON. */
  run(): Promise<Answer>;
  /** What `run` has counted, to give back if it fails. */
  readonly counted?: Pick<CallUnit, 'giveBack' | 'keep'> | null | undefined;
}

/** The process, as its leases name it. */
interface LeaseHolder {
  readonly name: string;
  /** Whether the process of a name has ended for certain. */
  hasEnded(name: string): boolean;
}

export interface Idempotent<Answer> {
  readonly answer: Answer;
  readonly isReplay: boolean;
}

/**
 * Makes a call take effect once, however often it is sent: the changes that it makes and its answer
 * are one unit of work, so a process that dies leaves both or neither. Only successes are kept: a
 * failed call may be sent again under the same key. Answers are encrypted, as they may hold secrets
 * that are shown once, such as a new API key.
 */
export class Idempotency {
  readonly #store: SqlIdempotencyStore;
  readonly #clock: WallClock;
  readonly #seal: Seal;
  readonly #holder: LeaseHolder;

  /** @param secret of the server, the same on all hosts of a deployment */
  constructor(store: SqlIdempotencyStore, secret: string, clock: WallClock, holder: LeaseHolder) {
    this.#store = store;
    this.#clock = clock;
    this.#seal = new Seal(secret, 'idempotency answers');
    this.#holder = holder;
  }

  /**
   * @throws ApiError VALIDATION_ERROR for a key used with another body, CONFLICT with `retry_after`
   *   (seconds) while a call with the same key runs, and any error of `run`
   */
  async run<Answer>(call: IdempotentCall<Answer>): Promise<Idempotent<Answer>> {
    const { caller, method, key } = call;
    if (key === undefined) return { answer: await call.run(), isReplay: false };
    const scope = { orgId: caller.orgId, userId: caller.userId, method, key: readKey(key) };
    const leaseId = randomUUID();
    const claim = await this.#claim(scope, leaseId, hashRequest(asSent(call)));
    if (claim.outcome === 'replay')
      return { answer: JSON.parse(this.#seal.open(claim.answer)) as Answer, isReplay: true };
    if (claim.outcome === 'other_body') {
      throw new ApiError(
        'VALIDATION_ERROR',
        'Idempotency-Key was used with another request body or by a key with other scopes',
        {
          field: 'Idempotency-Key',
        },
      );
    }
    if (claim.outcome === 'in_flight') throw inProgress();
    const renew = (untilMs: number) => this.#store.hold(scope, leaseId, untilMs);
    // A call that loses its key goes on: what it has changed is refused at its end.
    const lease = { leaseMs: LEASE_MS, renew, clock: this.#clock, onInternalError: () => {} };
    const answer = await whileHeld(lease, () => this.#runHeld(scope, leaseId, call, { ...claim.steps }));
    return { answer, isReplay: false };
  }

  /** Takes a key, also from a dead process whose lease has not ended. */
  async #claim(scope: IdempotencyScope, leaseId: string, bodyHash: string): Promise<IdempotencyClaim> {
    const nowMs = this.#clock();
    const { name: holder, hasEnded } = this.#holder;
    const attempt = { bodyHash, leaseId, holder, nowMs, leaseEndsMs: nowMs + LEASE_MS, endsMs: nowMs + REPLAY_MS };
    const claim = await this.#store.claim(scope, attempt);
    if (claim.outcome !== 'in_flight' || claim.holder === null || !hasEnded(claim.holder)) return claim;
    return this.#store.claim(scope, { ...attempt, deadLeaseId: claim.leaseId });
  }

  async #runHeld<Answer>(
    scope: IdempotencyScope,
    leaseId: string,
    { run, counted }: IdempotentCall<Answer>,
    done: Record<string, unknown>,
  ): Promise<Answer> {
    const act = async (): Promise<Answer> => {
      const answer = await run();
      const sealed = this.#seal.seal(JSON.stringify(answer));
      const keep = () => this.#store.complete(scope, leaseId, sealed, this.#clock() + REPLAY_MS);
      // Without changes there is nothing to be one with.
      requireHeld(await (holdsTransaction() ? keep() : apart(keep)));
      return answer;
    };
    const record = async (step: string, value: unknown): Promise<void> =>
      requireHeld(await this.#store.record(scope, leaseId, step, value));
    try {
      return await inUnitOfWork(act, { done, record });
    } catch (error) {
      // The lease ends anyway; the cause matters more.
      await inUnitOfWork(() => this.#free(scope, leaseId, error, counted)).catch(() => {});
      counted?.keep(); // a unit that was not given back belongs to the next attempt
      throw error;
    }
  }

  /**
   * A refusal ends the call, and the key may have another body then. After a failure of ours, or
   * one that says when to try again, the next attempt goes on from the committed steps.
   */
  async #free(
    scope: IdempotencyScope,
    leaseId: string,
    error: unknown,
    counted: IdempotentCall<unknown>['counted'],
  ): Promise<void> {
    const known = asApiError(error);
    const isPassing = known === null || known.code === 'INTERNAL_ERROR' || known.details?.retry_after !== undefined;
    const isFreed = isPassing
      ? await this.#store.suspend(scope, leaseId, UNIT_STEP)
      : await this.#store.release(scope, leaseId);
    if (isFreed) await counted?.giveBack();
  }
}

const inProgress = (): ApiError =>
  new ApiError('CONFLICT', 'A request with this Idempotency-Key is still in progress', { retry_after: 1 });

/** A call that was taken for dead must change nothing: another has begun it again. */
function requireHeld(isHeld: boolean): void {
  if (!isHeld) throw inProgress();
}

function readKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key) && key.length <= KEY_CHARS_MAX) return key;
  throw new ApiError('VALIDATION_ERROR', `Idempotency-Key must have 1..${KEY_CHARS_MAX} visible ASCII characters`, {
    field: 'Idempotency-Key',
  });
}

/** What two calls with one key must agree on: the request, and the scopes of a key that has some. */
const asSent = ({ request, caller: { scopes = [] } }: Pick<IdempotentCall<unknown>, 'request' | 'caller'>): unknown =>
  scopes.length === 0 ? request : { request, scopes: [...scopes].sort() };

/** Hashes the canonical text, so that the order of keys does not matter. */
function hashRequest(request: unknown): string {
  try {
    return sha256(canonicalJson(request ?? null));
  } catch (error) {
    if (error instanceof RangeError) throw new ApiError('VALIDATION_ERROR', 'Request body is nested too deeply');
    throw error;
  }
}
