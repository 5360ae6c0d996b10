import { BackgroundThread } from './background-thread.js';
import { ThreadFailure } from './backtest-protocol.js';

interface FairThreadsOptions {
  /** Module that runs in the threads. */
  readonly task: URL;
  readonly threads?: number;
  /** Tasks of one party that may wait. */
  readonly waitingMax?: number;
  /** Tasks of all parties together that may wait. */
  readonly waitingMaxOfAll?: number;
  /** How long a task waits for its turn, in ms. */
  readonly waitMs?: number;
  /** Time after which a task that runs fails and its thread is ended. */
  readonly deadlineMs?: number;
  /** Maximum heap of a thread in MB. A thread that needs more dies. */
  readonly heapMbMax?: number;
}

/** Threads for short tasks of many parties. */
interface FairThreads<Task, Answer> {
  /**
   * @param party the organization or address that asks; parties take turns, one thread each at most
   * @throws ThreadFailure `full`, `deadline`, `died` or `closed`; the reason of the signal
   */
  run(task: Task, party: string, signal: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

const IDLE_MS = 60_000;

export function openFairThreads<Task, Answer>({
  task: module,
  threads = 2,
  waitingMax = 16,
  waitingMaxOfAll = 64,
  waitMs = 5_000,
  deadlineMs = 15_000,
  heapMbMax = 256,
}: FairThreadsOptions): FairThreads<Task, Answer> {
  const line = new FairLine({ places: threads, waitingMax, waitingMaxOfAll });
  const pool = Array.from(
    { length: threads },
    () =>
      new BackgroundThread<Task, Answer>({ task: module, queueMax: 0, idleMs: IDLE_MS, heapMbMax, endsBySignal: true }),
  );
  return {
    async run(task, party, signal) {
      const wait = AbortSignal.timeout(waitMs);
      const entering = line.enter(party, AbortSignal.any([signal, wait]));
      const { place, leave } = await entering.catch((error: unknown) => {
        if (error !== wait.reason || !wait.aborted) throw error;
        throw new ThreadFailure('full', `no thread was free within ${waitMs} ms`);
      });
      const deadline = AbortSignal.timeout(deadlineMs);
      try {
        // biome-ignore lint/style/noNonNullAssertion: the line has as many places as the pool has threads
        return await pool[place]!.run(async () => task, AbortSignal.any([signal, deadline]));
      } catch (error) {
        signal.throwIfAborted();
        if (deadline.aborted) throw new ThreadFailure('deadline', `no answer within ${deadlineMs} ms`);
        throw error;
      } finally {
        leave();
      }
    },
    async close() {
      await Promise.all(pool.map((thread) => thread.close()));
    },
  };
}

interface FairLineOptions {
  /** Turns at the same time, each of a different party. */
  readonly places: number;
  /** Waiting tasks per party. */
  readonly waitingMax: number;
  /** Waiting tasks of all parties together. */
  readonly waitingMaxOfAll: number;
}

/** A turn on one of the places. No other party gets the place until the turn ends. */
interface Turn {
  /** 0..places-1. */
  readonly place: number;
  leave(): void;
}

interface Waiting {
  readonly begin: (turn: Turn) => void;
}

/**
 * A queue in which parties take turns. A party has at most one turn at a time, and the next turn
 * goes to the waiting party whose last turn is longest ago. A party that sends many tasks delays
 * only itself.
 */
export class FairLine {
  /** Waiting tasks by party, in the order of turns. A party without a waiting task has no entry. */
  readonly #lines = new Map<string, Waiting[]>();
  readonly #atWork = new Set<string>();
  readonly #free: number[];
  #waiting = 0;

  constructor(private readonly options: FairLineOptions) {
    this.#free = Array.from({ length: options.places }, (_, place) => place);
  }

  /**
   * @throws ThreadFailure `full`; the reason of the signal if it aborts before the turn
   */
  async enter(party: string, signal?: AbortSignal): Promise<Turn> {
    signal?.throwIfAborted();
    const { waitingMax, waitingMaxOfAll } = this.options;
    if (!this.#atWork.has(party) && this.#free.length > 0) return this.#begin(party);
    const line = this.#lines.get(party) ?? [];
    for (const [waiting, max] of [
      [line.length, waitingMax],
      [this.#waiting, waitingMaxOfAll],
    ] as const) {
      if (waiting >= max) throw new ThreadFailure('full', `the queue of ${max} is full`);
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        begin(turn) {
          signal?.removeEventListener('abort', abort);
          resolve(turn);
        },
      };
      const abort = () => {
        line.splice(line.indexOf(waiting), 1);
        this.#waiting--;
        if (line.length === 0) this.#lines.delete(party);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
      line.push(waiting);
      this.#lines.set(party, line);
      this.#waiting++;
    });
  }

  #begin(party: string): Turn {
    const place = this.#free.pop() ?? 0;
    this.#atWork.add(party);
    let isLeft = false;
    const leave = () => {
      if (isLeft) return;
      isLeft = true;
      this.#free.push(place);
      this.#atWork.delete(party);
      const line = this.#lines.get(party);
      // Deleting and setting moves the party to the end.
      if (line !== undefined && this.#lines.delete(party)) this.#lines.set(party, line);
      this.#next();
    };
    return { place, leave };
  }

  #next(): void {
    for (const [party, line] of this.#lines) {
      const [first] = line;
      if (first === undefined || this.#atWork.has(party)) continue;
      line.shift();
      this.#waiting--;
      if (line.length === 0) this.#lines.delete(party);
      first.begin(this.#begin(party));
      return;
    }
  }
}
