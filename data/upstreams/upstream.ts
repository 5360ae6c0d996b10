import { setTimeout as delay } from 'node:timers/promises';
import {
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  isBrokenCircuitError,
} from 'cockatiel';
import { LRUCache } from 'lru-cache';
import type { LimitFunction } from 'p-limit';
import pLimit from 'p-limit';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { z } from 'zod';
import { withoutEnd } from '../../engine/text.js';
import type { UpstreamActivity, UpstreamState } from './activity.js';
import { isOutage, isPassing, UpstreamFault } from './fault.js';
import { type HttpRequest, type ReceiveRules, receive } from './receive.js';
import type { Sourced } from './sourced.js';

/** Limits of the calls to one provider. */
export interface UpstreamLimits {
  /** For a whole call: its wait for a turn, all tries and the last byte. */
  readonly deadlineMs: number;
  readonly concurrent: number;
  /** Calls that may wait for a turn. */
  readonly waiting: number;
  readonly bodyBytesMax: number;
  /** Requests a minute; null where the provider states no limit. */
  readonly perMinute: number | null;
  /** Failed calls in a row after which calls are held back, and for how long. */
  readonly failuresMax: number;
  readonly heldBackMs: number;
  /** Wait before the second try, doubled for each further one; jitter adds up to `retryMs`. */
  readonly retryMs: number;
  readonly retriesMax: number;
  /** How old an answer may be that takes the place of a failed call. */
  readonly staleMsMax: number;
  readonly answersKept: number;
}

export const defaultLimits: UpstreamLimits = Object.freeze({
  deadlineMs: 10_000,
  concurrent: 4,
  waiting: 64,
  bodyBytesMax: 32 * 1024 * 1024,
  perMinute: null,
  failuresMax: 5,
  heldBackMs: 30_000,
  retryMs: 250,
  retriesMax: 1,
  staleMsMax: 86_400_000,
  answersKept: 500,
});

/** One provider: where it is and how a request shows its key. */
export interface UpstreamOptions {
  /** As callers see it in `source`. */
  readonly name: string;
  readonly baseUrl: string;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Added to each query. */
  readonly query?: Readonly<Record<string, string>>;
  readonly limits?: Partial<UpstreamLimits>;
  /** Epoch ms. */
  readonly clock?: () => number;
  /** Uniform in [0, 1), for the jitter. */
  readonly random?: () => number;
}

type QueryValue = string | number | boolean | undefined;

export interface Question<T> {
  /** Below the base address; the caller encodes its segments. */
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>>;
  /** Sent as JSON with POST. */
  readonly body?: unknown;
  /** What the provider documents. An answer of another shape is a fault. */
  readonly schema: z.ZodType<T>;
  readonly maxAgeMs: number;
  /** Names a question whose query holds the time, so that a kept answer serves later too. */
  readonly name?: string;
  /** Default: 404. */
  readonly absentStatuses?: readonly number[];
  /**
   * Makes the requests, for a library that speaks to the provider itself. Path and query then only
   * name the question. Default: one HTTP request.
   */
  readonly send?: (rules: ReceiveRules) => Promise<unknown>;
}

interface Kept {
  readonly value: unknown;
  readonly atMs: number;
}

/** A client of one or more upstreams, through which it sends all its requests. */
export type Adapter = { readonly upstreams: readonly Upstream[] };

/**
 * The calls to one provider. Each has a deadline and few retries. Answers are kept, so equal
 * questions share one request, and a kept answer takes the place of a failed call.
 */
export class Upstream {
  readonly name: string;
  readonly #options: UpstreamOptions;
  readonly #limits: UpstreamLimits;
  readonly #clock: () => number;
  readonly #breaker: CircuitBreakerPolicy;
  readonly #turns: LimitFunction;
  readonly #rate: RateLimiterMemory | null;
  readonly #kept: LRUCache<string, Kept>;
  readonly #running = new Map<string, Promise<Kept>>();
  readonly #questions = { answered: 0, kept: 0, stale: 0, failed: 0 };
  #fault: string | null = null;
  #answeredAtMs: number | null = null;

