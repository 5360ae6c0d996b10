import { ApiError } from '../api-error.js';
import type { SqlDeployedStore } from './store.js';
import { numberedEvent, type StoredEvent, type StreamPart } from './stored.js';

interface FeedDeps {
  readonly store: Pick<SqlDeployedStore, 'newestEvents' | 'eventsAfter'>;
  readonly onInternalError: (error: unknown) => void;
  /** How often to look for events without a notice, in ms. */
  readonly pollMs?: number;
}

/** Events that are sent together. */
interface Batch {
  readonly lastId: number;
  readonly part: StreamPart;
}

/** Where a reader starts. */
interface Joined {
  /** The reader gets the events after this one. */
  readonly afterId: number;
  /** Id of the newest event in the store when the reader joined; 0 if there was none. */
  readonly newestId: number;
}

/** Events held for readers: how far back a reader may resume, and how far it may fall behind. */
export const HELD_EVENTS_MAX = 1_000;
const BATCH_EVENTS_MAX = 100;
const POLL_MS = 1_000;

/**
 * The newest events of all strategies. Each process reads them from the store once for all of its
 * readers. A reader is only a position in the shared list, so a slow one costs no memory; a reader
 * that falls out of the list is dropped.
 *
 * New events are read when `wake` is called and at each poll, but only while there are readers.
 */
export class DeployedFeed {
  /** By id, at most the newest `HELD_EVENTS_MAX`. */
  #events: readonly StoredEvent[] = [];
  /**
   * The next batch by position and strategy: readers at the same position get the same object,
   * which is encoded once.
   */
  readonly #batches = new Map<string, Batch>();
  #readers = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #waiting = new Set<() => void>();
  #reading: Promise<void> | null = null;
  /** Whether a refresh was requested since the store was last read. */
  #isTold = false;
  #isClosed = false;

  constructor(private readonly deps: FeedDeps) {}

  /** Readers that have joined and not left. */
  get readers(): number {
    return this.#readers;
  }

  /** Reads new events, if there are readers. */
  wake(): void {
    if (this.#readers > 0) this.#refresh().catch(this.deps.onInternalError);
  }

  /** Ends all readers, later ones too. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#callWaiting();
  }

  /**
   * Adds a reader, which must call `leave` when it is done.
   * @param lastEventId the last event that the reader has seen, if any
   * @returns where it starts: after the last event that it has seen, as far back as events are
   *   held, or else after the newest one
   */
  async join(lastEventId: number | undefined): Promise<Joined> {
    if (this.#readers++ === 0) {
      this.#events = []; // events that came without readers were not read
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
   * Yields events after an id, of one strategy or all, in order and without gaps, until the signal
   * aborts or the feed is closed.
   * @param untilId stops once every event up to this id was given; later events of the same batch
   *   are given too
   * @throws ApiError ENGINE_BUSY for a reader so slow that it has missed events
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

  /** Id of the last event before the held ones. */
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

  /** Resolves when every event in the store at this moment is held. */
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
      this.#reading = null; // synchronously, so that the next refresh starts a new read
    }
  }

  async #readNew(): Promise<void> {
    const { store } = this.deps;
    const held = this.#events;
    const newest = held.at(-1);
    const read = await (newest === undefined
      ? store.newestEvents(HELD_EVENTS_MAX)
      : store.eventsAfter(newest.id, HELD_EVENTS_MAX));
    if (this.#events !== held) return; // a new first reader has reset the list and asked again
    if (read.length === 0) return;
    if (read.length === HELD_EVENTS_MAX) this.#isTold = true; // there may be more events
    this.#events = [...held, ...read].slice(-HELD_EVENTS_MAX);
    this.#batches.clear();
    this.#callWaiting();
  }
}

const tooSlow = (): ApiError =>
  new ApiError('ENGINE_BUSY', `the reader is more than ${HELD_EVENTS_MAX} events behind; it may join again`, {
    retry_after: 1,
  });
