import type { RequestHandler, Response } from 'express';
import { ApiError, type CallOptions, type OpenStreams, type RpcClient, type StreamName } from '../rpc/index.js';
import { applyFieldsMask, type FieldsMask } from './answer.js';
import type { StreamRoute } from './route.js';
import { type SseFrame, type SseText, sendEvents, sseText } from './sse.js';
import { callOptions, checkAccess, readRequest } from './translate.js';
import { UNREAD_HEADER } from './unread-keys.js';

/** Frames that arrive together in a stream. */
export interface StreamPart {
  /** All frames after the first part have increasing numeric ids. */
  readonly frames: readonly SseFrame[];
  /** From the first part: id of the newest event when the reader joined. */
  readonly newestId: number | null;
}

/**
 * The request of one reader. Both calls carry the reader's own credentials; only one of them is
 * made.
 */
export interface Reading {
  /** Readers with the same key get the same events, apart from where they start. */
  readonly key: string;
  /**
   * Opens the endless stream from this reader's start. It ends or fails when its signal is aborted.
   */
  readonly open: (signal: AbortSignal) => AsyncIterable<StreamPart>;
  /** Opens the same stream, up to the newest event so far. */
  readonly catchUp: (signal: AbortSignal) => AsyncIterable<StreamPart>;
}

/**
 * Parts kept for a reader that is still catching up. A reader that falls further behind is dropped
 * and may reconnect.
 */
const KEPT_PARTS_MAX = 1_000;

/**
 * Streams with many readers, each fetched and serialised once.
 *
 * The stream of the first reader is passed on to all later readers. A later reader first starts to
 * keep the events passed on, then fetches the events up to now with a call of its own, and then
 * continues with the kept events that are newer. Events passed on before it joined are part of its
 * own call, so no event is lost, repeated or out of order.
 */
export class SharedStreams {
  readonly #upstreams = new Map<string, Upstream>();

  /**
   * Yields the text for a reader until its signal is aborted or the shared stream ends.
   * @throws the error of its own call, or of the shared one
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
      await upstream.settled; // the refusal of the first reader does not apply to this one
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
      seenId = Math.max(seenId, newestId ?? 0, frameId(frames.at(-1)));
      yield sseText(frames);
    }
    for await (const chunk of reader.chunks(signal)) {
      if (frameId(chunk.frames[0]) > seenId) yield chunk.text;
      else if (frameId(chunk.frames.at(-1)) > seenId)
        yield sseText(chunk.frames.filter((frame) => frameId(frame) > seenId));
    }
  } finally {
    upstream.leave(reader);
  }
}

const frameId = (frame: SseFrame | undefined): number => Number(frame?.id ?? 0);

interface Chunk {
  readonly frames: readonly SseFrame[];
  readonly text: Buffer;
}

/** One stream and its readers. It is cancelled when the last reader leaves. */
class Upstream {
  /** True once the first part has come, until the stream ends. */
  isReady = false;
  /** Resolves when the stream is ready or has failed to become ready. */
  readonly settled: Promise<void>;
  #settle = (): void => {};
  readonly #readers = new Set<Reader>();
  readonly #abandoned = new AbortController();

  /**
   * @param onEnd called once, when the stream has ended or has no readers left
   */
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

/** Parts passed on to one reader that it has not taken yet; empty for a reader that keeps up. */
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

  /**
   * @param error null if the stream ended normally
   */
  end(error: unknown): void {
    this.#ending ??= { error };
    this.#wake();
  }

  /**
   * Yields kept and new parts until the stream ends or the signal is aborted.
   * @throws the error with which the stream ended
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
  new ApiError('ENGINE_BUSY', `the reader is more than ${KEPT_PARTS_MAX} parts behind; it may reconnect`, {
    retry_after: 1,
  });

/**
 * Handles a streaming method: turns a request into its call and answers with server-sent events.
 */
export function stream<M extends StreamName>(
  route: StreamRoute<M>,
  rpc: RpcClient,
  { streams, closing }: { readonly streams: OpenStreams; readonly closing: AbortSignal },
): RequestHandler {
  const { sameForAll } = route;
  const shared = new SharedStreams();
  return async (request, response) => {
    const { options, requireRoom } = counted(callOptions(request, response), streams, response);
    // The header is newer than the query, which a client repeats.
    const lastEventId = request.get('Last-Event-ID');
    const resumed = lastEventId === undefined ? {} : { last_event_id: lastEventId };
    const { message, mask, unread } = await readRequest(route, rpc, request, options, resumed);
    if (unread !== null) response.set(UNREAD_HEADER, unread);
    async function* parts(asked: object, own: CallOptions): AsyncGenerator<StreamPart> {
      for await (const part of rpc.stream(route.rpc, { ...message, ...asked }, { ...options, ...own })) {
        requireRoom();
        yield { frames: masked(route.toFrames(part), mask), newestId: sameForAll?.newestId(part) ?? null };
      }
    }
    const whole = (signal: AbortSignal) => parts({}, { signal, deadlineMs: null });
    const reading: Reading = {
      key: JSON.stringify([{ ...message, last_event_id: undefined }, request.get('X-Fields')]),
      open: whole,
      catchUp: (signal) => parts({ until_now: true }, { signal }),
    };
    const texts = (signal: AbortSignal) =>
      sameForAll === undefined ? frameTexts(whole(signal)) : shared.read(reading, signal);
    await sendEvents(response, texts, { closing, isRefused: () => isRefused(route, rpc, options) });
  };
}

/**
 * Counts a stream of a caller, who is known before its first part, until the connection closes.
 * Readers are counted here, because those who share a stream of gRPC hold none there.
 */
function counted(options: CallOptions, streams: OpenStreams, response: Response) {
  let leave: (() => void) | null = null;
  let refusal: unknown = null;
  const onCaller: CallOptions['onCaller'] = (caller) => {
    options.onCaller?.(caller);
    if (leave !== null || refusal !== null || response.destroyed) return;
    try {
      leave = streams.open(caller);
      response.once('close', leave);
    } catch (error) {
      refusal = error;
    }
  };
  const requireRoom = (): void => {
    if (refusal !== null) throw refusal;
  };
  return { options: { ...options, isCounted: true, onCaller }, requireRoom };
}

const refusals: readonly string[] = ['AUTH_REQUIRED', 'PERMISSION_DENIED', 'INSUFFICIENT_PERMISSIONS'];

/** Whether the caller has lost access. A check that fails for another reason does not count. */
async function isRefused(route: StreamRoute<StreamName>, rpc: RpcClient, options: CallOptions): Promise<boolean> {
  try {
    await checkAccess(route, rpc, options);
    return false;
  } catch (error) {
    return error instanceof ApiError && refusals.includes(error.code);
  }
}

const masked = (frames: readonly SseFrame[], mask: FieldsMask | null): readonly SseFrame[] =>
  mask === null ? frames : frames.map((frame) => ({ ...frame, data: applyFieldsMask(frame.data, mask) }));

async function* frameTexts(parts: AsyncIterable<StreamPart>): AsyncGenerator<string> {
  for await (const { frames } of parts) yield sseText(frames);
}
