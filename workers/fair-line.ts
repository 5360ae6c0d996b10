import { ThreadFailure } from './backtest-protocol.js';

interface FairLineOptions {
  /** Turns at a time, each of another party. */
  readonly places: number;
  /** Of one party. */
  readonly waitingMax: number;
  /** Of all parties together. */
  readonly waitingMaxOfAll: number;
}

/** A turn on one of the places; no other party has it until it is left. */
interface Turn {
  /** 0..places-1 */
  readonly place: number;
  leave(): void;
}

interface Waiting {
  readonly begin: (turn: Turn) => void;
}

/**
 * A line in which parties take turns: a party has one turn at a time, and the party whose last turn
 * is longest ago is next. One that sends many tasks makes itself wait, and no other.
 */
export class FairLine {
  /**
   * What waits by party; the party that is next comes first. A party without a waiting task is not
   * here.
   */
  readonly #lines = new Map<string, Waiting[]>();
  readonly #atWork = new Set<string>();
  readonly #free: number[];
  #waiting = 0;

  constructor(private readonly options: FairLineOptions) {
    this.#free = Array.from({ length: options.places }, (_, place) => place);
  }

  /** @throws ThreadFailure `full`; the reason of the signal, when that comes before the turn */
  async enter(party: string, signal?: AbortSignal): Promise<Turn> {
    signal?.throwIfAborted();
    const { waitingMax, waitingMaxOfAll } = this.options;
    if (!this.#atWork.has(party) && this.#free.length > 0) return this.#begin(party);
    const line = this.#lines.get(party) ?? [];
    for (const [waiting, max] of [
      [line.length, waitingMax],
      [this.#waiting, waitingMaxOfAll],
    ] as const) {
      if (waiting >= max) throw new ThreadFailure('full', `${max} are waiting already`);
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
      if (line !== undefined && this.#lines.delete(party)) this.#lines.set(party, line); // behind all others
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
