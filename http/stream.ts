import type { RequestHandler } from 'express';
import { ApiError, type CallOptions, type RpcClient, type StreamName } from '../rpc/index.js';
import { applyFieldsMask, type FieldsMask } from './fields-mask.js';
import type { StreamRoute } from './route.js';
import { type Reading, SharedStreams, type StreamPart } from './shared-streams.js';
import { type SseFrame, sendEvents, sseText } from './sse.js';
import { callOptions, checkAccess, readRequest } from './translate.js';
import { UNREAD_HEADER } from './unread-keys.js';

/**
 * Handles a streaming method: turns a request into its call and answers with server-sent events.
 */
export function stream<M extends StreamName>(
  route: StreamRoute<M>,
  rpc: RpcClient,
  closing: AbortSignal,
): RequestHandler {
  const { sameForAll } = route;
  const shared = new SharedStreams();
  return async (request, response) => {
    const options = callOptions(request, response);
    // The header is newer than the query, which a client repeats.
    const lastEventId = request.get('Last-Event-ID');
    const resumed = lastEventId === undefined ? {} : { last_event_id: lastEventId };
    const { message, mask, unread } = await readRequest(route, rpc, request, options, resumed);
    if (unread !== null) response.set(UNREAD_HEADER, unread);
    async function* parts(asked: object, own: CallOptions): AsyncGenerator<StreamPart> {
      for await (const part of rpc.stream(route.rpc, { ...message, ...asked }, { ...options, ...own })) {
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
