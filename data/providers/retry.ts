import { setTimeout as delay } from 'node:timers/promises';
import { EngineError } from '../../engine/errors.js';
import { ProviderFault } from './provider.js';

export interface RetryRules {
  /** Tries per request, the first one included. */
  readonly triesMax: number;
  /** Wait before the second try; it doubles before each further one. */
  readonly backoffMs: number;
  readonly backoffMsMax: number;
  /** The longest wait that an exchange may ask for. A longer one ends the fetch with an error. */
  readonly retryAfterMsMax: number;
}

export const defaultRetryRules: RetryRules = Object.freeze({
  triesMax: 6,
  backoffMs: 1_000,
  backoffMsMax: 60_000,
  retryAfterMsMax: 600_000,
});

export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export const sleepFor: Sleep = async (ms, signal) => {
  await delay(ms, undefined, { signal });
};

interface Retrying {
  /** The exchange, for messages. */
  readonly name: string;
  readonly rules: RetryRules;
  /** Uniform in [0, 1), for the jitter. */
  readonly random: () => number;
  readonly sleep: Sleep;
  readonly signal: AbortSignal;
  readonly onRetry: (fault: ProviderFault, waitMs: number) => void | Promise<void>;
}

/**
 * Runs `request` until it succeeds and waits longer after each fault.
 *
 * @throws INVALID_DATA when the last try fails too, or when the exchange asks for a longer wait
 *   than the rules allow
 */
export async function withRetries<T>(request: () => Promise<T>, retrying: Retrying): Promise<T> {
  const { name, rules, random, sleep, signal, onRetry } = retrying;
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    try {
      return await request();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ProviderFault)) throw error;
      const details = { exchange: name, reason: error.reason, tries: attempt };
      if (attempt >= rules.triesMax) {
        throw new EngineError(
          'INVALID_DATA',
          `${name} failed ${attempt} times, most recently: ${error.message}`,
          details,
        );
      }
      const { retryAfterMs } = error;
      if (retryAfterMs !== null && retryAfterMs > rules.retryAfterMsMax) {
        const wait = `${Math.ceil(retryAfterMs / 1_000)} s`;
        throw new EngineError(
          'INVALID_DATA',
          `${name} asks to wait ${wait} before the next request: ${error.message}`,
          {
            ...details,
            retryAfterMs,
          },
        );
      }
      const waitMs = waitBefore(attempt, retryAfterMs, rules, random);
      await onRetry(error, waitMs);
      await sleep(waitMs, signal);
    }
  }
}

/**
 * Half of the backoff is fixed and half is random, so that many clients do not return at once. The
 * wait is never shorter than the exchange asks for.
 */
export function waitBefore(
  attempt: number,
  retryAfterMs: number | null,
  { backoffMs, backoffMsMax }: RetryRules,
  random: () => number,
): number {
  const backoff = Math.min(backoffMsMax, backoffMs * 2 ** (attempt - 1));
  const jittered = Math.round((backoff / 2) * (1 + random()));
  return retryAfterMs === null ? jittered : retryAfterMs + Math.round((backoff / 2) * random());
}
