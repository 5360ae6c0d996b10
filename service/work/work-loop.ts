import { setTimeout as sleep } from 'node:timers/promises';
import type { State } from '../state/tables.js';

/** Pauses a loop, until `signal` aborts at most; keeps no process alive. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => {});

/** Wakes a loop by notices from any process, and where some may have been lost. */
export const wakeOn = (state: Pick<State, 'listen'>, channel: string, wake: () => void): Promise<void> =>
  state.listen(channel, { onNotice: wake, onDeaf: () => {}, onHearing: wake });

interface LoopOptions {
  /** Rest after a look that found nothing; `wake` ends it. */
  readonly restMs: number;
  /** Looks and work at a time. Default: one. */
  readonly atOnce?: number;
  /** Resolves after `ms` or when the signal aborts. Default: `pause`. */
  readonly sleep?: typeof pause;
  readonly onInternalError: (error: unknown) => void;
}

/** Looks for work in the store and does it, again and again, in a process that is a worker. */
export abstract class WorkLoop {
  readonly #options: LoopOptions;
  #stopping: AbortController | null = null;
  #loops: Promise<unknown> = Promise.resolve();
  #resting = new AbortController();

  constructor(options: LoopOptions) {
    this.#options = options;
  }

  /**
   * Takes work, if there is any, and does it.
   * @param stopping aborts when the loop stops: unfinished work goes back to the store
   * @returns whether to look again at once
   */
  protected abstract takeNext(stopping: AbortSignal): Promise<boolean>;

  /** Works until `stop`. */
  start(): void {
    if (this.#stopping !== null) return;
    this.#stopping = new AbortController();
    const { signal } = this.#stopping;
    this.#loops = Promise.all(Array.from({ length: this.#options.atOnce ?? 1 }, () => this.#work(signal)));
  }

  /** Looks for work now. */
  wake(): void {
    this.#resting.abort();
    this.#resting = new AbortController();
  }

  /** Resolves when the work under way is given back or done. */
  async stop(): Promise<void> {
    this.#stopping?.abort(new Error('the server stops'));
    this.wake();
    await this.#loops;
    this.#stopping = null;
  }

  async #work(stopping: AbortSignal): Promise<void> {
    const { restMs, sleep: rest = pause, onInternalError } = this.#options;
    while (!stopping.aborted) {
      const { signal: resting } = this.#resting; // taken before the look, so that no wake is missed
      const isFound = await this.takeNext(stopping).catch((error: unknown) => {
        onInternalError(error);
        return false;
      });
      if (!isFound && !stopping.aborted) await rest(restMs, resting);
    }
  }
}
