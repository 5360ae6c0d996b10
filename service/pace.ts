/** Longest piece of work, in ms, between two turns of the event loop. */
const PIECE_MS = 5;

const waiting: (() => void)[] = [];
let isAwaited = false;

/**
 * Resolves in a later turn of the event loop, one waiting task a turn. So however many tasks divide
 * their work, another call waits for one piece, not for one of each.
 */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    awaitTurn();
  });
}

function awaitTurn(): void {
  if (isAwaited) return;
  isAwaited = true;
  setImmediate(() => {
    isAwaited = false;
    waiting.shift()?.();
    if (waiting.length > 0) awaitTurn();
  });
}

/** Divides long work on the main thread, so that other calls are answered in between. */
export class Pace {
  #begunMs = performance.now();

  /** Whether it is time to `rest`. Cheaper than to await each piece. */
  get isDue(): boolean {
    return performance.now() - this.#begunMs >= PIECE_MS;
  }

  async rest(): Promise<void> {
    await nextTurn();
    this.#begunMs = performance.now();
  }
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a piece of work that cannot be divided, such as parsing a large body: one at a time in the
 * process, with a turn of the event loop before each.
 */
export function inTurn<T>(work: () => T): Promise<T> {
  const turn = last.then(nextTurn).then(work);
  last = turn.catch(() => {});
  return turn;
}
