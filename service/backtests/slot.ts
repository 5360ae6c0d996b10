import { ApiError } from '../api-error.js';

/** Calls `action` after `ms`; the returned function cancels it. */
type Timer = (ms: number, action: () => void) => () => void;

interface SlotOptions {
  /** How long a caller waits for the slot, in ms. */
  readonly waitMs?: number;
  /** Most callers that may wait at a time; further ones are refused at once. */
  readonly waitersMax?: number;
  readonly timer?: Timer;
  /** Ms on a monotonic clock. */
  readonly elapsedMs?: () => number;
}

const WAIT_MS = 5_000;
/** A client would rather try elsewhere than wait longer. */
const WAIT_MS_MAX = 9_999;
const WAITERS_MAX = 64;
const RETRY_SECONDS_MAX = 30;

const realTimer: Timer = (ms, action) => {
  const timeout = setTimeout(action, ms);
  return () => clearTimeout(timeout);
};

interface Waiter {
  enter(): void;
}

/** Runs one synchronous backtest at a time in this process; callers enter in order of arrival. */
export class Slot {
  readonly #waitMs: number;
  readonly #waitersMax: number;
  readonly #timer: Timer;
  readonly #elapsedMs: () => number;
  readonly #waiters: Waiter[] = [];
  #isTaken = false;
  /** How long the last occupant stayed, in ms. */
  #lastStayMs = 0;

  constructor(options: SlotOptions = {}) {
    const { waitMs = WAIT_MS, waitersMax = WAITERS_MAX } = options;
    if (!(waitMs >= 0 && waitMs <= WAIT_MS_MAX)) {
      throw new RangeError(`the wait for the slot must be 0..${WAIT_MS_MAX} ms, was ${waitMs}`);
    }
    this.#waitMs = waitMs;
    this.#waitersMax = waitersMax;
    this.#timer = options.timer ?? realTimer;
    this.#elapsedMs = options.elapsedMs ?? (() => performance.now());
  }

  /**
   * Runs `work` when its turn comes.
   * @throws ENGINE_BUSY with `retry_after` in seconds when the turn does not come in time; the
   *   reason of `signal` if it aborts first
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#enter(signal);
    const start = this.#elapsedMs();
    try {
      return await work();
    } finally {
      this.#lastStayMs = this.#elapsedMs() - start;
      this.#leave();
    }
  }

  #enter(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (!this.#isTaken) {
      this.#isTaken = true;
      return Promise.resolve();
    }
    if (this.#waiters.length >= this.#waitersMax) return Promise.reject(this.#busy());
    return new Promise((resolve, reject) => {
      const end = () => {
        takeBack();
        signal?.removeEventListener('abort', onAbort);
      };
      const leave = () => {
        end();
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
      };
      const onAbort = () => {
        leave();
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        enter: () => {
          end();
          resolve();
        },
      };
      const takeBack = this.#timer(this.#waitMs, () => {
        leave();
        reject(this.#busy());
      });
      signal?.addEventListener('abort', onAbort);
      this.#waiters.push(waiter);
    });
  }

  /**
   * Hands the slot to the next waiter without freeing it in between, so that no caller can
   * overtake.
   */
  #leave(): void {
    const next = this.#waiters.shift();
    if (next === undefined) this.#isTaken = false;
    else next.enter();
  }

  #busy(): ApiError {
    const seconds = Math.ceil(((this.#waiters.length + 1) * this.#lastStayMs) / 1000);
    const retryAfter = Math.min(Math.max(seconds, 1), RETRY_SECONDS_MAX);
    const message = `another backtest is running; try again in ${retryAfter} s`;
    return new ApiError('ENGINE_BUSY', message, { retry_after: retryAfter });
  }
}
