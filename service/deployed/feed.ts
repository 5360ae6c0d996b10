import type { SqlDeployedStore, StoredEvent } from '../../data/state/index.js';
import { ApiError } from '../api-error.js';
import { numberedEvent, type StreamPart } from './records.js';

interface FeedDeps {
  readonly store: Pick<SqlDeployedStore, 'newestEvents' | 'eventsAfter'>;
  readonly onInternalError: (error: unknown) => void;
  /** How often to look for events that nobody told of, ms. */
  readonly pollMs?: number;
}

/** Events that are sent together. */
interface Batch {
  readonly lastId: number;
  readonly part: StreamPart;
}

/** Where a reader begins. */
interface Joined {
  /** The events after this one are new to it. */
  readonly afterId: number;
  /** Of everything that was in the store when it joined; 0 for nothing. */
  readonly newestId: number;
}

/**
 * Events that are held for readers: how far back one may resume, and how far one may fall behind.
 */
export const HELD_EVENTS_MAX = 1_000;
const BATCH_EVENTS_MAX = 100;
const POLL_MS = 1_000;

/**
 * The newest events of all strategies, read from the store once a process however many readers
 * there are. A reader has a place in the one list and nothing of its own, so a slow one takes no
 * memory; whoever falls out of the list is dropped.
 *
 * Events come when `wake` is called, or at the next look into the store; while nobody reads there
 * is none.
 */
export class DeployedFeed {
  /** By id, the newest `HELD_EVENTS_MAX`. */
  #events: readonly StoredEvent[] = [];
  /**
   * What comes next, by place and strategy: readers at the same place are sent the same object,
   * which is encoded once.
   */
  readonly #batches = new Map<string, Batch>();
  #readers = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #waiting = new Set<() => void>();
  #reading: Promise<void> | null = null;
  /** Something was told of since the store was last asked. */
  #isTold = false;
  #isClosed = false;

  constructor(private readonly deps: FeedDeps) {}

  /** Those that have joined and not left. */
  get readers(): number {
    return this.#readers;
  }

  /** There are new events in the store. */
  wake(): void {
    if (this.#readers > 0) this.#refresh().catch(this.deps.onInternalError);
  }

  /** Ends all readers, those to come too. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#callWaiting();
  }

  /**
   * Takes in a reader, who leaves when it is done.
   * @param lastEventId the last one that it has seen, if any
   * @returns it begins after the last one it has seen, as far back as events are held, or else
   *   after the newest there is
   */
  async join(lastEventId: number | undefined): Promise<Joined> {
    if (this.#readers++ === 0) {
      this.#events = []; // others came meanwhile
      this.#batches.clear();
      this.#timer = setInterval(() => this.wake(), this.deps.pollMs ?? POLL_MS).unref();
    }
    try {
      await this.#refresh();
    } catch (error) {
      this.leave();
      throw error;
    }
    const newestId = this.#events.at(-1)?.id ?? 0;
    return { afterId: Math.max(Math.min(lastEventId ?? newestId, newestId), this.#beforeHeld), newestId };
  }

  leave(): void {
    if (--this.#readers === 0) clearInterval(this.#timer);
  }

  /**
   * Events after an id, of one strategy or of all, in order and without holes, until the signal is
   * aborted or the feed is closed.
   * @param untilId ends when everything up to this one is given; what comes together with it is
   *   given too
   * @throws ApiError ENGINE_BUSY for a reader so slow that events it has not seen are no longer
   *   held
   */
  async *after(
    id: number,
    strategyId: string | null,
    signal: AbortSignal,
    untilId = Infinity,
  ): AsyncGenerator<StreamPart> {
    let last = id;
    while (last < untilId && !signal.aborted && !this.#isClosed) {
      if (last < this.#beforeHeld) throw tooSlow();
      const batch = this.#batchAfter(last, strategyId);
      if (batch === null) {
        await this.#changed(signal);
        continue;
      }
      last = batch.lastId;
      if (batch.part.events.length > 0) yield batch.part;
    }
  }

  #batchAfter(id: number, strategyId: string | null): Batch | null {
    const key = `${id} ${strategyId ?? ''}`;
    let batch = this.#batches.get(key);
    if (batch === undefined) {
      const from = this.#events.findLastIndex((event) => event.id <= id) + 1;
      const next = this.#events.slice(from, from + BATCH_EVENTS_MAX);
      const newest = next.at(-1);
      if (newest === undefined) return null;
      const wanted = next.filter(({ event }) => strategyId === null || event.strategy_id === strategyId);
      batch = { lastId: newest.id, part: { events: wanted.map(numberedEvent) } };
      this.#batches.set(key, batch);
    }
    return batch;
  }

  /** Id of the last event before those that are held. */
  get #beforeHeld(): number {
    return (this.#events[0]?.id ?? 1) - 1;
  }

  #changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const call = (): void => {
        this.#waiting.delete(call);
        signal.removeEventListener('abort', call);
        resolve();
      };
      this.#waiting.add(call);
      signal.addEventListener('abort', call);
    });
  }

  #callWaiting(): void {
    for (const call of [...this.#waiting]) call();
  }

  /** Resolves when everything is held that was in the store at this moment. */
  #refresh(): Promise<void> {
    this.#isTold = true;
    this.#reading ??= this.#readTold();
    return this.#reading;
  }

  async #readTold(): Promise<void> {
    try {
      while (this.#isTold) {
        this.#isTold = false;
        await this.#readNew();
      }
    } finally {
      this.#reading = null; // at once: whoever tells next must find nobody reading
    }
  }

  async #readNew(): Promise<void> {
    const { store } = this.deps;
    const held = this.#events;
    const newest = held.at(-1);
    const read = await (newest === undefined
      ? store.newestEvents(HELD_EVENTS_MAX)
      : store.eventsAfter(newest.id, HELD_EVENTS_MAX));
    if (this.#events !== held) return; // a first reader came meanwhile, has let go of them and told of it
    if (read.length === 0) return;
    if (read.length === HELD_EVENTS_MAX) this.#isTold = true; // there may be more
    this.#events = [...held, ...read].slice(-HELD_EVENTS_MAX);
    this.#batches.clear();
    this.#callWaiting();
  }
}

const tooSlow = (): ApiError =>
  new ApiError('ENGINE_BUSY', `the reader is more than ${HELD_EVENTS_MAX} events behind; it may join again`, {
    retry_after: 1,
  });
