import { ApiError } from '../rpc/index.js';
import { type SseFrame, type SseText, sseText } from './sse.js';

/** What comes together in a stream. */
export interface StreamPart {
  /** All but those of the first part have ids that are numbers and grow. */
  readonly frames: readonly SseFrame[];
  /** Of the first part: the newest event that there was when the reader came. */
  readonly newestId: number | null;
}

/**
 * What one reader asks for. Both calls are admitted with its own credentials; one of them is made.
 */
export interface Reading {
  /** Readers with the same key are sent the same, but for where they begin. */
  readonly key: string;
  /** From where this reader begins, without end. Ends or fails when its signal is aborted. */
  readonly open: (signal: AbortSignal) => AsyncIterable<StreamPart>;
  /** The same, up to the newest event that there is. */
  readonly catchUp: (signal: AbortSignal) => AsyncIterable<StreamPart>;
}

/**
 * Parts that are kept for a reader who is still catching up; whoever takes longer may come again.
 */
const KEPT_PARTS_MAX = 1_000;

/**
 * Streams that many read, each fetched and made into text once.
 *
 * The stream of the first reader is passed on to all who come later. Each of those begins to keep
 * what is passed on, then asks for what there is up to now by a call of its own, and goes on with
 * what was kept that is newer than that: what had been passed on before was there when its own call
 * was made. So nothing is missing, nothing comes twice, and the order stays.
 */
export class SharedStreams {
  readonly #upstreams = new Map<string, Upstream>();

  /**
   * What a reader is sent, until its signal is aborted or the stream that it shares ends.
   * @throws whatever its own call fails with, or the one it shares
   */
  async *read({ key, open, catchUp }: Reading, signal: AbortSignal): AsyncGenerator<SseText> {
    for (;;) {
      if (signal.aborted) return;
      const upstream = this.#upstreams.get(key);
      if (upstream === undefined) {
        yield* this.#lead(key, open, signal);
        return;
      }
      if (upstream.isReady) {
        yield* follow(upstream, catchUp, signal);
        return;
      }
      await upstream.settled; // a refusal of its first reader says nothing of this one
    }
  }

  async *#lead(key: string, open: Reading['open'], signal: AbortSignal): AsyncGenerator<SseText> {
    const upstream = new Upstream(open, () => this.#upstreams.delete(key));
    this.#upstreams.set(key, upstream);
    const reader = upstream.join();
    try {
      for await (const { text } of reader.chunks(signal)) yield text;
    } finally {
      upstream.leave(reader);
    }
  }
}

async function* follow(upstream: Upstream, catchUp: Reading['catchUp'], signal: AbortSignal): AsyncGenerator<SseText> {
  const reader = upstream.join();
  try {
    let seenId = 0;
    for await (const { frames, newestId } of catchUp(signal)) {
      seenId = Math.max(seenId, newestId ?? 0, idOf(frames.at(-1)));
      yield sseText(frames);
    }
    for await (const chunk of reader.chunks(signal)) {
      if (idOf(chunk.frames[0]) > seenId) yield chunk.text;
      else if (idOf(chunk.frames.at(-1)) > seenId) yield sseText(chunk.frames.filter((frame) => idOf(frame) > seenId));
    }
  } finally {
    upstream.leave(reader);
  }
}

const idOf = (frame: SseFrame | undefined): number => Number(frame?.id ?? 0);

interface Chunk {
  readonly frames: readonly SseFrame[];
  readonly text: Buffer;
}

/** One stream and those who read it. It is given up when the last of them leaves. */
class Upstream {
  /** Its first part has come, and it has not ended. */
  isReady = false;
  /** Resolves when it is ready, or never will be. */
  readonly settled: Promise<void>;
  #settle = (): void => {};
  readonly #readers = new Set<Reader>();
  readonly #abandoned = new AbortController();

  /** @param onEnd called once, when it has ended or nobody reads it any more */
  constructor(
    open: Reading['open'],
    private readonly onEnd: () => void,
  ) {
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
    void this.#passOn(open(this.#abandoned.signal));
  }

  join(): Reader {
    const reader = new Reader();
    this.#readers.add(reader);
    return reader;
  }

  leave(reader: Reader): void {
    this.#readers.delete(reader);
    if (this.#readers.size === 0) this.#end(null);
  }

  async #passOn(parts: AsyncIterable<StreamPart>): Promise<void> {
    try {
      for await (const { frames } of parts) {
        if (this.#abandoned.signal.aborted) return;
        this.isReady = true;
        this.#settle();
        const chunk = { frames, text: Buffer.from(sseText(frames)) };
        for (const reader of this.#readers) reader.add(chunk);
      }
      this.#end(null);
    } catch (error) {
      this.#end(error);
    }
  }

  #end(error: unknown): void {
    if (this.#abandoned.signal.aborted) return;
    this.isReady = false;
    this.onEnd();
    this.#settle();
    for (const reader of this.#readers) reader.end(error);
    this.#abandoned.abort();
  }
}

/** What is passed on to one reader and not taken yet: of a reader that has caught up, nothing. */
class Reader {
  readonly #kept: Chunk[] = [];
  #ending: { readonly error: unknown } | null = null;
  #wake = (): void => {};

  add(chunk: Chunk): void {
    if (this.#ending !== null) return;
    if (this.#kept.length < KEPT_PARTS_MAX) this.#kept.push(chunk);
    else this.end(tooSlow());
    this.#wake();
  }

  /** @param error null where the stream ended as it should */
  end(error: unknown): void {
    this.#ending ??= { error };
    this.#wake();
  }

  /**
   * What was kept and what comes, until the end or until the signal is aborted. @throws the error
   * it ended with
   */
  async *chunks(signal: AbortSignal): AsyncGenerator<Chunk> {
    const wake = (): void => this.#wake();
    signal.addEventListener('abort', wake);
    try {
      while (!signal.aborted) {
        const chunk = this.#kept.shift();
        if (chunk !== undefined) yield chunk;
        else if (this.#ending === null) await new Promise<void>((resolve) => (this.#wake = resolve));
        else if (this.#ending.error === null) return;
        else throw this.#ending.error;
      }
    } finally {
      signal.removeEventListener('abort', wake);
    }
  }
}

const tooSlow = (): ApiError =>
  new ApiError('ENGINE_BUSY', `the reader is more than ${KEPT_PARTS_MAX} parts behind; it may come again`, {
    retry_after: 1,
  });