  constructor(options: UpstreamOptions) {
    this.name = options.name;
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#clock = options.clock ?? Date.now;
    const { failuresMax, heldBackMs, concurrent, perMinute, answersKept } = this.#limits;
    this.#breaker = circuitBreaker(
      handleWhen((error) => error instanceof UpstreamFault && isOutage(error)),
      { breaker: new ConsecutiveBreaker(failuresMax), halfOpenAfter: heldBackMs },
    );
    this.#turns = pLimit(concurrent);
    this.#rate = perMinute === null ? null : new RateLimiterMemory({ points: perMinute, duration: 60 });
    this.#kept = new LRUCache({ max: answersKept });
  }

  state(): UpstreamState {
    const breaker = breakerNames[this.#breaker.state];
    return { name: this.name, breaker, fault: this.#fault };
  }

  activity(): UpstreamActivity {
    const answerAgeMs = this.#answeredAtMs === null ? null : Math.max(0, this.#clock() - this.#answeredAtMs);
    return { questions: { ...this.#questions }, answerAgeMs };
  }

  /**
   * Asks the provider, or answers from what it said within `maxAgeMs`.
   * @returns null as value where the provider does not know what was asked for
   * @throws UpstreamFault when it fails and nothing older is kept
   */
  async ask<T>(question: Question<T>): Promise<Sourced<T | null>> {
    const { maxAgeMs } = question;
    const key = question.name ?? JSON.stringify([question.path, question.query, question.body]);
    const kept = this.#kept.get(key);
    if (kept !== undefined && this.#clock() - kept.atMs <= maxAgeMs) {
      this.#questions.kept += 1;
      return this.#sourced(kept, maxAgeMs, false);
    }
    try {
      const answer = await this.#shared(key, question);
      this.#questions.answered += 1;
      return this.#sourced(answer, maxAgeMs, false);
    } catch (error) {
      const old = kept !== undefined && this.#clock() - kept.atMs <= this.#limits.staleMsMax ? kept : null;
      const isServed = error instanceof UpstreamFault && old !== null;
      this.#questions[isServed ? 'stale' : 'failed'] += 1;
      if (!isServed) throw error;
      return this.#sourced(old, maxAgeMs, true);
    }
  }

  #sourced<T>({ value, atMs }: Kept, maxAgeMs: number, isStale: boolean): Sourced<T> {
    return {
      value: value as T,
      source: this.name,
      asOfMs: null,
      ageMs: Math.max(0, this.#clock() - atMs),
      maxAgeMs,
      isStale,
    };
  }

  /** Callers with the same question wait for the same request. */
  #shared<T>(key: string, question: Question<T>): Promise<Kept> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const started = this.#guarded(question).then(
      (value) => {
        const kept = { value, atMs: this.#clock() };
        this.#kept.set(key, kept);
        this.#fault = null;
        this.#answeredAtMs = kept.atMs;
        return kept;
      },
      (error: unknown) => {
        if (error instanceof UpstreamFault) this.#fault = error.message;
        throw error;
      },
    );
    const settled = started.finally(() => this.#running.delete(key));
    this.#running.set(key, settled);
    return settled;
  }

  /** Asks when it is this call's turn, unless the provider is held back. */
  async #guarded<T>(question: Question<T>): Promise<T | null> {
    const { waiting, deadlineMs, heldBackMs } = this.#limits;
    if (this.#turns.pendingCount >= waiting) {
      throw new UpstreamFault(this.name, 'queue full', `${waiting} calls wait already`);
    }
    const late = () => new UpstreamFault(this.name, 'timeout', `no complete answer within ${deadlineMs / 1_000} s`);
    const signal = AbortSignal.timeout(deadlineMs);
    const answer = this.#turns(() => {
      if (signal.aborted) throw late();
      return this.#breaker.execute(() => this.#tried(question, { signal, endMs: this.#clock() + deadlineMs }));
    });
    try {
      return await beforeAbort(answer, signal);
    } catch (error) {
      if (error instanceof UpstreamFault) throw error.reason === 'timeout' ? late() : error;
      if (signal.aborted) throw late();
      if (!isBrokenCircuitError(error)) throw error;
      const problem = `not asked for up to ${heldBackMs / 1_000} s, because it failed repeatedly`;
      throw new UpstreamFault(this.name, 'open', problem);
    }
  }

  /** Asks again where that may help and the deadline leaves time for it. */
  async #tried<T>(question: Question<T>, { signal, endMs }: Deadline): Promise<T | null> {
    const { retryMs, retriesMax } = this.#limits;
    for (let retries = 0; ; retries++) {
      try {
        return await this.#once(question, { signal, endMs });
      } catch (error) {
        if (!(error instanceof UpstreamFault && isPassing(error)) || retries >= retriesMax) throw error;
        const jitterMs = (this.#options.random ?? Math.random)() * retryMs;
        const waitMs = Math.max(error.retryAfterMs ?? 0, retryMs * 2 ** retries) + jitterMs;
        if (this.#clock() + waitMs >= endMs) throw error;
        await delay(waitMs, undefined, { signal });
      }
    }
  }

  async #once<T>(question: Question<T>, { signal, endMs }: Deadline): Promise<T | null> {
    await this.#ownRate(signal, endMs);
    const rules = {
      provider: this.name,
      absentStatuses: question.absentStatuses ?? [404],
      bytesMax: this.#limits.bodyBytesMax,
      signal,
    };
    const json = await (question.send?.(rules) ?? receive(this.#requestOf(question), rules));
    if (json === null) return null;
    const result = question.schema.safeParse(json);
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    const place = issue?.path.join('.') ?? '';
    throw new UpstreamFault(
      this.name,
      'shape',
      `an answer whose ${place === '' ? 'root' : place} is not as documented`,
    );
  }

  /** Waits for the rate that the provider allows, or fails where the deadline comes first. */
  async #ownRate(signal: AbortSignal, endMs: number): Promise<void> {
    while (this.#rate !== null) {
      try {
        await this.#rate.consume(this.name);
        return;
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        const waitMs = error.msBeforeNext;
        if (this.#clock() + waitMs >= endMs) {
          const problem = `more than ${this.#limits.perMinute} requests a minute`;
          throw new UpstreamFault(this.name, 'own rate', problem, waitMs);
        }
        await delay(waitMs, undefined, { signal });
      }
    }
  }

  #requestOf({ path, query, body }: Question<unknown>): HttpRequest {
    const { baseUrl, headers = {} } = this.#options;
    const url = new URL(`${withoutEnd(baseUrl, '/')}/${path.replace(/^\/+/, '')}`);
    for (const [name, value] of Object.entries({ ...query, ...this.#options.query })) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return { url, headers, ...(body === undefined ? {} : { body }) };
  }
}

interface Deadline {
  readonly signal: AbortSignal;
  readonly endMs: number;
}

const breakerNames: Readonly<Record<CircuitState, UpstreamState['breaker']>> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'half-open',
  [CircuitState.Isolated]: 'open',
};

/** The value of a promise, or a rejection as soon as the signal is aborted. */
function beforeAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
