import type { ServerResponse } from 'node:http';
import { ApiError } from '../rpc/index.js';

/** One server-sent event. */
export interface SseFrame {
  /** Id that a reconnecting client sends as `Last-Event-ID`. */
  readonly id?: string;
  /** Default `message`. */
  readonly event?: string;
  /** Sent as JSON. */
  readonly data: unknown;
}

/** Whole frames. Bytes, if many readers get the same frames. */
export type SseText = string | Buffer;

export interface SseOptions {
  /** Aborted when the server stops; ends the stream. */
  readonly closing: AbortSignal;
  /** Interval between comments that keep the connection alive, ms. */
  readonly keepAliveMs?: number;
  /**
   * Maximum bytes that a client may leave unread, beyond the buffers of the system, before it is
   * cut off.
   */
  readonly unreadBytesMax?: number;
  /**
   * Resolves to true if the client has lost access, which ends the stream. Called every
   * `recheckMs`; must not fail.
   */
  readonly isRefused?: () => Promise<boolean>;
  readonly recheckMs?: number;
}

const KEEP_ALIVE_MS = 15_000;
const RECHECK_MS = 60_000;
/** Delay after which clients reconnect, sent once. */
const RETRY_MS = 5_000;
/** More than a client can receive at once when it resumes. */
const UNREAD_BYTES_MAX = 1024 * 1024;

/**
 * Answers with server-sent events. Text is written as it comes, until the source ends, the client
 * disconnects, reads too slowly or loses access, or the server stops.
 *
 * Headers are sent with the first text, so that a failure before it is an ordinary error response.
 * A failure after it ends the stream; the client reconnects and then gets the error.
 *
 * @param open yields the text in whole frames; when its signal is aborted it must end or fail
 * @throws the error of `open` before the first text; ENGINE_BUSY when the server stops before it
 */
export async function sendEvents(
  response: ServerResponse,
  open: (signal: AbortSignal) => AsyncIterable<SseText>,
  {
    closing,
    keepAliveMs = KEEP_ALIVE_MS,
    unreadBytesMax = UNREAD_BYTES_MAX,
    isRefused = async () => false,
    recheckMs = RECHECK_MS,
  }: SseOptions,
): Promise<void> {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  const write = (text: SseText): void => {
    response.write(text);
    if (response.writableLength > unreadBytesMax) response.destroy();
  };
  const recheck = async (): Promise<void> => {
    if (await isRefused()) end();
  };
  let timers: readonly NodeJS.Timeout[] = [];
  response.on('close', end);
  closing.addEventListener('abort', end);
  try {
    if (closing.aborted) end();
    for await (const text of open(ending.signal)) {
      if (response.headersSent) write(text);
      else {
        response.writeHead(200, headers);
        write(text.toString().replace('\n\n', `\nretry: ${RETRY_MS}\n\n`));
        timers = [setInterval(() => write(': keep-alive\n\n'), keepAliveMs), setInterval(recheck, recheckMs)];
        for (const timer of timers) timer.unref();
      }
      if (ending.signal.aborted || response.req.method === 'HEAD') break;
    }
    // The source ended without text.
    if (!response.headersSent && !closing.aborted) response.writeHead(200, headers);
  } catch (error) {
    if (!response.headersSent && !closing.aborted) throw error;
  } finally {
    for (const timer of timers) clearInterval(timer);
    response.off('close', end);
    closing.removeEventListener('abort', end);
  }
  if (!response.headersSent) throw stopping();
  response.end();
  // A kept-alive socket would keep the server from closing.
  if (closing.aborted) response.req.socket.destroySoon();
}

const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache',
  'X-Accel-Buffering': 'no',
};

export const sseText = (frames: readonly SseFrame[]): string => frames.map(frameText).join('');

const frameText = ({ id, event, data }: SseFrame): string =>
  `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;

const stopping = (): ApiError => new ApiError('ENGINE_BUSY', 'the service is stopping', { retry_after: 1 });
