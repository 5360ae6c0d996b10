import type { ServerResponse } from 'node:http';
import { ApiError } from '../rpc/index.js';

/** One server-sent event. */
export interface SseFrame {
  /** What a client that comes again sends as `Last-Event-ID`. */
  readonly id?: string;
  /** `message` where there is none. */
  readonly event?: string;
  /** Sent as JSON. */
  readonly data: unknown;
}

/** Whole frames; bytes where many readers are sent the same ones. */
export type SseText = string | Buffer;

export interface SseOptions {
  /** Aborted when the server stops, which ends the stream. */
  readonly closing: AbortSignal;
  /** Between comments that keep the connection alive, ms. */
  readonly keepAliveMs?: number;
  /** A client that leaves more than this unread, beyond what the system buffers, is cut off. */
  readonly unreadBytesMax?: number;
  /**
   * Whether the client may read no longer, which ends the stream; asked every `recheckMs`. Must not
   * fail.
   */
  readonly isRefused?: () => Promise<boolean>;
  readonly recheckMs?: number;
}

const KEEP_ALIVE_MS = 15_000;
const RECHECK_MS = 60_000;
/** When a client shall come again that has lost its connection; told once. */
const RETRY_MS = 5_000;
/** More than all that a client can be sent at once when it resumes. */
const UNREAD_BYTES_MAX = 1024 * 1024;

/**
 * Answers with server-sent events: their text is written at once, as it comes, until there is no
 * more, the client is gone, reads too slowly or may read no longer, or the server stops.
 *
 * Headers go out with the first text, so that what fails before it is an ordinary refusal. What
 * fails after it ends the stream; the client comes again and then learns why.
 *
 * @param open gives the text, whole frames at a time; its signal is aborted when nobody wants any
 *   more, and it must end or fail then
 * @throws whatever it fails with before the first text; ENGINE_BUSY when the server stops before
 *   that
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
    if (!response.headersSent && !closing.aborted) response.writeHead(200, headers); // there was nothing to say
  } catch (error) {
    if (!response.headersSent && !closing.aborted) throw error;
  } finally {
    for (const timer of timers) clearInterval(timer);
    response.off('close', end);
    closing.removeEventListener('abort', end);
  }
  if (!response.headersSent) throw stopping();
  response.end();
  if (closing.aborted) response.req.socket.destroySoon(); // kept alive, it would keep the server from closing
}

const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache',
  'X-Accel-Buffering': 'no',
};

/** Frames as they are sent. */
export const sseText = (frames: readonly SseFrame[]): string => frames.map(textOf).join('');

const textOf = ({ id, event, data }: SseFrame): string =>
  `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;

const stopping = (): ApiError => new ApiError('ENGINE_BUSY', 'the service is stopping', { retry_after: 1 });
