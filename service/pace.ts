import { setImmediate } from 'node:timers/promises';

/** Longest piece of work, in ms, between two turns of the event loop. */
const PIECE_MS = 5;

/** Divides long work on the main thread, so that other calls are answered in between. */
export class Pace {
  #begunMs = performance.now();

  /** Whether it is time to `rest`. Cheaper than to await each piece. */
  get isDue(): boolean {
    return performance.now() - this.#begunMs >= PIECE_MS;
  }

  async rest(): Promise<void> {
    await setImmediate();
    this.#begunMs = performance.now();
  }
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a piece of work that cannot be divided, such as parsing a large body: one at a time in the
 * process, with a turn of the event loop before each.
 */
export function inTurn<T>(work: () => T): Promise<T> {
  const turn = last.then(() => setImmediate()).then(work);
  last = turn.catch(() => {});
  return turn;
}
